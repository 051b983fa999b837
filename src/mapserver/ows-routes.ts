// All OGC services behind one address, `/ows`: WMS, WFS, WCS and WMTS. `SERVICE` says which is meant, in the address, in a form or in
// XML; where it is not said, the operation does. Clients of GeoServer ask all their services at such an address.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BODY_LIMIT } from './features/wfs/wfs-request.ts';
import type { MapContext, ServiceHandler } from './map-context.ts';
import { readParameters } from './wms/wms-request.ts';

type Service = 'wms' | 'wfs' | 'wcs' | 'wmts';

/** Operations that one service alone has, in lower case. */
const OF_OPERATION: Readonly<Record<string, Service>> = {
  getmap: 'wms',
  getfeatureinfo: 'wms',
  getlegendgraphic: 'wms',
  getfeature: 'wfs',
  describefeaturetype: 'wfs',
  transaction: 'wfs',
  liststoredqueries: 'wfs',
  describestoredqueries: 'wfs',
  getcoverage: 'wcs',
  describecoverage: 'wcs',
  gettile: 'wmts',
};

export async function registerOws(
  app: FastifyInstance,
  context: MapContext,
  services: Readonly<Record<Service, ServiceHandler>>,
): Promise<void> {
  const handler: ServiceHandler = async (request, reply) => {
    const service = serviceOf(request);
    if (service === undefined)
      return context.answerError(request, reply, {
        kind: 'bad-request',
        detail: 'Which service? SERVICE is WMS, WFS, WCS or WMTS.',
      });
    if (service === 'wfs') asWfsReadsIt(request);
    if (service === 'wmts' && request.method !== 'GET')
      return context.answerError(request, reply, { kind: 'method-not-allowed', method: request.method });
    return services[service](request, reply);
  };
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    scope.get('/ows', handler);
    scope.post('/ows', { bodyLimit: BODY_LIMIT }, handler);
  });
}

/** XML stays the text that it is; a form becomes its fields. */
function asWfsReadsIt(request: FastifyRequest): void {
  if (typeof request.body !== 'string' || isXml(request.body)) return;
  request.body = { ...(request.query as object), ...Object.fromEntries(new URLSearchParams(request.body)) };
}

function isXml(body: string): boolean {
  return /^\s{0,100}</.test(body);
}

function serviceOf({ url, body }: FastifyRequest): Service | undefined {
  const at = url.indexOf('?');
  const asked = at < 0 ? '' : url.slice(at + 1);
  const text = typeof body === 'string' ? body : '';
  const parameters = readParameters(text === '' || isXml(text) ? asked : `${asked}&${text}`);
  const root = isXml(text) ? rootOf(text) : undefined;
  const named = (parameters.get('SERVICE') ?? root?.service ?? '').toLowerCase();
  if (named === 'wms' || named === 'wfs' || named === 'wcs' || named === 'wmts') return named;
  if (named !== '') return undefined;
  return OF_OPERATION[(parameters.get('REQUEST') ?? root?.operation ?? '').toLowerCase()];
}

/** A request in XML says in its first element what it asks of whom. Longer heads than this nobody writes. */
const HEAD = 4000;

function rootOf(body: string): { readonly operation: string; readonly service: string | undefined } {
  const head = body.slice(0, HEAD).replaceAll(/<\?[^>]{0,500}>|<!--[^>]{0,1000}-->/g, '');
  const tag = head.slice(head.indexOf('<') + 1).split('>', 1)[0] ?? '';
  const name = tag.split(/\s/, 1)[0] ?? '';
  const service = /\sservice\s{0,9}=\s{0,9}["'](\w{1,10})["']/.exec(tag)?.[1];
  return { operation: name.slice(name.indexOf(':') + 1).replace(/\/$/, ''), service };
}
