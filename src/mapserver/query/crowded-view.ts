// A view of a layer with very many features → the features that stand for the others, those of the tiles that viewers show of the same part of the
// world: by the overview where a tile has one, looked for where it has fewer, and all of them where it is not crowded. Pure.

import type { Box } from '../../geo/bbox.ts';
import { type TileAddress, WORLD_HALF } from '../../geo/tile.ts';
import type { VectorLayer } from '../../layers/layer.ts';
import type { Row, Statement } from '../../pg/driver.ts';
import { join, raw, sql } from '../../sql/index.ts';
import { cellShape, griddedKeys, inTile, isSquare, keptKeys } from './crowd-sql.ts';
import { keyType, mercator, projected } from './grid-sql.ts';
import { geometryOf, gisOf, keyOf, overlaps, tableOf } from './layer-sql.ts';
import { crowdedTile, type TilePlan, wholeTile } from './tile-plan.ts';
import { number, type Sql, toStatement, whole } from './value.ts';

/** Tiles of a view. Areas are merged further where there are more; of points some are left out. */
const MAX_TILES = { area: 9, other: 36 } as const;
/** Features that are drawn of a crowd. */
const MAX_DRAWN = 150_000;
const LEAST_DRAWN = 500;

export type CrowdedView = {
  readonly crowded: readonly TilePlan[];
  /** Tiles whose features all fit. */
  readonly others: readonly TilePlan[];
  /** Features of each crowded tile that are drawn at most. */
  readonly most: number;
};

/** The tiles that viewers show of a box in metres of EPSG:3857; undefined: the layer has no overview, or no crowd so near by. */
export function tilesOfView(layer: VectorLayer, box: Box, viewZoom: number): readonly TileAddress[] | undefined {
  const { overview } = layer;
  if (overview === undefined || keyType(layer) === undefined) return undefined;
  // As viewers do it: the tiles of the zoom before.
  let zoom = Math.max(0, Math.floor(viewZoom + 1e-6));
  if (zoom > overview.deepest) return undefined;
  const most = MAX_TILES[isArea(layer) ? 'area' : 'other'];
  let tiles = tilesIn(box, zoom, most);
  while (tiles.length > most && zoom > 0) {
    zoom -= 1;
    tiles = tilesIn(box, zoom, most);
  }
  return tiles;
}

function isArea({ geometry }: VectorLayer): boolean {
  return geometry.kind === 'polygon' || geometry.kind === 'mixed';
}

/** What the overview says of tiles: no row for those that are not crowded. */
export function crowdsStatement({ id }: Pick<VectorLayer, 'id'>, tiles: readonly TileAddress[]): Statement {
  const rows = tiles.map(({ z, x, y }) => sql`(${whole(z)}, ${whole(x)}, ${whole(y)})`);
  return toStatement(
    sql`select t.x, t.y, o.has_keys, o.stale from (values ${join(rows)}) t(z, x, y), lateral portal.overview_tile(${whole(id)}, t.z, t.x, t.y) o`,
  );
}

/** Of the rows of that statement. `most`: features that are enough for the picture. Undefined: nothing is crowded, or the overview is out of date. */
export function crowdedView(
  layer: VectorLayer,
  tiles: readonly TileAddress[],
  rows: readonly Row[],
  most: number,
): CrowdedView | undefined {
  const known = new Map(rows.map(([x, y, ...state]) => [`${x} ${y}`, state.map((cell) => cell?.toString() === 't')]));
  if ([...known.values()].some(([, isStale]) => isStale)) return undefined;
  const crowded: TilePlan[] = [];
  const others: TilePlan[] = [];
  for (const tile of tiles) {
    const [hasKeys] = known.get(`${tile.x} ${tile.y}`) ?? [];
    if (hasKeys === undefined) others.push(wholeTile(layer, tile));
    else crowded.push(crowdedTile(layer, tile, { hasKeys }));
  }
  if (crowded.length === 0) return undefined;
  // Squares that are left out are holes.
  const enough = isArea(layer) ? MAX_DRAWN : Math.min(MAX_DRAWN, most);
  return { crowded, others, most: Math.max(LEAST_DRAWN, Math.ceil(enough / crowded.length)) };
}

/** What of a feature `f` of a crowd is selected by: whether it is a square in place of several, that square in EPSG:3857, and for how many it stands. */
type Chosen = { readonly isSquare: Sql; readonly square: Sql; readonly count: Sql };

/** Selects of the crowded tiles, within a box of the layer's system. What is larger than a cell and reaches into several tiles comes once for each. */
export function crowdRows({ crowded, most }: CrowdedView, box: Sql, columns: (chosen: Chosen) => readonly Sql[]): Sql {
  const selects = crowded.map((plan) => {
    const { layer, source } = plan;
    const keys = source.kind === 'kept' ? keptKeys(plan) : griddedKeys(plan);
    const type = keyType(layer) ?? raw('text');
    const byKey = sql`lateral (select * from ${tableOf(layer)} as f where ${keyOf(layer)} = c.key::${type} and ${overlaps(layer, geometryOf(layer), box)} offset 0) f`;
    const selected = columns({ isSquare: isSquare(plan), square: cellShape(plan), count: raw('c.n') });
    // Their order is as good as random: of many, the first ones are any.
    return sql`(with chosen as materialized (${keys}), c as materialized (select * from chosen limit ${whole(most)})
    select ${join(selected)} from c, ${byKey} where ${isOwn(plan)})`;
  });
  return join(selects, ' union all ');
}

/** What is smaller than a cell is drawn of the one tile in which its middle lies. */
function isOwn({ layer, tile }: TilePlan): Sql {
  const gis = gisOf(layer);
  const shape = geometryOf(layer);
  const middle = sql`select (${gis('st_xmin')}(${shape}) + ${gis('st_xmax')}(${shape})) / 2 as cx, (${gis('st_ymin')}(${shape}) + ${gis('st_ymax')}(${shape})) / 2 as cy`;
  const { mx, my } = mercator(layer);
  const count = number(2 ** tile.z);
  const within = (part: Sql): Sql => sql`floor(least(greatest(${part}, 0), 0.999999999) * ${count})`;
  const isHere = sql`(select ${within(mx)} = ${whole(tile.x)} and ${within(my)} = ${whole(tile.y)} from ${projected(layer, middle)})`;
  return layer.geometry.kind === 'point' ? isHere : sql`(c.cover is null or ${isHere})`;
}

/** Rows of the tiles that are not crowded. */
export function inOthers({ others }: CrowdedView): Sql | undefined {
  return others.length === 0 ? undefined : sql`(${join(others.map(inTile), ' or ')})`;
}

/** One more than `most` at most. */
function tilesIn([xmin, ymin, xmax, ymax]: Box, zoom: number, most: number): readonly TileAddress[] {
  const count = 2 ** zoom;
  const at = (metres: number): number => ((metres + WORLD_HALF) / (2 * WORLD_HALF)) * count;
  const within = (tile: number): number => Math.max(0, Math.min(count - 1, tile));
  const [west, east] = [within(Math.floor(at(xmin))), within(Math.ceil(at(xmax)) - 1)];
  const [north, south] = [within(Math.floor(at(-ymax))), within(Math.ceil(at(-ymin)) - 1)];
  const tiles: TileAddress[] = [];
  for (let x = west; x <= east && tiles.length <= most; x++)
    for (let y = north; y <= south && tiles.length <= most; y++) tiles.push({ z: zoom, x, y });
  return tiles;
}
