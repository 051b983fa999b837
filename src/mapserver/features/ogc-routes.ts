// OGC API Features and OGC API Tiles under `/ogc`: each route finds the layer for the caller, asks the database as the caller, and
// writes the answer.

import { createHash } from 'node:crypto';
import { createGzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { CRS84 } from '../../geo/crs.ts';
import { parseTileAddress } from '../../geo/tile.ts';
import { whenClientGone } from '../../http/client-gone.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layers/layer.ts';
import type { DbError, StatementResult } from '../../pg/driver.ts';
import { quoteLiteral } from '../../sql/index.ts';
import { columnClass, timeLimit } from '../layers/layer-sql.ts';
import { layerFailure, type MapContext, type MapFailure, requestInfo } from '../map-context.ts';
import { answerTile } from '../tiles/tile-routes.ts';
import type { TileService } from '../tiles/tile-service.ts';
import { filterToSql } from './cql-sql.ts';
import { deleteStatement, insertStatement, parseFeature, replaceStatement, updateStatement } from './edit-features.ts';
import {
  boxCondition,
  countSql,
  FEW,
  type FeatureQuery,
  featureJson,
  fromSql,
  keySql,
  propertiesOf,
  timeCondition,
  wholeLayer,
} from './feature-query.ts';
import { type ItemsRequest, parseItemsRequest, type Query } from './items-request.ts';
import { type CrsBook, type KnownCrs, makeCrsBook, WGS84 } from './known-crs.ts';
import {
  CONFORMANCE,
  collectionDocument,
  collectionUrl,
  featureSchema,
  GEOJSON,
  GRID,
  gridDocument,
  gridList,
  HTML,
  JSON_TYPE,
  type Link,
  landingPage,
  OPENAPI,
  queryables,
  SCHEMA,
  tilesetDocument,
  tilesetList,
} from './ogc-documents.ts';
import {
  apiHtml,
  collectionHtml,
  collectionsHtml,
  conformanceHtml,
  HTML_HEADERS,
  itemHtml,
  itemsHtml,
  landingHtml,
  type ShownFeature,
} from './ogc-html.ts';
import { openApiDocument } from './ogc-openapi.ts';
import { streamRows } from './row-stream.ts';

const VERSION = '1.0.0';
const BODY_LIMIT = 16 * 1024 * 1024;
const COUNT_MS = 20_000;
/** Of more features the number is not counted: it would take longer than to send them. */
const MAX_COUNTED = 200_000;
const HTML_LIMIT = 50;
const COLLECTIONS_LIMIT = 100;
const MAX_COLLECTIONS = 1000;

type Format = 'json' | 'html';
type Ask = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly root: string;
  readonly format: Format;
};
type Handled = Result<FastifyReply, MapFailure>;
type LayerParams = { readonly layer: string };

export async function registerOgcApi(app: FastifyInstance, context: MapContext, tiles: TileService): Promise<void> {
  const book = makeCrsBook(context.db);

  const route =
    (handle: (ask: Ask) => Promise<Handled> | Handled, known: readonly string[] | 'any' = ['f']) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const caller = await context.identify(request, reply);
      if (caller === undefined) return reply;
      const fail = (error: MapFailure): FastifyReply => context.answerError(request, reply, error, caller);
      reply
        .header('Access-Control-Allow-Origin', '*')
        .header('Access-Control-Expose-Headers', 'Content-Crs, ETag, Link, Location')
        .header('Cache-Control', 'private, no-cache');
      const query = request.query as Query;
      const strange = known === 'any' ? undefined : Object.keys(query).find((name) => !known.includes(name));
      if (strange !== undefined)
        return fail({ kind: 'bad-request', detail: `The parameter "${strange.slice(0, 100)}" is not known here.` });
      const format = formatOf(request);
      if (!format.ok) return fail(format.error);
      const root = `${context.baseUrl(request)}/ogc`;
      const handled = await handle({ request, reply, caller, root, format: format.value });
      return handled.ok ? handled.value : fail(handled.error);
    };

  const withLayer =
    (handle: (ask: Ask, layer: VectorLayer) => Promise<Handled> | Handled) =>
    async (ask: Ask): Promise<Handled> => {
      const { layer } = ask.request.params as LayerParams;
      const found = await context.layers.find(ask.caller, requestInfo(ask.request), layer);
      if (!found.ok) return err(layerFailure(found.error));
      return found.value.kind === 'vector' ? handle(ask, found.value) : err({ kind: 'not-found' });
    };

  await app.register(async (scope) => {
    for (const type of ['application/geo+json', 'application/merge-patch+json']) {
      scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) => {
        done(null, parseBody(String(body)));
      });
    }

    scope.get(
      '/ogc',
      route(({ reply, root, format }) => {
        const page = landingPage(root);
        return ok(format === 'html' ? html(reply, landingHtml(root, page)) : json(reply, page));
      }),
    );
    scope.get(
      '/ogc/conformance',
      route(({ reply, root, format }) =>
        ok(format === 'html' ? html(reply, conformanceHtml(root)) : json(reply, { conformsTo: CONFORMANCE })),
      ),
    );
    scope.get(
      '/ogc/api',
      route(({ reply, root, format }) => {
        const document = openApiDocument(root, VERSION);
        return ok(format === 'html' ? html(reply, apiHtml(root, document)) : json(reply, document, OPENAPI));
      }),
    );
    scope.get('/ogc/collections', route(listCollections, ['f', 'limit', 'offset']));
    scope.get(
      '/ogc/collections/:layer',
      route(
        withLayer(({ reply, root, format }, layer) => {
          const document = collectionDocument(layer, root);
          return ok(format === 'html' ? html(reply, collectionHtml(root, layer, document)) : json(reply, document));
        }),
      ),
    );
    scope.get(
      '/ogc/collections/:layer/queryables',
      route(withLayer(({ reply, root }, layer) => ok(json(reply, queryables(layer, root), SCHEMA)))),
    );
    scope.get(
      '/ogc/collections/:layer/schema',
      route(withLayer(({ reply, root }, layer) => ok(json(reply, featureSchema(layer, root), SCHEMA)))),
    );
    scope.get('/ogc/collections/:layer/items', route(withLayer(listItems), 'any'));
    scope.get('/ogc/collections/:layer/items/:id', route(withLayer(oneItem), ['f', 'crs']));

    scope.post('/ogc/collections/:layer/items', { bodyLimit: BODY_LIMIT }, route(withLayer(createItem)));
    scope.put('/ogc/collections/:layer/items/:id', { bodyLimit: BODY_LIMIT }, route(withLayer(changeItem)));
    scope.patch('/ogc/collections/:layer/items/:id', { bodyLimit: BODY_LIMIT }, route(withLayer(changeItem)));
    scope.delete('/ogc/collections/:layer/items/:id', route(withLayer(deleteItem)));

    scope.get(
      '/ogc/tileMatrixSets',
      route(({ reply, root }) => ok(json(reply, gridList(root)))),
    );
    scope.get(
      '/ogc/tileMatrixSets/:grid',
      route(({ request, reply }) => (isGrid(request) ? ok(json(reply, gridDocument())) : err({ kind: 'not-found' }))),
    );
    scope.get(
      '/ogc/collections/:layer/tiles',
      route(withLayer(({ reply, root }, layer) => ok(json(reply, tilesetList(layer, root))))),
    );
    scope.get(
      '/ogc/collections/:layer/tiles/:grid',
      route(
        withLayer(({ request, reply, root }, layer) =>
          isGrid(request) ? ok(json(reply, tilesetDocument(layer, root))) : err({ kind: 'not-found' }),
        ),
      ),
    );
    scope.get('/ogc/collections/:layer/tiles/:grid/:z/:row/:column', oneTile);
  });

  async function oneTile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await context.identify(request, reply);
    if (caller === undefined) return reply;
    const { layer, z, row, column } = request.params as Record<'layer' | 'z' | 'row' | 'column', string>;
    const { f = 'mvt' } = request.query as { readonly f?: unknown };
    if (!isGrid(request) || layer.includes(','))
      return context.answerError(request, reply, { kind: 'not-found' }, caller);
    if (f !== 'mvt') return context.answerError(request, reply, { kind: 'bad-request', detail: 'f is mvt.' }, caller);
    const tile = parseTileAddress(z, column, row);
    if (!tile.ok) return context.answerError(request, reply, { kind: 'bad-request', detail: tile.error.said }, caller);
    return answerTile(context, tiles, request, reply, caller, layer, tile.value);
  }

  async function listCollections({ request, reply, caller, root, format }: Ask): Promise<Handled> {
    const query = request.query as Readonly<Record<string, string>>;
    const [limit, offset] = [query['limit'] ?? String(COLLECTIONS_LIMIT), query['offset'] ?? '0'];
    if (!/^[1-9]\d{0,8}$/.test(limit) || !/^\d{1,9}$/.test(offset))
      return err({ kind: 'bad-request', detail: 'limit and offset are whole numbers.' });
    const page = { limit: Math.min(Number(limit), MAX_COLLECTIONS), offset: Number(offset) };
    const found = await context.layers.list(caller, requestInfo(request), page);
    if (!found.ok) return err(layerFailure(found.error));
    const { total } = found.value;
    const layers = found.value.layers.filter((layer) => layer.kind === 'vector');
    const link = (rel: string, start: number, title: string): Link => ({
      href: `${root}/collections?limit=${page.limit}&offset=${start}${format === 'html' ? '&f=html' : ''}`,
      rel,
      type: format === 'html' ? HTML : JSON_TYPE,
      title,
    });
    const links: Link[] = [
      { href: `${root}/collections`, rel: 'self', type: JSON_TYPE, title: 'This document' },
      { href: `${root}/collections?f=html`, rel: 'alternate', type: HTML, title: 'This document as a page' },
      ...(page.offset + page.limit < total ? [link('next', page.offset + page.limit, 'Further layers')] : []),
      ...(page.offset > 0 ? [link('prev', Math.max(0, page.offset - page.limit), 'Layers before these')] : []),
    ];
    if (format === 'html') return ok(html(reply, collectionsHtml(root, layers, links)));
    return ok(
      json(reply, {
        links,
        numberMatched: total,
        numberReturned: layers.length,
        collections: layers.map((layer) => collectionDocument(layer, root)),
      }),
    );
  }

  async function listItems(ask: Ask, layer: VectorLayer): Promise<Handled> {
    const { request, reply, caller, root, format } = ask;
    const asked = parseItemsRequest(request.query as Query, layer, format === 'html' ? HTML_LIMIT : undefined);
    if (!asked.ok) return asked;
    const query = await toQuery(asked.value, layer, book);
    if (!query.ok) return query;
    const info = requestInfo(request);
    const url = collectionUrl(root, layer);
    reply.header('Content-Crs', `<${query.value.crs.uri}>`);
    if (format === 'html') return pageOfItems(ask, layer, query.value);

    let matched: number | undefined;
    if (layer.estimatedRows <= MAX_COUNTED) {
      const counted = await context.db.read(caller, info, [
        timeLimit(COUNT_MS),
        { text: countSql(query.value), params: [] },
      ]);
      if (!counted.ok) return err(queryFailure(counted.error));
      matched = Number(counted.value[1]?.rows[0]?.[0]?.toString());
    }
    const { limit = 0, order, offset, after } = query.value;
    // What fits on one page needs no order to find the next one by.
    const isAnyOrder =
      matched !== undefined &&
      matched > FEW &&
      matched <= limit &&
      order.length === 0 &&
      offset === 0 &&
      after === undefined;
    let returned = 0;
    let hasMore = false;
    let last = '';
    const comma = Buffer.from(',\n');
    const links = (): readonly Link[] => [
      { href: `${url}/items${searchOf(request, {})}`, rel: 'self', type: GEOJSON, title: 'This document' },
      {
        href: `${url}/items${searchOf(request, { f: 'html' })}`,
        rel: 'alternate',
        type: HTML,
        title: 'This document as a page',
      },
      { href: url, rel: 'collection', type: JSON_TYPE, title: 'The layer' },
      ...(hasMore
        ? [
            {
              href: `${url}/items${searchOf(request, nextPage(query.value, last))}`,
              rel: 'next',
              type: GEOJSON,
              title: 'The next page',
            },
          ]
        : []),
    ];
    const streamed = await streamRows(
      context.db,
      caller,
      info,
      {
        select: `select ${keySql(layer)}::text, ${featureJson(query.value)} ${fromSql({ ...query.value, isAnyOrder }, 1)}`,
        head: '{"type":"FeatureCollection","features":[\n',
        row([key, feature]) {
          if (returned >= limit && !isAnyOrder) {
            hasMore = true;
            return undefined;
          }
          returned += 1;
          if (returned === limit) last = key?.toString() ?? '';
          const bytes = feature ?? Buffer.from('null');
          return returned === 1 ? bytes : [comma, bytes];
        },
        tail: () =>
          `\n],"numberReturned":${returned}${matched === undefined ? '' : `,"numberMatched":${matched}`},"timeStamp":"${new Date(context.now()).toISOString()}","links":${JSON.stringify(links())}}\n`,
      },
      whenClientGone(reply.raw),
    );
    if (!streamed.ok) return err(queryFailure(streamed.error));
    reply.type(GEOJSON).header('Vary', 'Accept-Encoding, Authorization, Cookie');
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return ok(reply.send(streamed.value));
    const gzip = createGzip({ level: 3 });
    streamed.value.on('error', (error) => gzip.destroy(error));
    gzip.on('close', () => streamed.value.destroy());
    return ok(reply.header('Content-Encoding', 'gzip').send(streamed.value.pipe(gzip)));
  }

  async function pageOfItems(
    { request, reply, caller, root }: Ask,
    layer: VectorLayer,
    whole: FeatureQuery,
  ): Promise<Handled> {
    const query = { ...whole, limit: Math.min(whole.limit ?? HTML_LIMIT, 1000) };
    const flown = await context.db.read(caller, requestInfo(request), [
      timeLimit(COUNT_MS),
      { text: `select ${featureJson(query)} ${fromSql(query, 1)}`, params: [] },
    ]);
    if (!flown.ok) return err(queryFailure(flown.error));
    const features = (flown.value[1]?.rows ?? []).map(
      ([cell]) => JSON.parse(cell?.toString() ?? 'null') as ShownFeature,
    );
    const shown = features.slice(0, query.limit);
    const url = `${collectionUrl(root, layer)}/items`;
    const next = features.length > shown.length ? nextPage(query, String(shown.at(-1)?.id ?? '')) : undefined;
    const links: Link[] = [
      { href: `${url}${searchOf(request, { f: 'json' })}`, rel: 'alternate', type: GEOJSON, title: 'As GeoJSON' },
      ...(next === undefined
        ? []
        : [
            {
              href: `${url}${searchOf(request, { ...next, f: 'html' })}`,
              rel: 'next',
              type: HTML,
              title: 'The next page',
            },
          ]),
    ];
    const columns = query.columns.map(({ name }) => name);
    return ok(html(reply, itemsHtml(root, layer, shown, columns, links)));
  }

  async function oneItem({ request, reply, caller, root, format }: Ask, layer: VectorLayer): Promise<Handled> {
    const { id } = request.params as { readonly id: string };
    const { crs: name } = request.query as { readonly crs?: string };
    const crs = await crsOf(book, layer, name);
    if (!crs.ok) return crs;
    const key = keyCondition(layer, id);
    if (key === undefined) return err({ kind: 'not-found' });
    const query = { ...wholeLayer(layer, crs.value), conditions: [key] };
    const flown = await context.db.read(caller, requestInfo(request), [
      { text: `select ${featureJson(query)} ${fromSql(query)}`, params: [] },
    ]);
    if (!flown.ok) return err(queryFailure(flown.error));
    const cell = flown.value[0]?.rows[0]?.[0];
    if (cell === null || cell === undefined) return err({ kind: 'not-found' });
    const text = cell.toString();
    reply.header('Content-Crs', `<${crs.value.uri}>`);
    if (format === 'html') return ok(html(reply, itemHtml(root, layer, JSON.parse(text) as ShownFeature)));
    const tag = `"${createHash('sha256').update(cell).digest('base64url').slice(0, 27)}"`;
    reply.header('ETag', tag);
    if (request.headers['if-none-match'] === tag) return ok(reply.code(304).send());
    const url = collectionUrl(root, layer);
    const links: readonly Link[] = [
      { href: `${url}/items/${encodeURIComponent(id)}`, rel: 'self', type: GEOJSON, title: 'This document' },
      {
        href: `${url}/items/${encodeURIComponent(id)}?f=html`,
        rel: 'alternate',
        type: HTML,
        title: 'This document as a page',
      },
      { href: url, rel: 'collection', type: JSON_TYPE, title: 'The layer' },
    ];
    return ok(reply.type(GEOJSON).send(Buffer.from(`${text.slice(0, -1)},"links":${JSON.stringify(links)}}`)));
  }

  async function createItem({ request, reply, caller, root }: Ask, layer: VectorLayer): Promise<Handled> {
    const crs = await contentCrs(request, layer);
    if (!crs.ok) return crs;
    const sent = parseFeature(request.body, layer, crs.value, true);
    if (!sent.ok) return sent;
    const flown = await context.db.write(caller, requestInfo(request), [insertStatement(layer, sent.value, crs.value)]);
    if (!flown.ok) return err(queryFailure(flown.error));
    const id = firstCell(flown.value[0]) ?? '';
    return ok(
      reply
        .code(201)
        .header('Location', `${collectionUrl(root, layer)}/items/${encodeURIComponent(id)}`)
        .type(JSON_TYPE)
        .send(JSON.stringify({ id: columnClass(layer.keyType) === 'integer' ? Number(id) : id })),
    );
  }

  async function changeItem({ request, reply, caller }: Ask, layer: VectorLayer): Promise<Handled> {
    const { id } = request.params as { readonly id: string };
    if (keyCondition(layer, id) === undefined) return err({ kind: 'not-found' });
    const crs = await contentCrs(request, layer);
    if (!crs.ok) return crs;
    const isWhole = request.method === 'PUT';
    const sent = parseFeature(request.body, layer, crs.value, isWhole);
    if (!sent.ok) return sent;
    const statement = isWhole
      ? replaceStatement(layer, id, sent.value, crs.value)
      : updateStatement(layer, id, sent.value, crs.value);
    const flown = await context.db.write(caller, requestInfo(request), [statement]);
    if (!flown.ok) return err(queryFailure(flown.error));
    return firstCell(flown.value[0]) === undefined ? err({ kind: 'not-found' }) : ok(reply.code(204).send());
  }

  async function deleteItem({ request, reply, caller }: Ask, layer: VectorLayer): Promise<Handled> {
    const { id } = request.params as { readonly id: string };
    if (keyCondition(layer, id) === undefined) return err({ kind: 'not-found' });
    const flown = await context.db.write(caller, requestInfo(request), [deleteStatement(layer, id)]);
    if (!flown.ok) return err(queryFailure(flown.error));
    return firstCell(flown.value[0]) === undefined ? err({ kind: 'not-found' }) : ok(reply.code(204).send());
  }

  function contentCrs(request: FastifyRequest, layer: VectorLayer): Promise<Result<KnownCrs, MapFailure>> {
    const header = request.headers['content-crs'];
    return crsOf(book, layer, typeof header === 'string' ? header.trim().replace(/^<(.*)>$/, '$1') : undefined);
  }
}

/** Everything of the request that is not about the form of the answer. */
export async function toQuery(
  asked: ItemsRequest,
  layer: VectorLayer,
  book: CrsBook,
): Promise<Result<FeatureQuery, MapFailure>> {
  const crs = await crsOf(book, layer, asked.crs);
  if (!crs.ok) return crs;
  const bboxCrs = await crsOf(book, layer, asked.bboxCrs);
  if (!bboxCrs.ok) return bboxCrs;
  const filterCrs = await crsOf(book, layer, asked.filterCrs);
  if (!filterCrs.ok) return filterCrs;
  const conditions: string[] = [];
  if (asked.bbox !== undefined) conditions.push(boxCondition(layer, asked.bbox, bboxCrs.value));
  const time = asked.when === undefined ? undefined : timeCondition(layer, asked.when);
  if (time !== undefined) conditions.push(time);
  if (asked.filter !== undefined) {
    const filter = filterToSql(asked.filter, layer, filterCrs.value);
    if (!filter.ok) return err({ kind: 'bad-request', detail: `filter: ${filter.error.said}.` });
    conditions.push(filter.value);
  }
  const wanted = asked.properties;
  return ok({
    layer,
    columns: propertiesOf(layer).filter(({ name }) => wanted === undefined || wanted.includes(name)),
    crs: crs.value,
    hasGeometry: asked.hasGeometry,
    conditions,
    order: asked.order,
    isAnyOrder: false,
    limit: asked.limit,
    offset: asked.offset,
    after: asked.after,
  });
}

async function crsOf(
  book: CrsBook,
  layer: VectorLayer,
  name: string | undefined,
): Promise<Result<KnownCrs, MapFailure>> {
  if (name === undefined || name === CRS84) return ok(WGS84);
  const crs = await book.of(layer, name);
  if (crs.ok) return crs;
  return crs.error.kind === 'database'
    ? err(crs.error)
    : err({ kind: 'bad-request', detail: `This layer is not offered in "${name.slice(0, 100)}".` });
}

/** A value that the column cannot be, or cannot be compared with, is the mistake of who sent it. */
export function queryFailure(error: DbError): MapFailure {
  if (error.kind !== 'sql') return { kind: 'database', error };
  const { sqlstate, message } = error;
  if (/^(?:22|42883|42804|42725|0A000)/.test(sqlstate) && sqlstate !== '22023')
    return { kind: 'bad-request', detail: `A value does not fit: ${message.slice(0, 200)}` };
  // PostGIS has one code for everything that is wrong with a geometry.
  if (sqlstate === 'XX000' || sqlstate === '22023')
    return { kind: 'bad-request', detail: `A geometry cannot be used: ${message.slice(0, 200)}` };
  return { kind: 'database', error };
}

/** Undefined: no feature can have this id. */
function keyCondition(layer: VectorLayer, id: string): string | undefined {
  if (id.includes('\0')) return undefined;
  const { keyType } = layer;
  if (columnClass(keyType) === 'integer' && !/^-?\d{1,18}$/.test(id)) return undefined;
  if (keyType === 'integer' && Math.abs(Number(id)) > 2_147_483_647) return undefined;
  if (keyType === 'smallint' && Math.abs(Number(id)) > 32_767) return undefined;
  if (keyType === 'uuid' && !/^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(id)) return undefined;
  return `${keySql(layer)} = ${quoteLiteral(id).trim()}`;
}

function nextPage({ order, offset, limit = 0 }: FeatureQuery, last: string): Readonly<Record<string, string>> {
  // By key where the order is that of the key: the database finds the place at once, however far it is.
  return order.length > 0 || offset > 0 ? { offset: String(offset + limit) } : { after: last };
}

/** The query of the request with some of it changed. */
function searchOf({ query }: FastifyRequest, changes: Readonly<Record<string, string>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Query))
    if (!(name in changes)) params.append(name, String(value));
  for (const [name, value] of Object.entries(changes)) params.append(name, value);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

function formatOf(request: FastifyRequest): Result<Format, MapFailure> {
  const { f } = request.query as { readonly f?: unknown };
  if (f === 'html') return ok('html');
  if (f === 'json' || f === 'geojson') return ok('json');
  if (f !== undefined) return err({ kind: 'bad-request', detail: 'f is json or html.' });
  const accept = request.headers.accept ?? '*/*';
  const first = accept.split(',').map((part) => part.split(';')[0]?.trim().toLowerCase() ?? '');
  const isHtml = first.indexOf(HTML);
  const isJson = first.findIndex((type) => /^(?:application\/(?:[\w.+-]*\+)?json|\*\/\*|application\/\*)$/.test(type));
  if (isHtml >= 0 && (isJson < 0 || isHtml < isJson)) return ok('html');
  return isJson >= 0 ? ok('json') : err({ kind: 'not-acceptable' });
}

function isGrid(request: FastifyRequest): boolean {
  return (request.params as { readonly grid?: string }).grid === GRID;
}

function json(reply: FastifyReply, body: unknown, type: string = JSON_TYPE): FastifyReply {
  return reply.type(type).send(JSON.stringify(body));
}

function html(reply: FastifyReply, body: string): FastifyReply {
  return reply.headers(HTML_HEADERS).type('text/html; charset=utf-8').send(body);
}

function firstCell(result: StatementResult | undefined): string | undefined {
  return result?.rows[0]?.[0]?.toString();
}

/** What is not JSON is no feature either. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
  } catch {
    return undefined;
  }
}
