// All OGC services behind one address, `/ows`: WMS, WFS, WCS and WMTS. `SERVICE` says which is meant, in the address, in a form or in
// XML; where it is not said, the operation does. Clients of GeoServer ask all their services at such an address.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OversizedBody, readTextBodies } from '../http/text-bodies.ts';
import { BODY_LIMIT } from './features/wfs/wfs-request.ts';
import type { MapContext, ServiceHandler } from './map-context.ts';
import { readParameters } from './wms/wms-request.ts';
import { isXml, xmlRoot } from './xml-root.ts';

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
    if (service === 'wmts' && request.method !== 'GET')
      return context.answerError(request, reply, { kind: 'method-not-allowed', method: request.method });
    return services[service](request, reply);
  };
  await app.register(async (scope) => {
    readTextBodies(scope, BODY_LIMIT);
    scope.get('/ows', handler);
    scope.post('/ows', handler);
  });
}

function serviceOf({ url, body }: FastifyRequest): Service | undefined {
  const at = url.indexOf('?');
  const asked = at < 0 ? '' : url.slice(at + 1);
  const text = typeof body === 'string' ? body : body instanceof OversizedBody ? body.head : '';
  const parameters = readParameters(text === '' || isXml(text) ? asked : `${asked}&${text}`);
  const root = isXml(text) ? xmlRoot(text) : undefined;
  const named = (parameters.get('SERVICE') ?? root?.service ?? '').toLowerCase();
  if (named === 'wms' || named === 'wfs' || named === 'wcs' || named === 'wmts') return named;
  if (named !== '') return undefined;
  return OF_OPERATION[(parameters.get('REQUEST') ?? root?.operation ?? '').toLowerCase()];
}
