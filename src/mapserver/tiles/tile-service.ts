// Layers that were found for a caller, and a tile → its bytes: from the cache, or from the database as that caller.

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import type { Filter } from '../../geo/cql/cql.ts';
import { type Group, groupKey } from '../../geo/style/group.ts';
import type { TileAddress } from '../../geo/tile.ts';
import { makeByteCache } from '../../kernel/byte-cache.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { makeTextCache, type TextCache } from '../../kernel/text-cache.ts';
import type { VectorLayer } from '../../layers/layer.ts';
import type { CancelSignal, DbError, Row } from '../../pg/driver.ts';
import { filterToSql } from '../query/filter-sql.ts';
import { keyType } from '../query/grid-sql.ts';
import { WGS84 } from '../query/known-crs.ts';
import { timeLimit } from '../query/layer-sql.ts';
import { CROWD } from '../query/overview-sql.ts';
import {
  type Crowd,
  crowdedTile,
  filteredTile,
  groupedTile,
  labelTile,
  planTile,
  reducedTile,
  type TilePlan,
  wholeTile,
} from '../query/tile-plan.ts';
import { crowdStatement, encodedTileStatement, passingStatement, tileRowsStatement } from '../query/tile-sql.ts';
import type { Sql } from '../query/value.ts';
import { encodeTile } from './encode-tile.ts';

type Tile = {
  readonly plain: Buffer;
  /** The same, compressed; undefined: not worth it. Done once, when somebody wants it. */
  gzip(): Promise<Buffer | undefined>;
};

/** What of a layer a tile has: its features, points for names of areas, or groups of its features. */
export type TileForm = 'features' | 'labels' | Group;

/** Of the features alone that pass it. `said`: as it was written. */
export type TileFilter = { readonly said: string; readonly filter: Filter };

/** What is asked for of every layer of a tile. */
export type TileWish = {
  readonly form: TileForm;
  readonly filter: TileFilter | undefined;
  /** Columns that a tile has even where it leaves out others; in order. */
  readonly columns: readonly string[];
};

type TileRequest = {
  readonly caller: Caller;
  readonly info: RequestInfo;
  readonly layers: readonly VectorLayer[];
  readonly tile: TileAddress;
  readonly wish: TileWish;
  /** Fires when nobody waits any more. */
  readonly signal: CancelSignal;
};

/** `bad-filter`: it asks for what a layer has not. */
export type TileError = DbError | { readonly kind: 'bad-filter'; readonly said: string };

export type TileService = {
  /** Known before the tile is; undefined: it depends on who asks, and only the bytes tell. */
  tagOf(layers: readonly VectorLayer[], tile: TileAddress, wish: TileWish): string | undefined;
  get(request: TileRequest): Promise<Result<Tile, TileError>>;
};

const toGzip = promisify(gzip);
const MIN_COMPRESSED = 200;
const TILE_MS = 20_000;
const MAX_NOTED = 1000;
const TILE_CACHE_BYTES: number = 64 * 1024 * 1024;

export function makeTileService(db: CallerDb, cacheBytes: number = TILE_CACHE_BYTES): TileService {
  const cache = makeByteCache<Tile>(cacheBytes);
  /** By layer and zoom: how much less than everything fits. */
  const tooLarge = makeTextCache<number>(MAX_NOTED);
  /** Those being made: whoever asks for the same meanwhile waits for it. */
  const underWay = new Map<string, Promise<Result<Tile, TileError>>>();

  const make = async (request: TileRequest, signal: CancelSignal | undefined): Promise<Result<Tile, TileError>> => {
    const parts = await Promise.all(request.layers.map((layer) => makeLayer(db, tooLarge, request, layer, signal)));
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

async function makeLayer(
  { driver, read }: CallerDb,
  tooLarge: TextCache<number>,
  { caller, info, tile, wish: { form: wanted, filter, columns } }: TileRequest,
  layer: VectorLayer,
  signal: CancelSignal | undefined,
): Promise<Result<Buffer, TileError>> {
  const options = signal === undefined ? {} : { signal };
  const draw = async (plan: TilePlan): Promise<Result<Buffer, DbError>> => {
    const hasEncoder = driver.engine === 'postgres';
    const statement = hasEncoder ? encodedTileStatement(plan) : tileRowsStatement(plan);
    const flown = await read(caller, info, [timeLimit(TILE_MS), statement], options);
    if (!flown.ok) return flown;
    const rows = flown.value[1]?.rows ?? [];
    return ok(hasEncoder ? unhexed(rows[0]?.[0]) : encodeTile(plan, rows));
  };
  const conditions: Sql[] = [];
  if (filter !== undefined) {
    const condition = filterToSql(filter.filter, layer, WGS84);
    if (!condition.ok) return condition;
    conditions.push(condition.value);
  }
  if (typeof wanted === 'object') return draw(groupedTile(layer, tile, wanted, conditions));
  const labels = wanted === 'labels';
  if (labels && filter !== undefined) return draw({ ...planTile(layer, tile, true), conditions });
  if (filter !== undefined) {
    const whole = filteredTile(layer, tile, conditions, false);
    const counted = await read(caller, info, [timeLimit(TILE_MS), passingStatement(whole, CROWD)], options);
    if (!counted.ok) return counted;
    const isCrowd = Number(counted.value[1]?.rows[0]?.[0]?.toString()) > CROWD;
    const drawn = await draw(isCrowd ? filteredTile(layer, tile, conditions, true, columns) : whole);
    if (!drawn.ok || drawn.value.length <= MAX_TILE_BYTES || keyType(layer) === undefined) return drawn;
    const share = (0.9 * MAX_TILE_BYTES) / drawn.value.length;
    return draw({ ...reducedTile(layer, tile, NO_KEYS, columns, share), conditions });
  }
  if (layer.overview === undefined) return draw(planTile(layer, tile, labels));
  const asked = await read(caller, info, [crowdStatement(layer, tile)], options);
  if (!asked.ok) return asked;
  const crowd = crowdOf(asked.value[0]?.rows[0]);
  // More was written than is noted row by row: as long as it is counted anew, as without an overview.
  if (crowd === 'stale') return draw(planTile(layer, tile, labels));
  if (labels) return draw(labelTile(layer, tile, crowd));
  const name = `${layer.id}.${layer.dataVersion}/${tile.z}`;
  // What was too large of a crowd of this zoom before is not tried again; a tile that is not crowded mostly fits.
  let form = crowd === undefined ? 0 : (tooLarge.get(name) ?? firstForm(layer, crowd));
  for (;;) {
    const drawn = await draw(formOf(layer, tile, crowd, columns, form));
    if (!drawn.ok || drawn.value.length <= MAX_TILE_BYTES) return drawn;
    if (form >= FORMS)
      return draw(reducedTile(layer, tile, crowd ?? NO_KEYS, columns, (0.9 * MAX_TILE_BYTES) / drawn.value.length));
    form += 1;
    if (crowd !== undefined) tooLarge.set(name, form);
  }
}

const FORMS = 2;
/** So many areas with all columns of the overview are taken to be too large together, at some forty bytes each; where that is wrong, columns are left out without need. */
const MANY_AREAS = 15_000;

/** What would surely be too large is not made first: it takes as long as the tile itself. */
function firstForm({ geometry }: VectorLayer, { shown }: CountedCrowd): number {
  return geometry.kind === 'polygon' && shown > MANY_AREAS ? FORMS : 1;
}

/** `shown`: at most so many of the features are drawn. */
type CountedCrowd = Crowd & { readonly shown: number };

const NO_KEYS: Crowd = { hasKeys: false };

/** Ever less of a tile: every feature, one per cell, and of that the columns that are needed. */
function formOf(
  layer: VectorLayer,
  tile: TileAddress,
  crowd: Crowd | undefined,
  named: readonly string[],
  form: number,
): TilePlan {
  if (crowd === undefined && form === 0) return wholeTile(layer, tile);
  return crowdedTile(layer, tile, crowd ?? NO_KEYS, named, form >= FORMS);
}

/** What a browser takes in at once, however many there are. */
const MAX_TILE_BYTES = 500_000;

function crowdOf(row: Row | undefined): CountedCrowd | 'stale' | undefined {
  if (row === undefined) return undefined;
  const [count, hasKeys, isStale, kept] = row.map((cell) => cell?.toString());
  return isStale === 't' ? 'stale' : { shown: Number(kept ?? count ?? 0), hasKeys: hasKeys === 't' };
}

function unhexed(cell: Buffer | null | undefined): Buffer {
  return cell === null || cell === undefined
    ? Buffer.alloc(0)
    : Buffer.from(cell.subarray(2).toString('latin1'), 'hex');
}

function keyOf(layers: readonly VectorLayer[], { z, x, y }: TileAddress, { form, filter, columns }: TileWish): string {
  const kind = form === 'features' ? '' : form === 'labels' ? 'labels/' : `${groupKey(form)}/`;
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

function hashOf(said: string | Uint8Array): string {
  return createHash('sha256').update(said).digest('base64url').slice(0, 27);
}
