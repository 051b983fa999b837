// Features of a crowded tile: which of them stand for the others, by an overview or looked for in the table, and their shapes in EPSG:3857. Tiles and
// pictures draw the same ones. Pure.

import { MAX_LATITUDE } from '../../geo/bbox.ts';
import { tileBounds, tileDegrees, tileSpan } from '../../geo/tile.ts';
import type { Bbox } from '../../layers/layer.ts';
import { empty, raw, sql } from '../../sql/index.ts';
import { clipped, envelope, inDegrees } from './box-sql.ts';
import { CELL_BITS, cellAt, cellWidth, FINEST_ZOOM, keyType, MAX_FINE, metresOf, places } from './grid-sql.ts';
import { EXTENT, isGeographic, nativePixel } from './layer-scale.ts';
import { geometryOf, gisOf, keyOf, overlaps, tableOf } from './layer-sql.ts';
import { looked } from './thinning.ts';
import { BUFFER, FULL_ZOOM, type TilePlan } from './tile-plan.ts';
import { allOf, number, type Sql, whole } from './value.ts';

/** `key`, `n` and `cover` of the features that stand for the others, by the overview; and those that came or changed since, as they are. */
export function keptKeys(plan: TilePlan): Sql {
  const { layer, tile } = plan;
  const id = whole(layer.id);
  const type = keyType(layer) ?? raw('text');
  return sql`with fresh as materialized (select key from portal.overview_fresh(${id}))
  select o.key, o.n, o.cover from portal.overview_cells(${id}, ${whole(tile.z)}, ${whole(tile.x)}, ${whole(tile.y)}) o
   where not exists (select from fresh where fresh.key = o.key)
  union all select fresh.key, 1, null from fresh, lateral (select * from ${tableOf(layer)} as f where ${keyOf(layer)} = fresh.key::${type} offset 0) f where ${inTile(plan)}`;
}

/** The same of a tile whose features are looked through. Of areas also the box `x1`, `y1`, `x2`, `y2` of all in the cell, in finest cells. */
export function griddedKeys(plan: TilePlan): Sql {
  const { layer, tile } = plan;
  const hasSize = layer.geometry.kind !== 'point';
  const hasBoxes = isOfAreas(plan);
  // Deeper tiles than the grid knows have its finest cells.
  const zoom = Math.max(0, Math.min(tile.z, FINEST_ZOOM) - coarser(plan));
  const found = sql`with p as materialized (${places(layer, looked(layer, undefined), inTile(plan), hasBoxes)})`;
  if (!hasSize) return sql`${found}, ${fineOrCoarse(zoom)}`;
  const width = number(cellWidth(zoom));
  const cover = sql`least(sum(area) / (${width} * ${width}), 1)::real`;
  const boxes = hasBoxes
    ? raw(', min(px - hx) as x1, min(py - hy) as y1, max(px + hx) as x2, max(py + hy) as y2, sum(area) as area')
    : empty;
  const none = hasBoxes ? raw(', null, null, null, null, null') : empty;
  const dust = sql`select substr(min(hk), 9) as key, count(*)::integer as n, ${cover} as cover${boxes} from p where size < ${width} group by ${cellAt('px', zoom)}, ${cellAt('py', zoom)}`;
  const large = sql` union all select substr(hk, 9), 1, null${none} from p where size >= ${width}`;
  return sql`${found} ${dust}${large}`;
}

/**
 * Points get cells of half the width where these still fit, as in an overview: beside a tile that has them, one with fewer points would look emptier
 * than it is.
 */
function fineOrCoarse(zoom: number): Sql {
  const fits = sql`(select count(*) from fine) <= ${whole(MAX_FINE)}`;
  return sql`fine as materialized (select min(hk) as hk, count(*)::integer as n, ${cellAt('px', zoom + 1)} as cx, ${cellAt('py', zoom + 1)} as cy from p group by 3, 4)
  select substr(hk, 9) as key, n, null::real as cover from fine where ${fits}
  union all select substr(min(hk), 9), sum(n)::integer, null::real from fine where not ${fits} group by cx >> 1, cy >> 1`;
}

function isOfAreas({ layer }: Pick<TilePlan, 'layer'>): boolean {
  return layer.geometry.kind === 'polygon' || layer.geometry.kind === 'mixed';
}

function coarser({ source }: TilePlan): number {
  return source.kind === 'gridded' && source.isCoarse ? 1 : 0;
}

/** Where one area fills less of its cell than this, it is smaller than a pixel, and would be lost. */
const LEAST_COVER = 0.06;
/** Where areas fill more of a cell, no gaps are left between them and those of the next one. */
const FULL_COVER = 0.4;

/** Of the row `c`: it is drawn as a square that stands for the areas of its cell. */
export function isSquare({ layer }: Pick<TilePlan, 'layer'>): Sql {
  const { kind } = layer.geometry;
  if (kind === 'point' || kind === 'line') return raw('false');
  const isArea: Sql = kind === 'mixed' ? sql` and ${gisOf(layer)('st_dimension')}(${geometryOf(layer)}) = 2` : empty;
  return sql`(c.cover is not null and (c.n > 1 or c.cover < ${number(LEAST_COVER)})${isArea})`;
}

/** A point, a line, an area alone in its cell as it is. Several areas smaller than a cell are a square, as large as what they cover of it together. */
export function cellShape(plan: TilePlan): Sql {
  const { layer, tile } = plan;
  const source = geometryOf(layer);
  // Of thousands nobody sees the corners that are finer than half a pixel.
  const large = layer.geometry.kind === 'point' ? drawn(plan, source) : simplified(plan, source, 0.5);
  const { kind } = layer.geometry;
  if (kind === 'point' || kind === 'line') return large;
  const gis = gisOf(layer);
  const width = tileSpan(tile.z) / 2 ** (CELL_BITS - coarser(plan));
  // The middle by which the area was put into its cell: another one could lie in the next cell, and leave a hole here.
  const [x, y] = [
    sql`(${gis('st_xmin')}(${source}) + ${gis('st_xmax')}(${source})) / 2`,
    sql`(${gis('st_ymin')}(${source}) + ${gis('st_ymax')}(${source})) / 2`,
  ];
  const place = sql`${gis('st_setsrid')}(${gis('st_makepoint')}(${x}, ${y}), ${whole(layer.srid)})`;
  const middle = toMercator(plan, place);
  const isFull = sql`c.cover > ${number(FULL_COVER)}`;
  const half = sql`(case when ${isFull} then ${number(width / 2)} else greatest(${number(width / 8)}, ${number(width / 2)} * sqrt(c.cover)) end)`;
  const onGrid = sql`(case when ${isFull} then ${gis('st_translate')}(${gis('st_snaptogrid')}(${gis('st_translate')}(m.p, ${number(-width / 2)}, ${number(-width / 2)}), ${number(width)}), ${number(width / 2)}, ${number(width / 2)}) else m.p end)`;
  const square: Sql =
    plan.source.kind === 'gridded'
      ? mergedBox(plan)
      : sql`(select ${gis('st_expand')}(${onGrid}, ${half}) from (select ${middle} as p) m)`;
  const alone = simplified(plan, source, 0.125);
  return sql`case when ${isSquare(plan)} then ${square} when c.cover is not null then ${alone} else ${large} end`;
}

/**
 * The box of all areas of a cell, as far as they fill it. The cell itself would do where there are many; where areas are about as large as cells, two of
 * them in one and none in the next left rows of holes.
 */
function mergedBox({ layer, tile }: TilePlan): Sql {
  const least = number(cellWidth(Math.min(tile.z, FINEST_ZOOM)) / 8);
  const fill = raw('least(c.area / nullif((c.x2 - c.x1) * (c.y2 - c.y1), 0), 1)');
  const part = sql`(case when ${fill} > ${number(FULL_COVER)} then 1 else sqrt(coalesce(${fill}, 0)) end)`;
  const edges = sql`select (c.x1 + c.x2) / 2 as mx, (c.y1 + c.y2) / 2 as my, greatest(${least}, (c.x2 - c.x1) / 2 * ${part}) as w, greatest(${least}, (c.y2 - c.y1) / 2 * ${part}) as h`;
  const gis = gisOf(layer);
  return sql`(select ${gis('st_makeenvelope')}(${metresOf(raw('(mx - w)'), 'x')}, ${metresOf(raw('(my + h)'), 'y')}, ${metresOf(raw('(mx + w)'), 'x')}, ${metresOf(raw('(my - h)'), 'y')}, 3857) from (${edges}) e)`;
}

function simplified(plan: TilePlan, source: Sql, pixels: number): Sql {
  const tolerance = number(nativePixel(plan.layer, plan.tile.z) * pixels);
  return toMercator(plan, sql`${gisOf(plan.layer)('st_simplify')}(${source}, ${tolerance}, true)`);
}

/** A feature as it is drawn: what is finer than a quarter of a pixel does not show. */
export function drawn(plan: TilePlan, source: Sql): Sql {
  const { layer, tile } = plan;
  const gis = gisOf(layer);
  if (layer.geometry.kind === 'point' || tile.z >= FULL_ZOOM) return toMercator(plan, source);
  const simple = sql`${gis('st_simplify')}(${source}, ${number(nativePixel(layer, tile.z) / 4)}, true)`;
  return toMercator(plan, sql`case when ${gis('st_npoints')}(${source}) > 100 then ${simple} else ${source} end`);
}

export function toMercator({ layer }: TilePlan, shape: Sql): Sql {
  if (layer.srid === 3857) return shape;
  const north = layer.extent?.wgs84[3] ?? 90;
  const south = layer.extent?.wgs84[1] ?? -90;
  const isPolar = isGeographic(layer) && (north > MAX_LATITUDE || south < -MAX_LATITUDE);
  const world: Bbox = [-540, -MAX_LATITUDE, 540, MAX_LATITUDE];
  const part = isPolar ? clipped(layer, shape, envelope(layer, world, layer.srid)) : shape;
  return sql`${gisOf(layer)('st_transform')}(${part}, 3857)`;
}

/** The rows of a tile that pass its conditions. */
export function inTile(plan: TilePlan): Sql {
  return allOf([nearTile(plan), ...plan.conditions]);
}

function nearTile({ layer, tile }: Pick<TilePlan, 'layer' | 'tile'>): Sql {
  const meets = (box: Sql): Sql => overlaps(layer, geometryOf(layer), box);
  if (layer.srid === 3857) {
    const grow = (BUFFER * tileSpan(tile.z)) / EXTENT;
    const [xmin, ymin, xmax, ymax] = tileBounds(tile);
    return meets(envelope(layer, [xmin - grow, ymin - grow, xmax + grow, ymax + grow], 3857));
  }
  const [west, south, east, north] = tileDegrees(tile);
  const margin = ((east - west) * BUFFER) / EXTENT;
  return inDegrees(
    layer,
    [west - margin, Math.max(-90, south - margin), east + margin, Math.min(90, north + margin)],
    meets,
  );
}
