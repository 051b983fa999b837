// `?unlisted=SECRET` on a request: the unlisted link that it came with. It is taken off the address before anybody else reads that, and counts where an
// item is read that the address names: lists, searches and documents of services know nothing of links.

import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { linkDigest } from './link-secret.ts';

/** Digests of links by request; undefined: what was sent is no link. */
const brought = new WeakMap<IncomingMessage, string | undefined>();

const PARAMETER = 'unlisted=';

/** The address without its link, which is remembered with the request. What has another form may be a column of that name, by which features are filtered. */
export function takeLink(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const mark = url.indexOf('?');
  if (mark < 0 || !url.includes(PARAMETER, mark)) return url;
  const parts = url.slice(mark + 1).split('&');
  const digests = parts.flatMap((part) => digestIn(part) ?? []);
  if (digests.length === 0) return url;
  brought.set(request, digests.length === 1 ? digests[0] : undefined);
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
  const digest = brought.get(raw);
  const route = routeOptions.url ?? '';
  const isReading = method === 'GET' || method === 'HEAD' || route === TOKEN;
  return digest !== undefined && isReading && namesItem(route, queryNames(url)) ? digest : undefined;
}

/** Makes a token that reads. */
const TOKEN = '/account/token';

/** Addresses of one item, or of some that are named. */
const OF_ITEMS: readonly RegExp[] = [
  /^\/api\/v2\/(?:resources|layers|datasets|maps|documents|geoapps|geostories)\/:id(?:\/|$)/,
  /^\/(?:tiles|rastertiles|styles|thumbs|download|metadata|documents)\/:/,
  /^\/ogc\/collections\/:layer(?:\/|$)/,
  /^\/(?:wms|wfs|wcs)\/:layer$/,
  /^\/wmts\/1\.0\.0\/:layer\//,
  /^\/api\/v2\/layers\/data_versions$/,
  /^\/account\/token$/,
];

/** Lists that are asked for items by number or name, and services whose operation names layers. */
const WITH_NAMES: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [
    /^\/api\/v2\/(?:resources|layers|datasets|maps|documents|geoapps|geostories)$/,
    new Set(['filter{pk}', 'filter{pk.in}', 'filter{alternate}', 'filter{alternate.in}']),
  ],
  [
    /^\/(?:wms|wfs|wcs|wmts|ows)$/,
    new Set([
      'layers',
      'layer',
      'query_layers',
      'typename',
      'typenames',
      'coverage',
      'coverageid',
      'identifier',
      'identifiers',
    ]),
  ],
];

function namesItem(route: string, names: ReadonlySet<string>): boolean {
  return (
    OF_ITEMS.some((pattern) => pattern.test(route)) ||
    WITH_NAMES.some(([pattern, wanted]) => pattern.test(route) && [...names].some((name) => wanted.has(name)))
  );
}

function queryNames(url: string): ReadonlySet<string> {
  const mark = url.indexOf('?');
  const params = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  const isCapabilities = [...params].some(
    ([name, value]) => name.toLowerCase() === 'request' && value.toLowerCase() === 'getcapabilities',
  );
  return isCapabilities ? new Set() : new Set([...params.keys()].map((name) => name.toLowerCase()));
}
