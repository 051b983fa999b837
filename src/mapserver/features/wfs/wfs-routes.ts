// The Web Feature Service 2.0 at `/wfs`, by address and in XML: what there is, what it is like, and the features as GML 3.2, GeoJSON
// or CSV. Failures are exception reports.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ok, type Result } from '../../../kernel/result.ts';
import { type MapContext, requestInfo } from '../../map-context.ts';
import { makeCrsBook } from '../../query/known-crs.ts';
import { describeFeatureType } from './feature-types.ts';
import { getFeature } from './get-feature.ts';
import type { WfsAsk, WfsHandled, WfsParts } from './wfs-ask.ts';
import { capabilities, storedQueryDescriptions, storedQueryList, XML } from './wfs-documents.ts';
import { sendFailure } from './wfs-failure.ts';
import { parseKvp, parseXmlRequest, type WfsError, type WfsParams, wfsError } from './wfs-request.ts';

const BODY_LIMIT = 1_000_000;
/** Types that capabilities list. */
const MAX_TYPES = 5000;

export async function registerWfs(app: FastifyInstance, context: MapContext): Promise<void> {
  const parts: WfsParts = { context, book: makeCrsBook(context.db) };

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    parsed: Result<WfsParams, WfsError>,
  ): Promise<FastifyReply> => {
    const caller = await context.identify(request, reply);
    if (caller === undefined) return reply;
    reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'private, no-cache');
    const url = `${context.baseUrl(request)}/wfs`;
    const handled = parsed.ok ? await dispatch(parts, { request, reply, caller, url, params: parsed.value }) : parsed;
    return handled.ok ? handled.value : sendFailure(reply, handled.error);
  };

  await app.register(async (scope) => {
    for (const type of ['application/xml', 'text/xml']) {
      scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) => {
        done(null, String(body));
      });
    }
    scope.get('/wfs', (request, reply) => answer(request, reply, parseKvp(request.query as Record<string, unknown>)));
    scope.post('/wfs', { bodyLimit: BODY_LIMIT }, (request, reply) => {
      const { body } = request;
      const parsed =
        typeof body === 'string' ? parseXmlRequest(body) : parseKvp((body ?? {}) as Record<string, unknown>);
      return answer(request, reply, parsed);
    });
  });
}

function dispatch(parts: WfsParts, ask: WfsAsk): Promise<WfsHandled> | WfsHandled {
  const { values } = ask.params;
  const service = values.get('service');
  if (service !== undefined && service.toUpperCase() !== 'WFS')
    return wfsError('InvalidParameterValue', 'service', 'This is a WFS.');
  const operation = values.get('request')?.toLowerCase();
  const version = values.get('version');
  if (operation !== 'getcapabilities' && version !== undefined && version !== '' && !version.startsWith('2.0'))
    return wfsError('InvalidParameterValue', 'version', 'The version spoken here is 2.0.0.');
  switch (operation) {
    case undefined:
      return wfsError('MissingParameterValue', 'request', 'What is asked for? The parameter request is missing.');
    case 'getcapabilities':
      return getCapabilities(parts, ask);
    case 'describefeaturetype':
      return describeFeatureType(parts, ask);
    case 'getfeature':
      return getFeature(parts, ask);
    case 'liststoredqueries':
      return ok(ask.reply.type(XML).send(storedQueryList()));
    case 'describestoredqueries':
      return ok(ask.reply.type(XML).send(storedQueryDescriptions()));
    default:
      return wfsError('OperationNotSupported', 'request', `${operation.slice(0, 50)} is not known here.`);
  }
}

async function getCapabilities(
  { context }: WfsParts,
  { request, reply, caller, url, params }: WfsAsk,
): Promise<WfsHandled> {
  const accepted = params.values.get('acceptversions');
  if (accepted !== undefined && accepted !== '' && !accepted.split(',').some((one) => one.trim().startsWith('2.0')))
    return wfsError('InvalidParameterValue', 'acceptVersions', 'The version spoken here is 2.0.0.');
  const found = await context.layers.list(caller, requestInfo(request), { limit: MAX_TYPES, offset: 0 });
  if (!found.ok) return found;
  const layers = found.value.layers.filter((layer) => layer.kind === 'vector');
  return ok(reply.type(XML).send(capabilities(url, layers)));
}
