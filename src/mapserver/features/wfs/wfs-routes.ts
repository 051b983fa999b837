// The Web Feature Service 2.0 at `/wfs`, by address and in XML: what there is, what it is like, and the features as GML 3.2, GeoJSON
// or CSV. Failures are exception reports.

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../../auth/caller.ts';
import { queryPairs } from '../../../http/query-pairs.ts';
import { OversizedBody, oversizedText, readTextBodies } from '../../../http/text-bodies.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { VectorLayer } from '../../../layer-ports/layer.ts';
import type { MapContext, ServiceHandler } from '../../map-context.ts';
import { makeCrsBook } from '../../query/known-crs.ts';
import { isXml, xmlRoot } from '../../xml-root.ts';
import { capabilities10 } from './capabilities-10.ts';
import { capabilities11 } from './capabilities-11.ts';
import { capabilities20 } from './capabilities-20.ts';
import { describeFeatureType } from './feature-types.ts';
import { getFeature } from './get-feature.ts';
import type { Offer } from './offer.ts';
import { offerFor, vectorPages } from './offer-pages.ts';
import { transaction } from './transaction.ts';
import type { WfsAsk, WfsHandled, WfsParts } from './wfs-ask.ts';
import { DIALECTS } from './wfs-dialect.ts';
import { storedQueryDescriptions, storedQueryList, XML } from './wfs-documents.ts';
import { type WfsError, wfsError } from './wfs-error.ts';
import { sendFailure } from './wfs-failure.ts';
import { BODY_LIMIT, parseKvp, parseXmlRequest, type WfsParams } from './wfs-request.ts';
import { versionNamed, type WfsVersion } from './wfs-version.ts';

const CAPABILITIES: Readonly<Record<WfsVersion, (offer: Offer) => AsyncIterable<string>>> = {
  '1.0.0': capabilities10,
  '1.1.0': capabilities11,
  '2.0.0': capabilities20,
};

export async function registerWfs(app: FastifyInstance, context: MapContext): Promise<ServiceHandler> {
  const parts: WfsParts = { context, book: makeCrsBook(context.db) };

  const handler: ServiceHandler = async (request, reply) => {
    const caller = await context.identify(request, reply);
    if (caller === undefined) return reply;
    reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'private, no-cache');
    const parsed = parseRequest(request, caller);
    const url = context.serviceUrl(request, '/wfs');
    const handled = parsed.ok ? await dispatch(parts, { request, reply, caller, url, params: parsed.value }) : parsed;
    if (handled.ok) return handled.value;
    return sendFailure(reply, handled.error, parsed.ok ? parsed.value.version : versionMeant(request));
  };

  await app.register(async (scope) => {
    readTextBodies(scope, BODY_LIMIT);
    scope.get('/wfs', handler);
    scope.post('/wfs', handler);
  });
  return handler;
}

/** By address, as a form, or in XML, whatever type it is said to have. */
function parseRequest({ method, query, body }: FastifyRequest, caller: Caller): Result<WfsParams, WfsError> {
  if (method === 'GET') return parseKvp(query as Fields);
  if (body instanceof OversizedBody)
    return err({ kind: 'wfs', code: 'NoApplicableCode', locator: '', said: oversizedText(body), status: 413 });
  const text = typeof body === 'string' ? body : '';
  return isXml(text) ? parseXmlRequest(text, caller.kind === 'visitor') : parseKvp(formFields(query as Fields, text));
}

type Fields = Readonly<Record<string, unknown>>;

function formFields(query: Fields, form: string): Fields {
  return { ...query, ...Object.fromEntries(queryPairs(form)) };
}

/** Of a request that could not be read. */
function versionMeant({ query, body }: FastifyRequest): WfsVersion {
  const text = body instanceof OversizedBody ? body.head : typeof body === 'string' ? body : '';
  if (isXml(text)) {
    const { version, tag } = xmlRoot(text);
    return versionNamed(version ?? (tag.includes(`"${DIALECTS['1.1.0'].wfs}"`) ? '1.1.0' : undefined));
  }
  const fields = Object.entries(formFields(query as Fields, text));
  const said = fields.find(([name]) => name.toLowerCase() === 'version')?.[1];
  return versionNamed(typeof said === 'string' ? said : undefined);
}

function dispatch(parts: WfsParts, ask: WfsAsk): Promise<WfsHandled> | WfsHandled {
  const { values } = ask.params;
  const service = values.get('service');
  if (service !== undefined && service.toUpperCase() !== 'WFS')
    return wfsError('InvalidParameterValue', 'service', 'This is a WFS.');
  const operation = values.get('request')?.toLowerCase();
  switch (operation) {
    case undefined:
      return wfsError('MissingParameterValue', 'request', 'What is asked for? The parameter request is missing.');
    case 'getcapabilities':
      return getCapabilities(parts, ask);
    case 'describefeaturetype':
      return describeFeatureType(parts, ask);
    case 'getfeature':
      return getFeature(parts, ask);
    case 'transaction':
      // By address it would be done by whoever follows a link.
      if (ask.request.method !== 'POST' || typeof ask.request.body !== 'string' || !isXml(ask.request.body))
        return wfsError('OperationNotSupported', 'request', 'A transaction is sent as XML, by POST.');
      return isSlippedIn(ask)
        ? wfsError('OperationNotSupported', 'request', 'A transaction from another site has the Content-Type text/xml.')
        : transaction(parts, ask);
    case 'lockfeature':
    case 'getfeaturewithlock':
      return wfsError(
        'OperationNotSupported',
        'request',
        'Features are not locked here. A Transaction is done as a whole or not at all.',
      );
    case 'liststoredqueries':
      return aboutStoredQueries(parts, ask, storedQueryList);
    case 'describestoredqueries':
      return aboutStoredQueries(parts, ask, storedQueryDescriptions);
    default:
      return wfsError('OperationNotSupported', 'request', `${operation.slice(0, 50)} is not known here.`);
  }
}

/**
 * A page of another site can have a browser send texts and forms with a password that it keeps, and needs nobody's leave. For XML it asks
 * beforehand (CORS).
 */
function isSlippedIn({ request: { headers }, url }: WfsAsk): boolean {
  const isForeign = headers.origin !== undefined && headers.origin !== new URL(url).origin;
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return isForeign && !/[/+]xml$/i.test(type.trim().slice(-20));
}

async function aboutStoredQueries(
  parts: WfsParts,
  ask: WfsAsk,
  write: (pages: AsyncIterable<readonly VectorLayer[]>) => AsyncIterable<string>,
): Promise<WfsHandled> {
  const pages = await vectorPages(parts.context, ask);
  return pages.ok ? ok(ask.reply.type(XML).send(Readable.from(write(pages.value)))) : pages;
}

/** What this caller sees, and may do. */
async function getCapabilities(parts: WfsParts, ask: WfsAsk): Promise<WfsHandled> {
  const { reply, url, params } = ask;
  const offer = await offerFor(parts.context, ask);
  if (!offer.ok) return offer;
  reply.header('Vary', 'Authorization, Cookie');
  return ok(reply.type(XML).send(Readable.from(CAPABILITIES[params.version]({ url, ...offer.value }))));
}
