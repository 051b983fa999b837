// Layers that were found for a caller, and a tile → its bytes: from the cache, or from the database as that caller.

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { type Group, groupKey } from '../../geo/style/group.ts';
import type { TileAddress } from '../../geo/tile.ts';
import { makeByteCache } from '../../kernel/byte-cache.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { makeTextCache, type TextCache } from '../../kernel/text-cache.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { CancelSignal, DbError, Row, Statement } from '../../pg/driver.ts';
import type { Cell, CellColumns } from '../cells/cell.ts';
import { type CellGroup, groupCells, groupMargin } from '../cells/group-cells.ts';
import { splitColumns } from '../cells/split-columns.ts';
import type { SaidFilter } from '../parse-filter.ts';
import { keyType } from '../query/cells-sql.ts';
import { filterToSql } from '../query/filter-sql.ts';
import { WGS84 } from '../query/known-crs.ts';
import { timeLimit } from '../query/layer-sql.ts';
import { bareTile, type TilePlan, wholeTile } from '../query/tile-plan.ts';
import { encodedTileStatement, keyedRowsStatement, passingStatement, tileRowsStatement } from '../query/tile-sql.ts';
import { list, type Sql } from '../query/value.ts';
import { type CellAsk, findCells } from '../summary/find-cells.ts';
import { pieceOf } from '../summary/piece.ts';
import { drawsLarge, FEW_PASSING, summaryTo } from '../summary/shown.ts';
import { encodeTile, readTileRows, type TileFeature, tagsOf } from './encode-tile.ts';
import { cellFeatures, groupFeatures } from './summary-features.ts';

type Tile = {
  readonly plain: Buffer;
  /** The same, compressed; undefined: not worth it. Done once, when somebody wants it. */
  gzip(): Promise<Buffer | undefined>;
};

/** What of a layer a tile has: its features, points for names of areas, or groups of its features. */
export type TileForm = 'features' | 'labels' | Group;

/** What is asked for of every layer of a tile. */
export type TileOptions = {
  readonly form: TileForm;
  /** Of the features alone that pass it. */
  readonly filter: SaidFilter | undefined;
  /** Columns that a tile has even where it leaves out others; in order. */
  readonly columns: readonly string[];
};

type TileRequest = {
  readonly caller: Caller;
  readonly info: RequestInfo;
  readonly layers: readonly VectorLayer[];
  readonly tile: TileAddress;
  readonly wish: TileOptions;
  /** Fires when nobody waits any more. */
  readonly signal: CancelSignal;
};

/** `bad-filter`: it asks for what a layer has not. */
export type TileError = DbError | { readonly kind: 'bad-filter'; readonly said: string };

export type TileService = {
  /** Known before the tile is; undefined: it depends on who asks, and only the bytes tell. */
  tagOf(layers: readonly VectorLayer[], tile: TileAddress, wish: TileOptions): string | undefined;
  get(request: TileRequest): Promise<Result<Tile, TileError>>;
  /** Whether so few features pass a filter that they are drawn as they are at every zoom. */
  drawsAll(
    request: Pick<TileRequest, 'caller' | 'info' | 'signal'>,
    layer: VectorLayer,
    filter: SaidFilter,
  ): Promise<Result<boolean, TileError>>;
};

const toGzip = promisify(gzip);
const MIN_COMPRESSED = 200;
const TILE_MS = 20_000;
const MAX_NOTED = 1000;
const TILE_CACHE_BYTES: number = 64 * 1024 * 1024;

export function makeTileService(db: CallerDb, cacheBytes: number = TILE_CACHE_BYTES): TileService {
  const cache = makeByteCache<Tile>(cacheBytes);
  /** By layer and filter: whether few features pass. */
  const passing = makeTextCache<boolean>(MAX_NOTED);
  /** Those being made: whoever asks for the same meanwhile waits for it. */
  const underWay = new Map<string, Promise<Result<Tile, TileError>>>();

  const make = async (request: TileRequest, signal: CancelSignal | undefined): Promise<Result<Tile, TileError>> => {
    const parts = await Promise.all(request.layers.map((layer) => makeLayer(db, passing, request, layer, signal)));
    const bytes: Buffer[] = [];
    for (const part of parts) {
      if (!part.ok) return part;
      bytes.push(part.value);
    }
    // A tile is a list of layers: one after the other they are a tile of all of them.
    const plain = bytes.length === 1 && bytes[0] !== undefined ? bytes[0] : Buffer.concat(bytes);
    return ok(makeTile(plain));
  };

  return {
    tagOf: (layers, tile, wish) =>
      layers.every(({ cacheable }) => cacheable) ? `"${tagText(keyOf(layers, tile, wish))}"` : undefined,
    async get(request) {
      const { layers, tile, wish, signal } = request;
      if (!layers.every(({ cacheable }) => cacheable)) return make(request, signal);
      const key = keyOf(layers, tile, wish);
      const known = cache.get(key);
      if (known !== undefined) return ok(known);
      const waiting = underWay.get(key);
      if (waiting !== undefined) {
        const made = await waiting;
        // What stopped another caller (a pool without a free connection, a cancelled request) need not stop this one.
        if (made.ok) return made;
      }
      const making = make(request, undefined);
      underWay.set(key, making);
      try {
        const made = await making;
        // About a third of it again for the compressed form.
        if (made.ok) cache.set(key, made.value, Math.ceil(made.value.plain.length * 1.4));
        return made;
      } finally {
        if (underWay.get(key) === making) underWay.delete(key);
      }
    },
    async drawsAll({ caller, info, signal }, layer, filter) {
      const condition = filterToSql(filter.filter, layer, WGS84);
      if (!condition.ok) return condition;
      const wish = { form: 'features', filter, columns: [] } as const;
      const request = { caller, info, layers: [layer], tile: { z: 0, x: 0, y: 0 }, wish, signal };
      return passFew({ db, request, layer, conditions: [condition.value], signal }, passing, filter);
    },
  };
}

function makeTile(plain: Buffer): Tile {
  let small: Promise<Buffer> | undefined;
  return {
    plain,
    async gzip() {
      if (plain.length < MIN_COMPRESSED) return undefined;
      small ??= toGzip(plain, { level: 4 });
      return small;
    },
  };
}

type LayerAsk = {
  readonly db: CallerDb;
  readonly request: TileRequest;
  readonly layer: VectorLayer;
  readonly conditions: readonly Sql[];
  readonly signal: CancelSignal | undefined;
};

async function makeLayer(
  db: CallerDb,
  passing: TextCache<boolean>,
  request: TileRequest,
  layer: VectorLayer,
  signal: CancelSignal | undefined,
): Promise<Result<Buffer, TileError>> {
  const { form, filter, columns } = request.wish;
  const condition = filter === undefined ? undefined : filterToSql(filter.filter, layer, WGS84);
  if (condition?.ok === false) return condition;
  const conditions = condition === undefined ? [] : [condition.value];
  const ask: LayerAsk = { db, request, layer, conditions, signal };
  if (typeof form === 'object') return drawGroups(ask, form);
  const plan = wholeTile(layer, request.tile, conditions);
  if (form === 'labels') return drawRows(ask, { ...plan, source: { kind: 'labels' } });
  const isCrowded = request.tile.z <= summaryTo(layer);
  const fewPass = isCrowded && filter !== undefined ? await passFew(ask, passing, filter) : ok(false);
  if (!fewPass.ok) return fewPass;
  if (isCrowded && !fewPass.value) return drawSummary(ask, bareTile(plan, columns));
  const isBare = !fewPass.value && request.tile.z <= (layer.overview?.bareTo ?? -1);
  const drawn = await drawRows(ask, isBare ? bareTile(plan, columns) : plan);
  return drawn.ok && drawn.value.length > MAX_TILE_BYTES && !isBare ? drawRows(ask, bareTile(plan, columns)) : drawn;
}

async function read({ db, request, signal }: LayerAsk, statement: Statement): Promise<Result<readonly Row[], DbError>> {
  const { caller, info } = request;
  const options = signal === undefined ? {} : { signal };
  const executed = await db.read(caller, info, [timeLimit(TILE_MS), statement], options);
  return executed.ok ? ok(executed.value[1]?.rows ?? []) : executed;
}

/** Features as they are; encoded by the database where it can. */
async function drawRows(ask: LayerAsk, plan: TilePlan): Promise<Result<Buffer, DbError>> {
  const { encodeTiles } = ask.db.driver.can;
  const rows = await read(ask, encodeTiles ? encodedTileStatement(plan) : tileRowsStatement(plan));
  if (!rows.ok) return rows;
  return ok(encodeTiles ? unhexed(rows.value[0]?.[0]) : encodeTile(plan.layer.name, readTileRows(plan, rows.value)));
}

/** What passes a filter is drawn as it is at every zoom, if it is not much of the layer. */
async function passFew(
  ask: LayerAsk,
  passing: TextCache<boolean>,
  { said }: SaidFilter,
): Promise<Result<boolean, DbError>> {
  const { id, dataVersion, cacheable } = ask.layer;
  const key = `${id}.${dataVersion} ${said}`;
  const known = cacheable ? passing.get(key) : undefined;
  if (known !== undefined) return ok(known);
  const counted = await read(ask, passingStatement(ask, FEW_PASSING));
  if (!counted.ok) return counted;
  const isFew = Number(counted.value[0]?.[0]?.toString()) <= FEW_PASSING;
  passing.set(key, isFew);
  return ok(isFew);
}

/** Cells, and the features that fill one. */
async function drawSummary(ask: LayerAsk, plan: TilePlan): Promise<Result<Buffer, DbError>> {
  const { layer, tile } = plan;
  const names = new Set(plan.columns.map(({ name }) => name));
  const columns = splitColumns(
    layer,
    layer.columns.filter(({ name }) => names.has(name)),
  );
  const cells = await cellsFor(ask, { columns, margin: 0, isSummary: true });
  if (!cells.ok) return cells;
  const share = layer.overview?.shares[tile.z] ?? 1;
  const large = drawsLarge(layer)
    ? await read(ask, tileRowsStatement({ ...plan, source: { kind: 'large', share } }))
    : ok([]);
  if (!large.ok) return large;
  const features = [...readTileRows(plan, large.value), ...cellFeatures(layer, columns, cells.value)];
  return ok(encodeTile(layer.name, features));
}

async function drawGroups(ask: LayerAsk, group: Group): Promise<Result<Buffer, DbError>> {
  const { layer, request } = ask;
  const numbers = group.value === undefined ? [] : [group.value.column];
  const columns: CellColumns = { numbers, categories: [] };
  const cells = await cellsFor(ask, { columns, margin: groupMargin(group), isSummary: false });
  if (!cells.ok) return cells;
  const groups = groupCells(cells.value, group, request.tile, 0);
  const singles = group.kind === 'cluster' ? await readSingles(ask, groups) : ok(new Map());
  if (!singles.ok) return singles;
  return ok(
    encodeTile(
      layer.name,
      groupFeatures(groups, group, (key) => singles.value.get(key)),
    ),
  );
}

/** Attributes of clusters of one feature. */
async function readSingles(
  ask: LayerAsk,
  groups: readonly CellGroup[],
): Promise<Result<ReadonlyMap<string, Pick<TileFeature, 'id' | 'tags'>>, DbError>> {
  const keys = groups.flatMap(({ key }) => key ?? []);
  const plan = wholeTile(ask.layer, ask.request.tile);
  const type = keyType(ask.layer);
  if (keys.length === 0 || type === undefined) return ok(new Map());
  const rows = await read(ask, keyedRowsStatement(plan, list(keys), type));
  if (!rows.ok) return rows;
  return ok(
    new Map(
      rows.value.map((row) => {
        const id = plan.hasIds ? Number(row[1]?.toString()) : undefined;
        return [row[0]?.toString() ?? '', { id, tags: tagsOf(plan.columns, row, plan.hasIds ? 2 : 1) }];
      }),
    ),
  );
}

function cellsFor(
  { db, request, layer, conditions, signal }: LayerAsk,
  wanted: Pick<CellAsk, 'columns' | 'margin' | 'isSummary'>,
): Promise<Result<readonly Cell[], DbError>> {
  const { caller, info, tile } = request;
  return findCells({ db, caller, info, signal }, { layer, tile, conditions, piece: pieceOf(db.driver), ...wanted });
}

/** What a browser takes in at once, however many there are. */
const MAX_TILE_BYTES = 500_000;

function unhexed(cell: Buffer | null | undefined): Buffer {
  return cell === null || cell === undefined
    ? Buffer.alloc(0)
    : Buffer.from(cell.subarray(2).toString('latin1'), 'hex');
}

/** Of how groups are made: what browsers have kept of another is made anew. */
const EDITION = '.2';

function keyOf(
  layers: readonly VectorLayer[],
  { z, x, y }: TileAddress,
  { form, filter, columns }: TileOptions,
): string {
  const kind = form === 'features' ? '' : form === 'labels' ? 'labels/' : `${groupKey(form)}${EDITION}/`;
  const named = columns.length === 0 ? kind : `${kind}c${hashOf(JSON.stringify(columns))}/`;
  const what = filter === undefined ? named : `${named}${hashOf(filter.said)}/`;
  return `${layers.map(({ id, dataVersion }) => `${id}.${dataVersion}`).join('+')}/${what}${z}/${x}/${y}`;
}

/** Names of columns may have signs in them that a header cannot carry. */
function tagText(key: string): string {
  return encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%2B', '+');
}

/** For tiles whose tag is not known beforehand. */
export function tagOfBytes(bytes: Uint8Array): string {
  return `"${hashOf(bytes)}"`;
}

export function hashOf(said: string | Uint8Array): string {
  return createHash('sha256').update(said).digest('base64url').slice(0, 27);
}
