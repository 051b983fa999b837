// Features of a part of the web's grid → cells (mapserver/cells): one row for each square of four pixels that has the middle of a feature, with
// what its features have together. Overviews are made of it, and whatever has no overview is aggregated by it when it is asked for. Pure.

import { fromMercator } from '../../geo/bbox.ts';
import { type TileAddress, tileBounds, tileSpan, WORLD_HALF } from '../../geo/tile.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { Statement } from '../../pg/driver.ts';
import { ident, join, raw, sql } from '../../sql/index.ts';
import { CELL_PIXELS, type CellColumns, TILE_CELLS } from '../cells/cell.ts';
import { inDegrees } from './box-sql.ts';
import { isGeographic, nativePixel } from './layer-scale.ts';
import { columnOf, geometryOf, gisOf, keyOf, looked, overlaps, tableOf } from './layer-sql.ts';
import { allOf, number, type Sql, toStatement, value, whole } from './value.ts';

/** Features by their size in pixels: width or height of their box, whichever is more. */
export type SizeRange = { readonly least?: number; readonly below?: number };

export type CellQuery = {
  readonly layer: VectorLayer;
  readonly tile: TileAddress;
  /** Cells around the tile that are asked for as well. */
  readonly margin: number;
  readonly columns: CellColumns;
  /** In native units of the layer. Undefined: of every size. */
  readonly sizes: SizeRange | undefined;
  /** Of rows, besides where they are. */
  readonly conditions: readonly Sql[];
  /** Percent of the table's pages that are looked at, the same ones each time; undefined: all. */
  readonly percent: number | undefined;
};

/**
 * Rows of `x`, `y` (of the cell in the tile), `n`, `px`, `py`, `area`, the hash and the key with the categories as JSON, and a sum and a count for each
 * number.
 */
export function cellsStatement(query: CellQuery): Statement {
  const { layer, tile, margin, columns, percent } = query;
  const { mx, my } = mercator(layer);
  const across = number(2 ** tile.z * TILE_CELLS);
  const at = (place: Sql, corner: number): Sql =>
    sql`least(greatest(${place}, 0), 0.999999999) * ${across} - ${number(corner * TILE_CELLS)}`;
  const numbers = columns.numbers.map((_, i) => raw(`v${i}`));
  const placed = sql`select ${at(mx, tile.x)} as u, ${at(my, tile.y)} as v, ${join([raw('a'), raw('chosen'), ...numbers])} from ${projected(layer, middles(query))} where cx is not null`;
  const [low, high] = [number(-margin), number(TILE_CELLS + margin)];
  const weight: Sql = percent === undefined ? raw('count(*)') : sql`round(count(*) * ${number(100 / percent)})`;
  const sums = columns.numbers.flatMap((_, i) => [raw(`sum(v${i})`), raw(`count(v${i})`)]);
  // The area of a cell in square metres of EPSG:3857.
  const cell = number((tileSpan(tile.z) / TILE_CELLS) ** 2);
  const shown = [
    raw('floor(u)::integer'),
    raw('floor(v)::integer'),
    sql`${weight}::bigint`,
    raw('avg(u - floor(u))::real'),
    raw('avg(v - floor(v))::real'),
    sql`(sum(a) / ${cell})::real`,
    raw('min(chosen)'),
    ...sums,
  ];
  return toStatement(
    sql`select ${join(shown)} from (${placed}) p where u >= ${low} and u < ${high} and v >= ${low} and v < ${high} group by 1, 2`,
  );
}

/** Rows of the column and row of a tile, its cells as an overview has them, and whether rows have changed there since. */
export function storedCellsStatement({ id }: Pick<VectorLayer, 'id'>, tiles: readonly TileAddress[]): Statement {
  const numbers = (of: (tile: TileAddress) => number): string => `{${tiles.map(of).join(',')}}`;
  return {
    name: 'overview_cells',
    text: 'select x, y, cells, changed from portal.overview_cells($1, $2, $3, $4)',
    params: [String(id), String(tiles[0]?.z ?? 0), numbers(({ x }) => x), numbers(({ y }) => y)],
  };
}

/** The middle `cx`, `cy` of each feature in the layer's system, what it covers in square metres of EPSG:3857, and what a cell is told of it. */
function middles({ layer, tile, margin, columns, sizes, conditions, percent }: CellQuery): Sql {
  const gis = gisOf(layer);
  const shape = geometryOf(layer);
  const edge = (name: 'st_xmin' | 'st_ymin' | 'st_xmax' | 'st_ymax'): Sql => sql`${gis(name)}(${shape})`;
  const selected = [
    sql`(${edge('st_xmin')} + ${edge('st_xmax')}) / 2 as cx`,
    sql`(${edge('st_ymin')} + ${edge('st_ymax')}) / 2 as cy`,
    sql`${covered(layer)} as a`,
    sql`${chosen(layer, columns)} as chosen`,
    ...columns.numbers.map((name, i) => sql`${finite(columnOf(name))} as ${raw(`v${i}`)}`),
  ];
  const where = [
    near(layer, tile, margin),
    ...(sizes === undefined ? [] : sizeConditions(layer, sizes)),
    ...conditions,
  ];
  return sql`select ${join(selected)} from ${looked(layer, percent)} where ${allOf(where)}`;
}

function near(layer: VectorLayer, tile: TileAddress, margin: number): Sql {
  const [xmin, ymin, xmax, ymax] = tileBounds(tile);
  const grown = (tileSpan(tile.z) * margin) / TILE_CELLS;
  const [west, south, east, north] = fromMercator([xmin - grown, ymin - grown, xmax + grown, ymax + grown]);
  // Features beyond the reach of the map are drawn at its edge, so that edge has no end.
  const last = 2 ** tile.z - 1;
  return inDegrees(
    layer,
    [
      tile.x === 0 ? -540 : west,
      tile.y === last ? -90 : south,
      tile.x === last ? 540 : east,
      tile.y === 0 ? 90 : north,
    ],
    (box) => overlaps(layer, geometryOf(layer), box),
  );
}

/** What a feature covers, in square metres of EPSG:3857, about: by the scale at its middle. */
function covered(layer: VectorLayer): Sql {
  if (layer.geometry.kind === 'point' || layer.geometry.kind === 'line') return raw('0::double precision');
  const gis = gisOf(layer);
  const shape = geometryOf(layer);
  const metres = tileSpan(0) / 512 / nativePixel(layer, 0);
  const area = sql`${gis('st_area')}(${shape}) * ${number(metres * metres)}`;
  if (!isGeographic(layer)) return area;
  // Degrees of latitude are longer on this map the farther they are from the equator.
  const latitude = sql`least(85, greatest(-85, (${gis('st_ymin')}(${shape}) + ${gis('st_ymax')}(${shape})) / 2))`;
  return sql`${area} / cos(radians(${latitude}))`;
}

/**
 * Eight digits that are as good as random, and behind them the key and the categories: the least of a cell is that of any of its features, whatever
 * order they were imported in, so that categories keep their shares.
 */
function chosen(layer: VectorLayer, { categories }: CellColumns): Sql {
  const key = sql`${keyOf(layer)}::text`;
  const told = [sql`left(${key}, 200)`, ...categories.map((name) => sql`left(${columnOf(name)}::text, 200)`)];
  return sql`(lpad(to_hex(hashtext(${key})), 8, '0') || json_build_array(${join(told)})::text) collate "C"`;
}

/** What is no number has no mean. */
function finite(column: Sql): Sql {
  return sql`nullif(nullif(nullif(${column}::double precision, 'NaN'), 'Infinity'), '-Infinity')`;
}

/** Longest side of the box of a feature, in units of the layer. As it stands in the indexes of sizes. */
function sizeOf(layer: Pick<VectorLayer, 'gis' | 'geometry'>, shape: Sql = geometryOf(layer)): Sql {
  const gis = gisOf(layer);
  return sql`greatest(${gis('st_xmax')}(${shape}) - ${gis('st_xmin')}(${shape}), ${gis('st_ymax')}(${shape}) - ${gis('st_ymin')}(${shape}))`;
}

/** From this size on, in units of the layer, a feature fills a cell of that zoom. */
export function cellSize(layer: VectorLayer, zoom: number): number {
  return nativePixel(layer, zoom) * CELL_PIXELS;
}

export function sizeConditions(layer: VectorLayer, { least, below }: SizeRange): readonly Sql[] {
  const size = sizeOf(layer);
  return [
    ...(least === undefined ? [] : [sql`${size} >= ${number(least)}`]),
    ...(below === undefined ? [] : [sql`${size} < ${number(below)}`]),
  ];
}

/** A fair sample of features, the same ones everywhere: by a hash of the key. */
export function inShare(layer: VectorLayer, share: number): readonly Sql[] {
  if (share >= 1) return [];
  return [sql`(hashtext(${keyOf(layer)}::text) & 65535) < ${whole(Math.max(1, Math.round(share * 65_536)))}`];
}

/** Rows with a middle `cx`, `cy` in the layer's system, such that `mercator` can be asked about them. */
function projected(layer: VectorLayer, rows: Sql): Sql {
  const gis = gisOf(layer);
  return layer.srid === 3857 || isGeographic(layer)
    ? sql`(${rows}) m`
    : sql`(${rows}) m, lateral (select ${gis('st_transform')}(${gis('st_setsrid')}(${gis('st_makepoint')}(cx, cy), ${whole(layer.srid)}), 3857) as p) t`;
}

/** Of the middle `cx`, `cy`, as fractions of the world from west and from north. */
function mercator(layer: VectorLayer): { readonly mx: Sql; readonly my: Sql } {
  if (isGeographic(layer))
    return {
      mx: raw('(cx + 180) / 360'),
      my: raw('0.5 - ln(tan(pi() / 4 + radians(least(85.0511, greatest(-85.0511, cy))) / 2)) / (2 * pi())'),
    };
  const world = number(2 * WORLD_HALF);
  const gis = gisOf(layer);
  const isOwn = layer.srid === 3857;
  const x: Sql = isOwn ? raw('cx') : sql`${gis('st_x')}(p)`;
  const y: Sql = isOwn ? raw('cy') : sql`${gis('st_y')}(p)`;
  return { mx: sql`${x} / ${world} + 0.5`, my: sql`0.5 - ${y} / ${world}` };
}

/** The type of the layer's key, for a key that is told as text; undefined: a type whose values are not. */
export function keyType({ keyType: type }: Pick<VectorLayer, 'keyType'>): Sql | undefined {
  const plain = (type.split('(')[0] ?? '').trim();
  const known = KEY_TYPES.find((each) => each === plain);
  return known === undefined ? undefined : raw(known);
}

const KEY_TYPES = ['integer', 'bigint', 'smallint', 'text', 'uuid', 'numeric', 'character varying'] as const;

/** Rows in the order of their keys, after one key and up to another. Undefined: from the first, to the last. */
export type KeyRange = { readonly after: string | undefined; readonly upTo: string | undefined };

function inRange(layer: VectorLayer, { after, upTo }: KeyRange): readonly Sql[] {
  const type = keyType(layer) ?? raw('text');
  return [
    ...(after === undefined ? [] : [sql`${keyOf(layer)} > ${value(after)}::${type}`]),
    ...(upTo === undefined ? [] : [sql`${keyOf(layer)} <= ${value(upTo)}::${type}`]),
  ];
}

/** One cell: the key of the last of so many rows; none where there are fewer. */
export function pieceEndStatement(layer: VectorLayer, after: string | undefined, rows: number): Statement {
  const where = inRange(layer, { after, upTo: undefined });
  return toStatement(
    sql`select ${keyOf(layer)}::text from ${tableOf(layer)} as f where ${allOf([sql`true`, ...where])} order by ${keyOf(layer)} offset ${whole(rows - 1)} limit 1`,
  );
}

/** Rows of a tile's column and row, the zoom from which on features fill a cell, and how many there are. */
export function countStatement(layer: VectorLayer, zoom: number, neverLevel: number, range: KeyRange): Statement {
  const gis = gisOf(layer);
  const shape = geometryOf(layer);
  const edge = (name: 'st_xmin' | 'st_ymin' | 'st_xmax' | 'st_ymax'): Sql => sql`${gis(name)}(${shape})`;
  const size: Sql = layer.geometry.kind === 'point' ? raw('0::double precision') : sizeOf(layer);
  const rows = sql`select (${edge('st_xmin')} + ${edge('st_xmax')}) / 2 as cx, (${edge('st_ymin')} + ${edge('st_ymax')}) / 2 as cy, ${size} as size
    from ${tableOf(layer)} as f where ${allOf([sql`${shape} is not null`, ...inRange(layer, range)])}`;
  const { mx, my } = mercator(layer);
  const across = number(2 ** zoom);
  const at = (place: Sql): Sql => sql`floor(least(greatest(${place}, 0), 0.999999999) * ${across})::integer`;
  // The size doubles in pixels with each zoom.
  const level = sql`case when size > 0 then least(greatest(ceil(log(2, (${number(cellSize(layer, 0))} / size)::numeric)), 0), ${whole(neverLevel)})::integer else ${whole(neverLevel)} end`;
  return toStatement(
    sql`select ${at(mx)}, ${at(my)}, ${level}, count(*) from ${projected(layer, rows)} where cx is not null group by 1, 2, 3`,
  );
}

/** Of a sample: how many corners a feature has, then of each column how many different values it has, and how long they are. */
export function sampleStatement(layer: VectorLayer, columns: readonly string[], rows: number): Statement {
  const shape = geometryOf(layer);
  const corners: Sql = layer.geometry.kind === 'point' ? raw('1') : sql`avg(${gisOf(layer)('st_npoints')}(${shape}))`;
  const variety = columns.flatMap((name) => [
    sql`count(distinct left(${columnOf(name)}::text, 200))`,
    sql`avg(octet_length(${columnOf(name)}::text))`,
  ]);
  const percent = Math.min(100, (100 * rows) / Math.max(1, layer.estimatedRows));
  return toStatement(sql`select ${join([corners, ...variety])} from ${looked(layer, percent)}`);
}

/**
 * Indexes by which features that fill a cell are found among many more that do not: each has the places of those alone that are at least
 * as large as a power of two, in units of the layer. Every third power has one, from the size of a cell of the last summarised zoom on.
 */
export function sizeIndexes(layer: VectorLayer, summaryTo: number): readonly Statement[] {
  if (layer.geometry.kind === 'point') return [];
  const shape = ident(layer.geometry.column);
  const index = (power: number): Sql =>
    sql`create index if not exists ${ident(`survest_size_${layer.id}_${power}`)} on ${tableOf(layer)} using gist (${shape}) where ${isAtLeast(layer, power, shape)}`;
  return indexedPowers(layer, summaryTo).map((power) => toStatement(index(power)));
}

/** The condition of the index that finds features of at least this size. */
export function indexedSize(layer: VectorLayer, size: number, summaryTo: number): Sql {
  const power = indexedPowers(layer, summaryTo).findLast((one) => 2 ** one <= size);
  return power === undefined ? sql`true` : isAtLeast(layer, power);
}

const POWERS_BETWEEN = 3;

/** The smallest first. */
function indexedPowers(layer: VectorLayer, summaryTo: number): readonly number[] {
  const [least, most] = [cellSize(layer, summaryTo), cellSize(layer, 0)].map((size) => Math.floor(Math.log2(size)));
  const powers: number[] = [];
  for (let power = least ?? 0; power <= (most ?? 0); power += POWERS_BETWEEN) powers.push(power);
  return powers;
}

/** The number stands in the text: PostgreSQL compares the condition with that of the index. */
function isAtLeast(layer: Pick<VectorLayer, 'gis' | 'geometry'>, power: number, shape?: Sql): Sql {
  return sql`${sizeOf(layer, shape)} >= ${raw(String(2 ** power))}::double precision`;
}
