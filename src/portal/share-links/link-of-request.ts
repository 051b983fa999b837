// `?unlisted=SECRET` on a request: the unlisted link that it came with. It is taken off the address before anybody else reads that, and counts where an
// item is read that the address names, and at the OGC services, whose capabilities are what their clients begin with: lists and searches know nothing of links.

import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { linkDigest } from './link-secret.ts';

/** Links by request; undefined: what was sent is none. The secret is for addresses in the answer alone. */
const brought = new WeakMap<IncomingMessage, { readonly digest: string; readonly sent: string } | undefined>();

const PARAMETER = 'unlisted=';

/** The address without its link, which is remembered with the request. What has another form may be a column of that name, by which features are filtered. */
export function takeLink(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  if (mark < 0 || !url.includes(PARAMETER, mark)) return url;
  const parts = url.slice(mark + 1).split('&');
  const links = parts.flatMap((sent) => {
    const digest = digestIn(sent);
    return digest === undefined ? [] : [{ digest, sent }];
  });
  if (links.length === 0) return url;
  brought.set(request, links.length === 1 ? links[0] : undefined);
  const rest = parts.filter((part) => digestIn(part) === undefined);
  return rest.length === 0 ? url.slice(0, mark) : `${url.slice(0, mark)}?${rest.join('&')}`;
}

function digestIn(part: string): string | undefined {
  return part.startsWith(PARAMETER) ? linkDigest(part.slice(PARAMETER.length)) : undefined;
}

/** Whether a link was sent at all, good or not. */
export function hasLink({ raw }: FastifyRequest): boolean {
  return brought.has(raw);
}

/** The digest of the link, where it counts. */
export function linkOf({ raw, method, routeOptions, url }: FastifyRequest): string | undefined {
  const digest = brought.get(raw)?.digest;
  const route = routeOptions.url ?? '';
  // What a service is sent may be a question that is too long for an address. Whoever writes is nobody by a link: the database says so.
  const isReading =
    method === 'GET' || method === 'HEAD' || route === TOKEN || (method === 'POST' && SERVICE.test(route));
  return digest !== undefined && isReading && namesItem(route, queryNames(url)) ? digest : undefined;
}

/** An address of the service that was asked, as it stands in its answer: with the link, where that counts. */
export function linkedAddress(request: FastifyRequest, address: string): string {
  return linkOf(request) === undefined ? address : `${address}?${brought.get(request.raw)?.sent ?? ''}`;
}

const SERVICE = /^\/(?:wms|wfs|wcs|wmts|ows)(?:\/|$)/;

/** Makes a token that reads. */
const TOKEN = '/account/token';

/** Addresses of one item, or of some that are named. */
const OF_ITEMS: readonly RegExp[] = [
  /^\/api\/v2\/(?:resources|layers|datasets|maps|documents|geoapps|geostories)\/:id(?:\/|$)/,
  /^\/(?:tiles|rastertiles|styles|thumbs|download|metadata|documents)\/:/,
  /^\/ogc\/collections\/:layer(?:\/|$)/,
  SERVICE,
  /^\/api\/v2\/layers\/data_versions$/,
  /^\/account\/token$/,
];

/** Lists that are asked for items by number or name. */
const LISTS = /^\/api\/v2\/(?:resources|layers|datasets|maps|documents|geoapps|geostories)$/;
const NAMES = ['filter{pk}', 'filter{pk.in}', 'filter{alternate}', 'filter{alternate.in}'];

function namesItem(route: string, names: ReadonlySet<string>): boolean {
  return (
    OF_ITEMS.some((pattern) => pattern.test(route)) || (LISTS.test(route) && NAMES.some((name) => names.has(name)))
  );
}

function queryNames(url: string): ReadonlySet<string> {
  const mark = url.indexOf('?');
  return new Set(new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)).keys());
}
