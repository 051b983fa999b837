// Addresses whose answers pages of every site may read: map services, tiles, files and catalogues, for maps are shown on other sites. A browser that wants
// to send more than a plain request there (a token, XML) asks beforehand (CORS preflight). Cookies are never meant: no answer allows them.

import { preflight } from '../../http/cors.ts';
import type { HttpHeaders } from '../../http/http-message.ts';

const OPEN: ReadonlySet<string> = new Set(
  'csw dcat download fonts metadata ogc ows rastertiles records sprites stac styles tiles wcs wfs wms wmts'.split(' '),
);

/** Headers of the answer; undefined: no such question, or not such an address. */
export function openPreflight(
  path: string,
  headers: HttpHeaders,
  methods: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (!OPEN.has(path.split('/', 2)[1] ?? '')) return undefined;
  const answer = preflight('OPTIONS', headers, { allowedOrigins: undefined, methods, exposed: [] });
  return answer === undefined ? undefined : Object.fromEntries(answer.headers);
}
