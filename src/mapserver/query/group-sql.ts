// Groups of a layer's points (clusters, hexagons) in a part of the web's grid → the statement that counts them. Every row that the caller sees is counted,
// wherever its group is; where there are more than that is done for, one row of the overview stands for those of its cell, and where there
// is no overview a sample is counted and told as many times as it stands for. Tiles and maps have the same groups. Pure.

import { type Box, fromMercator } from '../../geo/bbox.ts';
import { COUNT, type Group, SHORT_COUNT, VALUE } from '../../geo/style/group.ts';
import { type TileAddress, tileDegrees, WORLD_HALF } from '../../geo/tile.ts';
import type { LayerColumn, VectorLayer } from '../../layers/layer.ts';
import { empty, join, raw, sql } from '../../sql/index.ts';
import { inDegrees, shareOf } from './box-sql.ts';
import { keyType, mercator, projected } from './grid-sql.ts';
import { columnOf, geometryOf, gisOf, keyOf, overlaps, tableOf } from './layer-sql.ts';
import { looked } from './thinning.ts';
import { allOf, number, type Sql, whole } from './value.ts';

/** Pixels across a tile. */
const TILE = 512;
/** Rows that are counted one by one. */
const MAX_COUNTED = 500_000;
/** The same where no overview can stand in for them: a sample of so many is counted. */
const MAX_SAMPLED = 2_000_000;
/** Tiles whose overviews are put together; a picture has hardly more. */
const MAX_TILES = 100;
/** Groups of a picture. */
const MAX_GROUPS = 60_000;
const DEEPEST = 22;

export type GroupPlan = {
  readonly layer: VectorLayer;
  readonly group: Group;
  readonly zoom: number;
  /** In pixels of that zoom from the upper left corner of the world: what groups may lie in. */
  readonly box: Box;
  readonly source:
    | { readonly kind: 'rows'; readonly percent: number | undefined }
    /** By the overviews of these tiles, where they have one. */
    | { readonly kind: 'kept'; readonly tiles: readonly TileAddress[] };
  /** Of rows, besides where they are. */
  readonly conditions: readonly Sql[];
};

/** The groups that are to be seen in a tile. Clusters lie in one tile each; hexagons reach over its edge, and are counted whole. */
export function planTileGroups(
  layer: VectorLayer,
  group: Group,
  { z, x, y }: TileAddress,
  conditions: readonly Sql[],
): GroupPlan {
  const box: Box = [x * TILE, y * TILE, (x + 1) * TILE, (y + 1) * TILE];
  return planGroups(layer, group, z, group.kind === 'cluster' ? box : grown(box, 2 * group.size), conditions);
}

/** The groups that are to be seen in a box in metres of EPSG:3857, at a zoom that need not be whole. */
export function planViewGroups(
  layer: VectorLayer,
  group: Group,
  [xmin, ymin, xmax, ymax]: Box,
  viewZoom: number,
  conditions: readonly Sql[],
): GroupPlan {
  const across = (z: number, metres: number): number => ((metres + WORLD_HALF) / (2 * WORLD_HALF)) * TILE * 2 ** z;
  const at = (z: number): Box =>
    grown([across(z, xmin), across(z, -ymax), across(z, xmax), across(z, -ymin)], 2 * group.size);
  // As viewers do it: the tiles of the zoom before.
  let zoom = Math.max(0, Math.min(DEEPEST, Math.floor(viewZoom + 1e-6)));
  while (zoom > 0 && tilesIn(at(zoom), zoom).length > MAX_TILES) zoom -= 1;
  return planGroups(layer, group, zoom, wholeCells(at(zoom), group), conditions);
}

function planGroups(layer: VectorLayer, group: Group, zoom: number, box: Box, conditions: readonly Sql[]): GroupPlan {
  const expected = layer.estimatedRows * shareOf(layer.extent?.wgs84, degreesOf(box, zoom));
  const plan = { layer, group, zoom, box, conditions };
  const hasOverview = layer.overview !== undefined && conditions.length === 0 && keyType(layer) !== undefined;
  if (hasOverview && expected > MAX_COUNTED) return { ...plan, source: { kind: 'kept', tiles: tilesIn(box, zoom) } };
  const percent = expected > MAX_SAMPLED ? (100 * MAX_SAMPLED) / expected : undefined;
  return { ...plan, source: { kind: 'rows', percent } };
}

/** Attributes of the groups of a plan, in the order in which `groupRows` has them. */
export function groupColumns({ value }: Group): readonly Pick<LayerColumn, 'name' | 'type'>[] {
  return [
    { name: COUNT, type: 'bigint' },
    { name: SHORT_COUNT, type: 'text' },
    ...(value === undefined ? [] : [{ name: VALUE, type: 'double precision' }]),
  ];
}

/** Rows of `shape` (in EPSG:3857), the columns of `groupColumns` as `c0`, `c1` …, and of clusters `k`: the key of one of its features, as text. */
export function groupRows(plan: GroupPlan): Sql {
  const { group } = plan;
  const value: Sql =
    group.value === undefined
      ? empty
      : group.value.of === 'sum'
        ? sql`, sum(v * n) as v`
        : sql`, sum(v * n) / nullif(sum(n) filter (where v is not null), 0) as v`;
  const shown: Sql = group.value === undefined ? empty : sql`, v as c2`;
  const counted = sql`with q as (${placedRows(plan)}), g as (select kx, ky, round(sum(n))::bigint as n, sum(x * n) / sum(n) as x, sum(y * n) / sum(n) as y${value}${group.kind === 'cluster' ? raw(', min(k) as k') : empty}
    from (${cells(group)}) c group by kx, ky limit ${whole(MAX_GROUPS)})`;
  return sql`${counted} select ${shapeOf(plan)} as shape, n as c0, ${SHORT} as c1${shown}${group.kind === 'cluster' ? raw(', k') : empty} from g`;
}

/** 950, 1.2k, 34k, 2.5M. */
const SHORT: Sql = raw(`case when n < 1000 then n::text
  when n < 10000 then trim_scale(round(n / 1000.0, 1))::text || 'k' when n < 1000000 then round(n / 1000.0)::text || 'k'
  when n < 10000000 then trim_scale(round(n / 1000000.0, 1))::text || 'M' else round(n / 1000000.0)::text || 'M' end`);

/** `x`, `y` in pixels of the zoom, `n` features there, and their value `v`. */
function placedRows(plan: GroupPlan): Sql {
  const { layer, zoom, box, source, group } = plan;
  const { mx, my } = mercator(layer);
  const world = number(TILE * 2 ** zoom);
  const value: Sql = raw(`${group.value === undefined ? '' : ', v'}${group.kind === 'cluster' ? ', k' : ''}`);
  const [west, north, east, south] = box.map(number) as [Sql, Sql, Sql, Sql];
  const inBox = sql`x >= ${west} and x < ${east} and y >= ${north} and y < ${south}`;
  const placed = (middles: Sql, tile: Sql): Sql =>
    sql`select * from (select least(greatest(${mx}, 0), 0.999999999) * ${world} as x, least(greatest(${my}, 0), 0.999999999) * ${world} as y, n${value}${tile} from ${projected(layer, middles)} where cx is not null) r where n > 0 and ${inBox}`;
  if (source.kind === 'rows') {
    const weight = number(source.percent === undefined ? 1 : 100 / source.percent);
    const where = allOf([near(layer, degreesOf(box, zoom)), ...plan.conditions]);
    return placed(sql`select ${middle(plan, weight)} from ${looked(layer, source.percent)} where ${where}`, empty);
  }
  const id = whole(layer.id);
  const type = keyType(layer) ?? raw('text');
  const byKey = (key: Sql): Sql =>
    sql`lateral (select * from ${tableOf(layer)} as f where ${keyOf(layer)} = ${key}::${type} offset 0) f`;
  const parts = source.tiles.flatMap(({ z, x, y }) => {
    const tile = sql`${id}, ${whole(z)}, ${whole(x)}, ${whole(y)}`;
    const isKept = sql`exists (select from portal.overview_tile(${tile}) o where o.has_keys and not o.stale)`;
    const home = sql`, ${whole(x)} as tx, ${whole(y)} as ty`;
    // One that changed since is counted below; the others of its cell stay where it is.
    const weight: Sql = sql`(o.n - exists (select from fresh where fresh.key = o.key)::integer)::double precision`;
    const kept = sql`select ${middle(plan, weight)}${home} from portal.overview_cells(${tile}) o, ${byKey(raw('o.key'))} where (select ${isKept})`;
    const since = sql`select ${middle(plan, number(1))}${home} from fresh, ${byKey(raw('fresh.key'))} where (select ${isKept})`;
    const others = sql`select ${middle(plan, number(1))}${home} from ${tableOf(layer)} as f where not (select ${isKept}) and ${near(layer, tileDegrees({ z, x, y }))}`;
    return [kept, since, others];
  });
  // A row that lies on the edge of two tiles is found in both, and counted in its own.
  const own = sql` and floor(x / ${number(TILE)}) = tx and floor(y / ${number(TILE)}) = ty`;
  return sql`with fresh as materialized (select key from portal.overview_fresh(${id})) ${placed(join(parts, ' union all '), raw(', tx, ty'))}${own}`;
}

function middle({ layer, group }: GroupPlan, n: Sql): Sql {
  const gis = gisOf(layer);
  const shape = geometryOf(layer);
  const half = (low: 'st_xmin' | 'st_ymin', high: 'st_xmax' | 'st_ymax'): Sql =>
    sql`(${gis(low)}(${shape}) + ${gis(high)}(${shape})) / 2`;
  const value: Sql = group.value === undefined ? empty : sql`, ${columnOf(group.value.column)}::double precision as v`;
  const key: Sql = group.kind === 'cluster' ? sql`, ${keyOf(layer)}::text as k` : empty;
  return sql`${half('st_xmin', 'st_xmax')} as cx, ${half('st_ymin', 'st_ymax')} as cy, ${n} as n${value}${key}`;
}

/** The rows of `q`, each with its cell `kx`, `ky`. */
function cells({ kind, size }: Group): Sql {
  const width = number(size);
  if (kind === 'cluster') return sql`select q.*, floor(x / ${width}) as kx, floor(y / ${width}) as ky from q`;
  // The middles of a honeycomb are those of two grids of upright rectangles, one in the gaps of the other: a point belongs to the nearer of the
  // two that are nearest to it. Counted in halves, so that even numbers are of the first grid and odd ones of the second.
  const height = number(size * Math.sqrt(3));
  const even = sql`2 * round(x / ${width}) as ex, 2 * round(y / ${height}) as ey`;
  const odd = sql`2 * floor(x / ${width}) + 1 as ox, 2 * floor(y / ${height}) + 1 as oy`;
  const far = (kx: Sql, ky: Sql): Sql => sql`(x - ${kx} * ${width} / 2) ^ 2 + (y - ${ky} * ${height} / 2) ^ 2`;
  const isEven = sql`${far(raw('ex'), raw('ey'))} <= ${far(raw('ox'), raw('oy'))}`;
  return sql`select h.*, case when is_even then ex else ox end as kx, case when is_even then ey else oy end as ky
    from (select h.*, ${isEven} as is_even from (select q.*, ${even}, ${odd} from q) h) h`;
}

/** A cluster is drawn in the middle of its points, but not at the edge of its cell, where the next one could cover it. One point stands where it is. */
function shapeOf({ layer, group, zoom }: GroupPlan): Sql {
  const gis = gisOf(layer);
  const { kind, size } = group;
  const metre = (2 * WORLD_HALF) / (TILE * 2 ** zoom);
  const at = (x: Sql, y: Sql): Sql =>
    sql`${gis('st_setsrid')}(${gis('st_makepoint')}(${x} * ${number(metre)} - ${number(WORLD_HALF)}, ${number(WORLD_HALF)} - ${y} * ${number(metre)}), 3857)`;
  if (kind === 'cluster') {
    const inner = (place: Sql, cell: Sql): Sql =>
      sql`case when n = 1 then ${place} else least(greatest(${place}, (${cell} + 0.25) * ${number(size)}), (${cell} + 0.75) * ${number(size)}) end`;
    return at(inner(raw('x'), raw('kx')), inner(raw('y'), raw('ky')));
  }
  const [width, side] = [size * metre, (size * metre) / Math.sqrt(3)];
  const corners = [
    [0, side],
    [width / 2, side / 2],
    [width / 2, -side / 2],
    [0, -side],
    [-width / 2, -side / 2],
    [-width / 2, side / 2],
    [0, side],
  ] as const;
  const ring = corners.map(([x, y]) => sql`${gis('st_makepoint')}(${number(x)}, ${number(y)})`);
  const cell = sql`${gis('st_setsrid')}(${gis('st_makepolygon')}(${gis('st_makeline')}(array[${join(ring)}])), 3857)`;
  const [x, y] = [number((size / 2) * metre), number(((size * Math.sqrt(3)) / 2) * metre)];
  return sql`${gis('st_translate')}(${cell}, kx * ${x} - ${number(WORLD_HALF)}, ${number(WORLD_HALF)} - ky * ${y})`;
}

function near(layer: VectorLayer, degrees: Box): Sql {
  return inDegrees(layer, degrees, (box) => overlaps(layer, geometryOf(layer), box));
}

/** Rows beyond the reach of the map are counted at its edge, so that edge has no end. */
function degreesOf([xmin, ymin, xmax, ymax]: Box, zoom: number): Box {
  const span = TILE * 2 ** zoom;
  const metres = (pixels: number): number => (pixels / span) * 2 * WORLD_HALF - WORLD_HALF;
  const [west, south, east, north] = fromMercator([metres(xmin), -metres(ymax), metres(xmax), -metres(ymin)]);
  return [xmin <= 0 ? -540 : west, ymax >= span ? -90 : south, xmax >= span ? 540 : east, ymin <= 0 ? 90 : north];
}

function grown([xmin, ymin, xmax, ymax]: Box, by: number): Box {
  return [xmin - by, ymin - by, xmax + by, ymax + by];
}

/** Clusters at the edge of a view are counted whole. */
function wholeCells([xmin, ymin, xmax, ymax]: Box, { kind, size }: Group): Box {
  if (kind !== 'cluster') return [xmin, ymin, xmax, ymax];
  return [
    Math.floor(xmin / size) * size,
    Math.floor(ymin / size) * size,
    Math.ceil(xmax / size) * size,
    Math.ceil(ymax / size) * size,
  ];
}

function tilesIn([xmin, ymin, xmax, ymax]: Box, zoom: number): readonly TileAddress[] {
  const last = 2 ** zoom - 1;
  const [west, north] = [Math.max(0, Math.floor(xmin / TILE)), Math.max(0, Math.floor(ymin / TILE))];
  const [east, south] = [Math.min(last, Math.ceil(xmax / TILE) - 1), Math.min(last, Math.ceil(ymax / TILE) - 1)];
  const tiles: TileAddress[] = [];
  for (let x = west; x <= east && tiles.length <= MAX_TILES; x++)
    for (let y = north; y <= south && tiles.length <= MAX_TILES; y++) tiles.push({ z: zoom, x, y });
  return tiles;
}
