// The Web Feature Service 2.0 at `/wfs`, by address and in XML: what there is, what it is like, and the features as GML 3.2, GeoJSON
// or CSV. Failures are exception reports.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../auth/caller.ts';
import { whenClientGone } from '../../../http/client-gone.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { VectorLayer } from '../../../layers/layer.ts';
import type { LayerError } from '../../../layers/layer-access.ts';
import type { DbError } from '../../../pg/driver.ts';
import { quoteIdent, quoteLiteral } from '../../../sql/index.ts';
import { columnClass, gisOf, timeLimit } from '../../layers/layer-sql.ts';
import { type MapContext, requestInfo } from '../../map-context.ts';
import { escapeXml, xmlName } from '../../xml-text.ts';
import { filterToSql } from '../cql-sql.ts';
import {
  boxCondition,
  countSql,
  type FeatureQuery,
  fromSql,
  geometryOut,
  keySql,
  propertiesOf,
  type SortKey,
  wholeLayer,
} from '../feature-query.ts';
import { parseBbox } from '../items-request.ts';
import { type CrsBook, type KnownCrs, makeCrsBook, WGS84 } from '../known-crs.ts';
import { type RowStream, streamCopy, streamRows } from '../row-stream.ts';
import { csvCopy, geojsonRows } from '../text-formats.ts';
import { isNorthFirstName, parseFes, withoutPrefix } from './fes-filter.ts';
import {
  BY_ID,
  COUNT_DEFAULT,
  capabilities,
  collectionHead,
  exceptionReport,
  FEATURE_NAMES,
  GML,
  PREFIX,
  schemaDocument,
  storedQueryDescriptions,
  storedQueryList,
  typeName,
} from './wfs-documents.ts';
import { parseKvp, parseXmlRequest, type WfsError, type WfsParams, wfsError } from './wfs-request.ts';

const XML = 'text/xml; charset=utf-8';
const BODY_LIMIT = 1_000_000;
const COUNT_MS = 30_000;
const MAX_COUNT = 1_000_000;
/** Types that capabilities list. */
const MAX_TYPES = 5000;
const MAX_DESCRIBED = 200;

type Failure = WfsError | LayerError;
type Ask = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly url: string;
  readonly params: WfsParams;
};
type Handled = Result<FastifyReply, Failure>;

export async function registerWfs(app: FastifyInstance, context: MapContext): Promise<void> {
  const book = makeCrsBook(context.db);

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    parsed: Result<WfsParams, WfsError>,
  ): Promise<FastifyReply> => {
    const caller = await context.identify(request, reply);
    if (caller === undefined) return reply;
    reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'private, no-cache');
    const url = `${context.baseUrl(request)}/wfs`;
    const handled = parsed.ok ? await dispatch({ request, reply, caller, url, params: parsed.value }) : parsed;
    return handled.ok ? handled.value : fail(reply, handled.error);
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

  function dispatch(ask: Ask): Promise<Handled> | Handled {
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
        return getCapabilities(ask);
      case 'describefeaturetype':
        return describeFeatureType(ask);
      case 'getfeature':
        return getFeature(ask);
      case 'liststoredqueries':
        return ok(ask.reply.type(XML).send(storedQueryList()));
      case 'describestoredqueries':
        return ok(ask.reply.type(XML).send(storedQueryDescriptions()));
      default:
        return wfsError('OperationNotSupported', 'request', `${operation.slice(0, 50)} is not known here.`);
    }
  }

  async function getCapabilities({ request, reply, caller, url, params }: Ask): Promise<Handled> {
    const accepted = params.values.get('acceptversions');
    if (accepted !== undefined && accepted !== '' && !accepted.split(',').some((one) => one.trim().startsWith('2.0')))
      return wfsError('InvalidParameterValue', 'acceptVersions', 'The version spoken here is 2.0.0.');
    const found = await context.layers.list(caller, requestInfo(request), { limit: MAX_TYPES, offset: 0 });
    if (!found.ok) return found;
    const layers = found.value.layers.filter((layer) => layer.kind === 'vector');
    return ok(reply.type(XML).send(capabilities(url, layers)));
  }

  async function describeFeatureType({ request, reply, caller, params }: Ask): Promise<Handled> {
    const names = namesIn(params);
    if (names.length > MAX_DESCRIBED)
      return wfsError('InvalidParameterValue', 'typeNames', 'Those are too many types.');
    const layers: VectorLayer[] = [];
    if (names.length === 0) {
      const found = await context.layers.list(caller, requestInfo(request), { limit: MAX_DESCRIBED, offset: 0 });
      if (!found.ok) return found;
      layers.push(...found.value.layers.filter((layer) => layer.kind === 'vector'));
    }
    for (const name of names) {
      const layer = await findType(request, caller, name);
      if (!layer.ok) return layer;
      layers.push(layer.value);
    }
    return ok(reply.type(GML).send(Buffer.from(schemaDocument(layers))));
  }

  async function findType(
    request: FastifyRequest,
    caller: Caller,
    name: string,
  ): Promise<Result<VectorLayer, Failure>> {
    const plain = withoutPrefix(name);
    const info = requestInfo(request);
    let found = await context.layers.find(caller, info, plain);
    const number = /^layer_(\d{1,9})$/.exec(plain)?.[1];
    if (!found.ok && found.error.kind === 'no-such-layer' && number !== undefined)
      found = await context.layers.find(caller, info, number);
    if (!found.ok)
      return found.error.kind === 'database'
        ? found
        : wfsError('InvalidParameterValue', 'typeNames', `There is no type ${name.slice(0, 100)}.`);
    return found.value.kind === 'vector'
      ? ok(found.value)
      : wfsError('InvalidParameterValue', 'typeNames', `There is no type ${name.slice(0, 100)}.`);
  }

  async function getFeature(ask: Ask): Promise<Handled> {
    const { request, reply, caller, params } = ask;
    const { values } = params;
    const stored = values.get('storedquery_id') ?? values.get('storedqueryid');
    if (
      stored !== undefined &&
      stored !== BY_ID &&
      stored !== 'http://www.opengis.net/def/query/OGC-WFS/0/GetFeatureById'
    )
      return wfsError('InvalidParameterValue', 'storedquery_id', 'There is no such stored query.');
    const ids = (stored === undefined ? (values.get('resourceid') ?? values.get('featureid')) : values.get('id'))
      ?.split(',')
      .filter(Boolean);
    if (stored !== undefined && ids?.length !== 1)
      return wfsError('MissingParameterValue', 'id', 'The id of the feature is missing.');
    const names = namesIn(params);
    const [name = ids?.[0]?.replace(/\.[^.]*$/, '')] = names;
    if (names.length > 1) return wfsError('OptionNotSupported', 'typeNames', 'One type at a time is answered here.');
    if (name === undefined)
      return wfsError('MissingParameterValue', 'typeNames', 'The type of the features is missing.');
    const layer = await findType(request, caller, name);
    if (!layer.ok)
      return stored !== undefined && layer.error.kind === 'wfs'
        ? wfsError('NotFound', 'id', 'There is no such feature.')
        : layer;
    const query = await toQuery(params, layer.value, ids ?? [], book);
    if (!query.ok) return query;
    const format = outputFormat(values.get('outputformat'));
    if (format === undefined)
      return wfsError(
        'InvalidParameterValue',
        'outputFormat',
        'The formats are GML 3.2, application/json and text/csv.',
      );
    const info = requestInfo(request);
    const signal = whenClientGone(reply.raw);
    const vary = (): FastifyReply => reply.header('Vary', 'Authorization, Cookie');
    if (format === 'csv') {
      const csv = await streamCopy(context.db, caller, info, csvCopy(query.value), signal);
      return csv.ok ? ok(vary().type('text/csv; charset=utf-8').send(csv.value)) : failure(csv.error);
    }
    if (format === 'json') {
      const asked = values.get('srsname');
      // Positions in GeoJSON come east first, whatever the system is; and it is that of all the world unless one is asked for.
      const crs = asked === undefined ? WGS84 : { ...query.value.crs, isNorthFirst: false };
      const json = await streamRows(context.db, caller, info, geojsonRows({ ...query.value, crs }), signal);
      return json.ok ? ok(vary().type('application/json').send(json.value)) : failure(json.error);
    }
    const counted = await context.db.read(caller, info, [
      timeLimit(COUNT_MS),
      { text: countSql(query.value), params: [] },
    ]);
    if (!counted.ok) return failure(counted.error);
    const matched = Number(counted.value[1]?.rows[0]?.[0]?.toString() ?? 0);
    if (stored !== undefined) {
      if (matched === 0) return wfsError('NotFound', 'id', 'There is no such feature.');
      const one = await streamRows(context.db, caller, info, gmlRows(query.value, 'alone'), signal);
      return one.ok ? ok(vary().type(GML).send(one.value)) : failure(one.error);
    }
    return getCollection(ask, query.value, matched);
  }

  async function getCollection(
    { request, reply, caller, url, params }: Ask,
    query: FeatureQuery,
    matched: number,
  ): Promise<Handled> {
    const isHits = params.values.get('resulttype')?.toLowerCase() === 'hits';
    const { offset, limit = COUNT_DEFAULT } = query;
    const returned = isHits ? 0 : Math.min(limit, Math.max(0, matched - offset));
    const next = new URLSearchParams();
    for (const [name, value] of params.values)
      if (name !== 'startindex' && name !== 'count' && name !== 'maxfeatures') next.set(name, value);
    next.set('startindex', String(offset + limit));
    next.set('count', String(limit));
    const head = collectionHead(url, typeName(query.layer), {
      matched,
      returned,
      timeStamp: new Date(context.now()).toISOString(),
      next: !isHits && request.method === 'GET' && offset + limit < matched ? `${url}?${next}` : undefined,
    });
    const tail = '</wfs:FeatureCollection>\n';
    if (returned === 0) return ok(reply.type(GML).send(Buffer.from(head + tail)));
    const rows = { ...gmlRows(query, 'member'), head, tail: () => tail };
    const streamed = await streamRows(context.db, caller, requestInfo(request), rows, whenClientGone(reply.raw));
    return streamed.ok ? ok(reply.type(GML).send(streamed.value)) : failure(streamed.error);
  }
}

/** A feature per row. */
function gmlRows(query: FeatureQuery, place: 'member' | 'alone'): RowStream {
  const { layer, columns, crs } = query;
  const type = typeName(layer);
  const gis = gisOf(layer);
  const digits = crs.srid === 4326 ? 9 : 4;
  const id = (suffix: string): string => `${quoteLiteral(`${type}.`).trim()} || ${keySql(layer)} || '${suffix}'`;
  const cells = [
    keySql(layer),
    // 1: the long name of the system; 4: LineString, which clients know better than Curve.
    `${gis('st_asgml')}(3, ${geometryOut(query)}, ${digits}, 5, 'gml', ${id('.geom')})`,
    ...columns.map(({ name, type: kind }) => {
      const column = `f.${quoteIdent(name)}`;
      return columnClass(kind) === 'time' ? `to_json(${column})#>>'{}'` : column;
    }),
  ];
  const names = columns.map(({ name }) => `${PREFIX}:${xmlName(name)}`);
  const geometry = `${PREFIX}:${xmlName(layer.geometry.column)}`;
  const [before, after] = place === 'member' ? ['<wfs:member>', '</wfs:member>\n'] : ['', '\n'];
  const spaces = place === 'member' ? '' : ` ${FEATURE_NAMES}`;
  return {
    select: `select ${cells.map((cell) => `(${cell})::text`).join(', ')} ${fromSql(query)}`,
    head: place === 'member' ? '' : '<?xml version="1.0" encoding="UTF-8"?>\n',
    row: ([key, shape, ...values]) => {
      let body = '';
      for (const [i, value] of values.entries()) {
        if (value !== null) body += `<${names[i]}>${escapeXml(value.toString())}</${names[i]}>`;
      }
      if (shape !== null && shape !== undefined) body += `<${geometry}>${shape.toString()}</${geometry}>`;
      return Buffer.from(
        `${before}<${PREFIX}:${type}${spaces} gml:id="${escapeXml(`${type}.${key?.toString() ?? ''}`)}">${body}</${PREFIX}:${type}>${after}`,
      );
    },
    tail: () => '',
  };
}

function namesIn({ values }: WfsParams): string[] {
  const text = values.get('typenames') ?? values.get('typename') ?? '';
  return text
    .replace(/[()]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function outputFormat(text: string | undefined): 'gml' | 'json' | 'csv' | undefined {
  const format = (text ?? 'gml').toLowerCase().replace(/[\s"]/g, '');
  if (
    /^(?:gml|gml3|gml32|application\/gml\+xml(?:;version=3\.2(?:\.1)?)?|text\/xml(?:;subtype=gml\/3\.2(?:\.1)?)?)$/.test(
      format,
    )
  )
    return 'gml';
  if (/^(?:json|geojson|application\/(?:geo\+)?json|application\/vnd\.geo\+json)$/.test(format)) return 'json';
  return /^(?:csv|text\/csv)$/.test(format) ? 'csv' : undefined;
}

async function toQuery(
  { values, filter: written }: WfsParams,
  layer: VectorLayer,
  ids: readonly string[],
  book: CrsBook,
): Promise<Result<FeatureQuery, Failure>> {
  const number = (...names: string[]): number | undefined => {
    const text = names.map((name) => values.get(name)).find((value) => value !== undefined);
    return text === undefined ? undefined : /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  };
  const count = number('count', 'maxfeatures') ?? COUNT_DEFAULT;
  const start = number('startindex') ?? 0;
  if (Number.isNaN(count)) return wfsError('InvalidParameterValue', 'count', 'count is a whole number.');
  if (Number.isNaN(start)) return wfsError('InvalidParameterValue', 'startIndex', 'startIndex is a whole number.');
  const crs = await crsOf(book, layer, values.get('srsname'), 'srsName');
  if (!crs.ok) return crs;
  const conditions: string[] = [];
  const box = values.get('bbox');
  if (box !== undefined && written !== undefined)
    return wfsError('InvalidParameterValue', 'bbox', 'bbox and filter exclude each other.');
  if (box !== undefined) {
    const parts = box.split(',');
    const named = /^\s*[A-Za-z[]/.test(parts.at(-1) ?? '') ? parts.pop()?.trim() : undefined;
    const bounds = parseBbox(parts.join(','));
    if (bounds === undefined)
      return wfsError('InvalidParameterValue', 'bbox', 'bbox is four numbers, lower before upper.');
    const boxCrs = await crsOf(book, layer, named, 'bbox');
    if (!boxCrs.ok) return boxCrs;
    conditions.push(boxCondition(layer, bounds, boxCrs.value));
  }
  let wanted = ids;
  if (written !== undefined) {
    const parsed = parseFes(written, layer.geometry.column);
    if (!parsed.ok) return wfsError('InvalidParameterValue', 'filter', `filter: ${parsed.error.said}.`);
    const filterCrs = await crsOf(book, layer, parsed.value.crs, 'filter');
    if (!filterCrs.ok) return filterCrs;
    wanted = [...ids, ...parsed.value.ids];
    if (parsed.value.filter !== undefined) {
      const sql = filterToSql(parsed.value.filter, layer, filterCrs.value);
      if (!sql.ok) return wfsError('InvalidParameterValue', 'filter', `filter: ${sql.error.said}.`);
      conditions.push(sql.value);
    }
  }
  if (wanted.length > 10_000) return wfsError('InvalidParameterValue', 'resourceId', 'Those are too many ids.');
  if (wanted.length > 0) conditions.push(idCondition(layer, wanted));
  const names =
    values
      .get('propertyname')
      ?.split(',')
      .map(withoutPrefix)
      .filter((name) => name !== '' && name !== '*') ?? [];
  const columns = propertiesOf(layer).filter(
    ({ name }) => names.length === 0 || names.includes(name) || names.includes(xmlName(name)),
  );
  const order = sorting(values.get('sortby'), layer);
  if (!order.ok) return order;
  return ok({
    ...wholeLayer(layer, crs.value),
    columns,
    conditions,
    order: order.value,
    limit: Math.min(count, MAX_COUNT),
    offset: start,
  });
}

/** `places.5` → the feature with the key 5; ids of other types are those of no feature here. */
function idCondition(layer: VectorLayer, ids: readonly string[]): string {
  const prefixes = [`${typeName(layer)}.`, `${layer.name}.`];
  const keys = ids.flatMap((id) => {
    const prefix = prefixes.find((one) => id.startsWith(one));
    return prefix === undefined || id.includes('\0') ? [] : [id.slice(prefix.length)];
  });
  if (keys.length === 0) return 'false';
  return `${keySql(layer)}::text in (${keys.map((key) => quoteLiteral(key).trim()).join(', ')})`;
}

function sorting(text: string | undefined, layer: VectorLayer): Result<readonly SortKey[], WfsError> {
  const keys: SortKey[] = [];
  for (const part of text === undefined || text === '' ? [] : text.split(',')) {
    const [path = '', direction = 'ASC'] = part.trim().split(/\s+/);
    const name = withoutPrefix(path);
    const column = layer.columns.find((one) => one.name === name || xmlName(one.name) === name);
    if (column === undefined || keys.length > 20)
      return wfsError('InvalidParameterValue', 'sortBy', `There is no property ${name.slice(0, 100)} to sort by.`);
    keys.push({ column: column.name, isDown: /^(?:d|desc|descending)$/i.test(direction) });
  }
  return ok(keys);
}

async function crsOf(
  book: CrsBook,
  layer: VectorLayer,
  name: string | undefined,
  locator: string,
): Promise<Result<KnownCrs, Failure>> {
  const crs = await book.of(layer, name === undefined || name === '' ? `urn:ogc:def:crs:EPSG::${layer.srid}` : name);
  if (crs.ok) return ok({ ...crs.value, isNorthFirst: isNorthFirstName(name ?? '', crs.value.isNorthFirst) });
  return crs.error.kind === 'database'
    ? err(crs.error)
    : wfsError('InvalidParameterValue', locator, `This type is not offered in ${(name ?? '').slice(0, 100)}.`);
}

/** A value that the column cannot be is the mistake of who sent it. */
function failure(error: DbError): Result<never, Failure> {
  if (error.kind === 'sql' && /^(?:22|42883|42804|42725|XX000)/.test(error.sqlstate))
    return wfsError('InvalidParameterValue', 'filter', `A value does not fit: ${error.message.slice(0, 200)}`);
  return err({ kind: 'database', error });
}

function fail(reply: FastifyReply, error: Failure): FastifyReply {
  reply.header('Cache-Control', 'no-store').type(XML);
  switch (error.kind) {
    case 'wfs': {
      const status = error.code === 'NotFound' ? 404 : error.code === 'OperationNotSupported' ? 501 : 400;
      return reply.code(status).send(exceptionReport(error.code, error.locator, error.said));
    }
    case 'no-such-layer':
      return reply.code(400).send(exceptionReport('InvalidParameterValue', 'typeNames', 'There is no such type.'));
    case 'database': {
      const isRefused = error.error.kind === 'sql' && error.error.sqlstate === '42501';
      return isRefused
        ? reply.code(403).send(exceptionReport('NoApplicableCode', '', 'This is not allowed.'))
        : reply
            .code(503)
            .header('Retry-After', '1')
            .send(exceptionReport('NoApplicableCode', '', 'The database does not answer in time.'));
    }
  }
}
