// Vector tiles: `/tiles/{layer}[,{layer}…]/{z}/{x}/{y}.mvt`, label points of areas at `/tiles/{layer}/labels/{z}/{x}/{y}.mvt`, groups of points at
// `/tiles/{layer}/clusters/…` and `/tiles/{layer}/hexagons/…`, and what is in them at `/tiles/{layer}[,…].json`. With `?filter=` (CQL2) a tile has, or counts,
// the features alone that pass it; with `?column=` it keeps a column that a tile of many features would leave out.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import { type Group, parseGroup } from '../../geo/style/group.ts';
import { parseTileAddress, type TileAddress } from '../../geo/tile.ts';
import { whenClientGone } from '../../http/client-gone.ts';
import { isAmong } from '../../http/etag.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import { columnClass } from '../columns/column-class.ts';
import { layerFailure, type MapContext, type MapFailure, requestInfo } from '../map-context.ts';
import { filterInQuery, type SaidFilter } from '../parse-filter.ts';
import { queryFailure } from '../query-failure.ts';
import { summaryTo } from '../summary/shown.ts';
import { type TileError, type TileForm, type TileOptions, type TileService, tagOfBytes } from './tile-service.ts';
import { makeTileJson } from './tilejson.ts';

const TILE_TYPE = 'application/vnd.mapbox-vector-tile';

/** More in one tile than a map ever shows at once. */
const MAX_LAYERS = 20;

type TileParams = { readonly layers: string; readonly z: string; readonly x: string; readonly file: string };

export function registerTiles(app: FastifyInstance, context: MapContext, tiles: TileService): void {
  const tileRoute =
    (formOf: (query: Query) => Result<TileForm, string>) =>
    async (request: FastifyRequest<{ Params: TileParams; Querystring: Query }>, reply: FastifyReply) => {
      const caller = await context.identify(request, reply);
      if (caller === undefined) return reply;
      const { layers, z, x, file } = request.params;
      const [row = '', format, ...more] = file.split('.');
      if ((format !== 'mvt' && format !== 'pbf') || more.length > 0)
        return context.answerError(request, reply, { kind: 'not-found' }, caller);
      const tile = parseTileAddress(z, x, row);
      if (!tile.ok)
        return context.answerError(request, reply, { kind: 'bad-request', detail: tile.error.said }, caller);
      const form = formOf(request.query);
      if (!form.ok) return context.answerError(request, reply, { kind: 'bad-request', detail: form.error }, caller);
      const filter = filterInQuery(request.query);
      if (!filter.ok) return context.answerError(request, reply, filter.error, caller);
      const columns = form.value === 'features' ? namedColumns(request.query) : ok([]);
      if (!columns.ok)
        return context.answerError(request, reply, { kind: 'bad-request', detail: columns.error }, caller);
      const wish = { form: form.value, filter: filter.value, columns: columns.value };
      return answerTile(context, tiles, request, reply, caller, layers, tile.value, wish);
    };
  type Route = { Params: TileParams; Querystring: Query };
  app.get<Route>(
    '/tiles/:layers/:z/:x/:file',
    tileRoute(() => ok('features')),
  );
  app.get<Route>(
    '/tiles/:layers/labels/:z/:x/:file',
    tileRoute(() => ok('labels')),
  );
  app.get<Route>(
    '/tiles/:layers/clusters/:z/:x/:file',
    tileRoute((query) => parseGroupQuery('cluster', query)),
  );
  app.get<Route>(
    '/tiles/:layers/hexagons/:z/:x/:file',
    tileRoute((query) => parseGroupQuery('hexagon', query)),
  );

  app.get<{ Params: { readonly file: string }; Querystring: Query }>('/tiles/:file', async (request, reply) => {
    const caller = await context.identify(request, reply);
    if (caller === undefined) return reply;
    const { file } = request.params;
    if (!file.endsWith('.json')) return context.answerError(request, reply, { kind: 'not-found' }, caller);
    const names = file.slice(0, -'.json'.length);
    const found = await findLayers(context, request, caller, names);
    if (!found.ok) return context.answerError(request, reply, found.error, caller);
    const filter = filterInQuery(request.query);
    if (!filter.ok) return context.answerError(request, reply, filter.error, caller);
    const whole = new Set<number>();
    if (filter.value !== undefined)
      for (const layer of found.value.filter((one) => summaryTo(one) >= 0)) {
        const asker = { caller, info: requestInfo(request), signal: whenClientGone(reply.raw) };
        const isWhole = await tiles.drawsAll(asker, layer, filter.value);
        if (!isWhole.ok) return context.answerError(request, reply, tileFailure(isWhole.error, filter.value), caller);
        if (isWhole.value) whole.add(layer.id);
      }
    const address = names.split(',').map(encodeURIComponent).join(',');
    const ask = { names: address, baseUrl: context.baseUrl(request), query: filterParameters(request.query), whole };
    return reply
      .header('Cache-Control', 'private, no-cache')
      .header('Access-Control-Allow-Origin', '*')
      .type('application/json')
      .send(JSON.stringify(makeTileJson(found.value, ask)));
  });
}

type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** `?size=64`, and of hexagons `&mean=column` or `&sum=column`. */
function parseGroupQuery(kind: Group['kind'], query: Query): Result<Group, string> {
  const { size = kind === 'cluster' ? '64' : '32', sum, mean } = query;
  if (sum !== undefined && mean !== undefined) return err('A group has a sum or a mean, not both.');
  const value =
    sum !== undefined ? { of: 'sum', column: sum } : mean !== undefined ? { of: 'mean', column: mean } : undefined;
  const pixels = typeof size === 'string' && /^\d{1,4}(?:\.\d{1,3})?$/.test(size) ? Number(size) : undefined;
  const group = parseGroup({ kind, size: pixels, value });
  return typeof group === 'string' ? err(`${group[0]?.toUpperCase()}${group.slice(1)}.`) : ok(group);
}

/** As they came. */
function filterParameters(query: Query): string {
  const given = (['filter', 'filter-lang'] as const).flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' ? [`${name}=${encodeURIComponent(value)}`] : [];
  });
  return given.length === 0 ? '' : `?${given.join('&')}`;
}

/** More than the style of a layer uses. */
const MAX_COLUMNS = 12;

/** `?column=a&column=b`; sorted, so that whoever wants the same gets the same tile. */
function namedColumns({ column = [] }: Query): Result<readonly string[], string> {
  const names = [...new Set(typeof column === 'string' ? [column] : column)].sort();
  return names.length > MAX_COLUMNS ? err(`A tile keeps at most ${MAX_COLUMNS} columns.`) : ok(names);
}

function missingColumn({ columns: named }: TileOptions, layers: readonly VectorLayer[]): string | undefined {
  const lacking = named.find((name) => !layers.some(({ columns }) => columns.some((column) => column.name === name)));
  if (lacking === undefined) return undefined;
  return `${layers.map(({ name }) => name).join(', ')}: there is no column "${lacking.slice(0, 100)}".`;
}

/** Why there is nothing to add up. */
function missingNumber({ value }: Group, layers: readonly VectorLayer[]): string | undefined {
  if (value === undefined) return undefined;
  const lacking = layers.find(
    ({ columns }) =>
      !columns.some(({ name, type }) => name === value.column && ['integer', 'number'].includes(columnClass(type))),
  );
  return lacking === undefined ? undefined : `${lacking.name} has no column of numbers "${value.column}".`;
}

/** A tile of the layers with these names, whatever address it was asked for by. */
export async function answerTile(
  context: MapContext,
  tiles: TileService,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  names: string,
  tile: TileAddress,
  wish: TileOptions = { form: 'features', filter: undefined, columns: [] },
): Promise<FastifyReply> {
  const { form } = wish;
  const found = await findLayers(context, request, caller, names);
  if (!found.ok) return context.answerError(request, reply, found.error, caller);
  const layers = found.value;
  const missing = typeof form === 'object' ? missingNumber(form, layers) : missingColumn(wish, layers);
  if (missing !== undefined)
    return context.answerError(request, reply, { kind: 'bad-request', detail: missing }, caller);
  // Kept by browsers, but asked about each time: a permission that is taken away takes effect at once.
  reply
    .header('Cache-Control', 'private, no-cache')
    .header('Vary', 'Accept-Encoding, Authorization, Cookie')
    .header('Access-Control-Allow-Origin', '*');
  const early = tiles.tagOf(layers, tile, wish);
  if (early !== undefined && isAmong(early, request.headers['if-none-match'] ?? ''))
    return reply.header('ETag', early).code(304).send();
  const signal = whenClientGone(reply.raw);
  const made = await tiles.get({ caller, info: requestInfo(request), layers, tile, wish, signal });
  if (!made.ok) return context.answerError(request, reply, tileFailure(made.error, wish.filter), caller);
  const tag = early ?? tagOfBytes(made.value.plain);
  reply.header('ETag', tag);
  if (early === undefined && isAmong(tag, request.headers['if-none-match'] ?? '')) return reply.code(304).send();
  const { plain } = made.value;
  if (plain.length === 0) return reply.code(204).send();
  reply.type(TILE_TYPE);
  const small = acceptsGzip(request) ? await made.value.gzip() : undefined;
  return small === undefined ? reply.send(plain) : reply.header('Content-Encoding', 'gzip').send(small);
}

/** What a filter asks of values (a text as a number) may fail when they are looked at: then the filter is wrong, and not the database. */
function tileFailure(error: TileError, filter: SaidFilter | undefined): MapFailure {
  if (error.kind === 'bad-filter') return { kind: 'bad-request', detail: `filter: ${error.said}.` };
  return filter === undefined ? { kind: 'database', error } : queryFailure(error);
}

async function findLayers(
  context: MapContext,
  request: FastifyRequest,
  caller: Caller,
  names: string,
): Promise<Result<readonly VectorLayer[], MapFailure>> {
  const wanted = [...new Set(names.split(','))];
  if (wanted.length > MAX_LAYERS)
    return err({ kind: 'bad-request', detail: `A tile holds at most ${MAX_LAYERS} layers.` });
  const layers: VectorLayer[] = [];
  for (const name of wanted) {
    const found = await context.layers.find(caller, requestInfo(request), name);
    if (!found.ok) return err(layerFailure(found.error));
    if (found.value.kind !== 'vector')
      return err({ kind: 'bad-request', detail: `${found.value.name} is a raster: it has no vector tiles.` });
    layers.push(found.value);
  }
  return ok(layers);
}

function acceptsGzip({ headers }: FastifyRequest): boolean {
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((coding) => {
      const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
      const isRefused = parameters.some((parameter) => /^q ?= ?0(?:\.0*)?$/.test(parameter));
      return (name === 'gzip' || name === '*') && !isRefused;
    });
}
