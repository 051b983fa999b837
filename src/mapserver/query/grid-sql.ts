// The grid of overviews: every feature has a place in the finest cells of the world, and each zoom sees some of its bits. A cell is a 128th of a
// tile wide, four pixels: about as large as a small symbol, and a full tile still weighs less than half a megabyte. The same expressions
// are used when an overview is made and when a tile is aggregated as it is asked for. Pure.

import { WORLD_HALF } from '../../geo/tile.ts';
import type { VectorLayer } from '../../layers/layer.ts';
import { empty, raw, sql } from '../../sql/index.ts';
import { isGeographic, nativePixel } from './layer-scale.ts';
import { geometryOf, gisOf, keyOf } from './layer-sql.ts';
import { number, type Sql, whole } from './value.ts';

/** The last zoom that is aggregated. */
export const FINEST_ZOOM = 20;
/** Cells across a tile, as a power of two. */
export const CELL_BITS = 7;
/** Cells of its tiles may be halved once more. */
const GRID_ZOOM = FINEST_ZOOM + 1;
const WORLD_BITS = GRID_ZOOM + CELL_BITS;
/** Points of a tile, each in a cell of two pixels: they weigh what a tile may. */
export const MAX_FINE = 16_000;
/** Cells by which a tile reaches over its edge: 64 of 4096 units. */
export const EDGE_CELLS = 2;

/** Columns `px`, `py` (the finest cell of the feature's middle), `hk` (see below) and, for lines and areas, `size` and `area` in finest cells; with boxes also `hx`, `hy`, half of its width and height. */
export function places(layer: VectorLayer, from: Sql, where: Sql, hasBoxes = false): Sql {
  const gis = gisOf(layer);
  const shape = geometryOf(layer);
  const edge = (name: 'st_xmin' | 'st_ymin' | 'st_xmax' | 'st_ymax'): Sql => sql`${gis(name)}(${shape})`;
  const hasSize = layer.geometry.kind !== 'point';
  const boxes = hasSize
    ? sql`, ${edge('st_xmax')} - ${edge('st_xmin')} as w, ${edge('st_ymax')} - ${edge('st_ymin')} as h, ${gis('st_area')}(${shape}) as a`
    : empty;
  const middles = sql`select (${edge('st_xmin')} + ${edge('st_xmax')}) / 2 as cx, (${edge('st_ymin')} + ${edge('st_ymax')}) / 2 as cy, ${hashedKey(layer)} as hk${boxes}
    from ${from} where ${where} and ${shape} is not null`;
  const { mx, my } = mercator(layer);
  const world = number(2 ** WORLD_BITS);
  const cell = (fraction: Sql): Sql => sql`floor(least(greatest(${fraction}, 0), 0.999999999) * ${world})::integer`;
  const scale = number(2 ** (WORLD_BITS - 9) / nativePixel(layer, 0));
  // Degrees of latitude are as long as those of longitude at the equator alone.
  const stretch: Sql = isGeographic(layer) ? raw('cos(radians(least(85, greatest(-85, cy))))') : raw('1');
  const halves = hasBoxes ? sql`, w * ${scale} / 2 as hx, h / ${stretch} * ${scale} / 2 as hy` : empty;
  const sizes = hasSize
    ? sql`, greatest(w, h / ${stretch}) * ${scale} as size, a * ${scale} * ${scale} / ${stretch} as area${halves}`
    : empty;
  return sql`select ${cell(mx)} as px, ${cell(my)} as py, hk${sizes} from ${projected(layer, middles)} where cx is not null`;
}

/** Rows with a middle `cx`, `cy` in the layer's system, such that `mercator` can be asked about them. */
export function projected(layer: VectorLayer, middles: Sql): Sql {
  const gis = gisOf(layer);
  return layer.srid === 3857 || isGeographic(layer)
    ? sql`(${middles}) m`
    : sql`(${middles}) m, lateral (select ${gis('st_transform')}(${gis('st_setsrid')}(${gis('st_makepoint')}(cx, cy), ${whole(layer.srid)}), 3857) as p) t`;
}

/**
 * The key behind eight digits that are as good as random: the least of a cell is any of its features, whatever order they were imported
 * in, so that classes keep their shares.
 */
function hashedKey(layer: VectorLayer): Sql {
  const key = sql`${keyOf(layer)}::text`;
  return sql`(lpad(to_hex(hashtext(${key})), 8, '0') || ${key}) collate "C"`;
}

/** Of the middle `cx`, `cy`, as fractions of the world from west and from north. */
export function mercator(layer: VectorLayer): { readonly mx: Sql; readonly my: Sql } {
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

/** A finest cell → the cell of a tile of that zoom, counted from the edge of the world. */
export function cellAt(column: 'px' | 'py', zoom: number): Sql {
  return sql`(${raw(column)} >> ${whole(GRID_ZOOM - zoom)})`;
}

/** A finest cell → the tile. */
export function tileAt(column: 'px' | 'py', zoom: number): Sql {
  return sql`(${raw(column)} >> ${whole(WORLD_BITS - zoom)})`;
}

/** Width of a cell of that zoom, in finest cells. */
export function cellWidth(zoom: number): number {
  return 2 ** (GRID_ZOOM - zoom);
}

/** A place in finest cells from the west or the north → metres of EPSG:3857. */
export function metresOf(cells: Sql, axis: 'x' | 'y'): Sql {
  const metres = sql`${cells} * ${number((2 * WORLD_HALF) / 2 ** WORLD_BITS)}`;
  return axis === 'x' ? sql`(${metres} - ${number(WORLD_HALF)})` : sql`(${number(WORLD_HALF)} - ${metres})`;
}

/** Width of a tile of that zoom, in finest cells. */
export function tileWidth(zoom: number): number {
  return 2 ** (WORLD_BITS - zoom);
}

/** `substr(hk, 9)` in the type of the layer's key; undefined: a type whose values are not kept as text. */
export function keyType({ keyType: type }: Pick<VectorLayer, 'keyType'>): Sql | undefined {
  const plain = (type.split('(')[0] ?? '').trim();
  const known = KEY_TYPES.find((each) => each === plain);
  return known === undefined ? undefined : raw(known);
}

const KEY_TYPES = ['integer', 'bigint', 'smallint', 'text', 'uuid', 'numeric', 'character varying'] as const;
