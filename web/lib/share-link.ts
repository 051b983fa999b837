// The unlisted link that a page was opened with (`?unlisted=SECRET` in its address): it goes along with what the page asks the portal about items, and
// stays in the address as long as one goes from item to item. Nothing keeps it besides.

const SECRET = /[?&]unlisted=([A-Za-z0-9_-]{32})(?=[&#]|$)/;

/** Addresses of this portal that open by a link. The REST service has tokens for it. */
const OPENED = /^\/(?:api\/v2|tiles|rastertiles|styles|thumbs|download|documents|ogc|wms|account\/token)(?:[/?]|$)/;
const PAGES = /^\/(?:(?:layers|maps|documents|apps)\/|viewer(?:[/?#]|$))/;

/** Undefined: the page was opened without one. */
export function linkInUse(): string | undefined {
  return SECRET.exec(window.location.search)?.[1];
}

/** An address that the page asks for, with the link in use. Other sites get none. */
export function withLink(address: string): string {
  const link = linkInUse();
  return link === undefined ? address : addLink(address, link, window.location.origin, OPENED);
}

/** The page of an item, as it is opened by the link in use. */
export function pageWithLink(path: string): string {
  const link = linkInUse();
  return link === undefined ? path : addLink(path, link, window.location.origin, PAGES);
}

/** Pure: before what follows `#`, and once. */
export function addLink(address: string, link: string, origin: string, which: RegExp = OPENED): string {
  const path = address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
  if (!which.test(path) || SECRET.test(path)) return address;
  const [before = '', ...hash] = address.split('#');
  const linked = `${before}${before.includes('?') ? '&' : '?'}unlisted=${link}`;
  return [linked, ...hash].join('#');
}
