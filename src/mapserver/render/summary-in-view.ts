// A summary of a layer as it is seen in a view: cells, or groups of them, of the tiles that viewers show of the same part of the world → features in
// pixels of the picture.

import { type Box, makeProject, type Project, WEB_MERCATOR } from '../../geo/projection.ts';
import { COUNT, type Group, SHORT_COUNT, VALUE } from '../../geo/style/group.ts';
import { type TileAddress, tileBounds, WORLD_HALF } from '../../geo/tile.ts';
import type { View } from '../../geo/view.ts';
import { exactNumber } from '../../kernel/long-number.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { DbError } from '../../pg/driver.ts';
import { CELL_PIXELS, type Cell, type CellColumns, meanOf } from '../cells/cell.ts';
import { cellShape } from '../cells/cell-shape.ts';
import { groupCells, groupMargin, hexagonCorners, shortCount } from '../cells/group-cells.ts';
import { columnClass } from '../columns/column-class.ts';
import { type CellAsk, type CellAsker, findCells } from '../summary/find-cells.ts';
import type { Feature } from './read-features.ts';

/** Tiles of a picture: of a larger one they are those of the zoom above. */
const MAX_TILES = 36;

/** The zoom and the tiles that are drawn of a box in metres of EPSG:3857. `deepest`: no deeper ones are wanted. */
export function tilesOfView(box: Box, viewZoom: number, deepest: number): readonly TileAddress[] {
  // As viewers do it: the tiles of the zoom before.
  let zoom = Math.max(0, Math.min(deepest, Math.floor(viewZoom + 1e-6)));
  let tiles = tilesIn(box, zoom);
  while (tiles.length > MAX_TILES && zoom > 0) {
    zoom -= 1;
    tiles = tilesIn(box, zoom);
  }
  return tiles;
}

function tilesIn([xmin, ymin, xmax, ymax]: Box, zoom: number): readonly TileAddress[] {
  const count = 2 ** zoom;
  const at = (metres: number): number => ((metres + WORLD_HALF) / (2 * WORLD_HALF)) * count;
  const within = (tile: number): number => Math.max(0, Math.min(count - 1, tile));
  const [west, east] = [within(Math.floor(at(xmin))), within(Math.ceil(at(xmax)) - 1)];
  const [north, south] = [within(Math.floor(at(-ymax))), within(Math.ceil(at(-ymin)) - 1)];
  const tiles: TileAddress[] = [];
  for (let x = west; x <= east && tiles.length <= MAX_TILES; x++)
    for (let y = north; y <= south && tiles.length <= MAX_TILES; y++) tiles.push({ z: zoom, x, y });
  return tiles;
}

export type SummaryAsk = Pick<CellAsk, 'layer' | 'conditions' | 'piece'> & {
  readonly view: View;
  readonly tiles: readonly TileAddress[];
  /** How far symbols reach, in pixels: what lies farther outside of the picture is not drawn. */
  readonly reach: number;
};

export async function cellsInView(
  asker: CellAsker,
  { layer, conditions, piece, view, tiles, reach }: SummaryAsk,
  columns: CellColumns,
): Promise<Result<readonly Feature[], DbError>> {
  const features: Feature[] = [];
  for (const tile of tiles) {
    const found = await findCells(asker, { layer, tile, margin: 0, columns, conditions, isSummary: true, piece });
    if (!found.ok) return found;
    const place = placeIn(view, tile);
    const typeOf = new Map(layer.columns.map(({ name, type }) => [name, columnClass(type)]));
    for (const cell of found.value) {
      const feature = cellFeature(cell, layer, columns, typeOf, place, (places) => isNearPicture(places, view, reach));
      if (feature !== undefined) features.push(feature);
    }
  }
  return ok(features);
}

/** Around a picture are eight tiles, of which symbols alone reach into it. */
function isNearPicture(places: readonly Place[], { width, height }: View, reach: number): boolean {
  const isBetween = (at: number, most: number): boolean => at >= -reach && at <= most + reach;
  return places.some((at) => at !== undefined && isBetween(at[0], width) && isBetween(at[1], height));
}

/** In cells of the tile → pixels of the picture; undefined: the view's system has no such place. */
type Place = readonly [number, number] | undefined;
type PlaceIn = (x: number, y: number, isEdge: boolean) => Place;

function placeIn({ crs, box, width, height }: View, tile: TileAddress): PlaceIn {
  const project: Project = crs.srid === WEB_MERCATOR.srid ? (x, y) => [x, y] : makeProject(WEB_MERCATOR, crs);
  const [west, south, east, north] = tileBounds(tile);
  const cell = (east - west) / 128;
  const isSquare = crs.srid === WEB_MERCATOR.srid;
  return (x, y, isEdge) => {
    const at = project(west + x * cell, Math.max(south, north - y * cell));
    if (at === undefined) return undefined;
    const pixel = [
      ((at[0] - box[0]) / (box[2] - box[0])) * width,
      ((box[3] - at[1]) / (box[3] - box[1])) * height,
    ] as const;
    // Squares side by side have their edges between pixels, or lines would show where they meet.
    return isEdge && isSquare ? [Math.round(pixel[0]), Math.round(pixel[1])] : pixel;
  };
}

function cellFeature(
  cell: Cell,
  layer: VectorLayer,
  columns: CellColumns,
  typeOf: ReadonlyMap<string, string>,
  place: PlaceIn,
  isNear: (places: readonly Place[]) => boolean,
): Feature | undefined {
  const shape = cellShape(cell, layer.geometry.kind);
  const corners: readonly (readonly [number, number])[] =
    shape.type === 'Point'
      ? [shape.at]
      : shape.type === 'LineString'
        ? [shape.from, shape.to]
        : [0, 1, 2, 3, 0].map((i) => [shape.box[i === 1 || i === 2 ? 2 : 0], shape.box[i >= 2 ? 3 : 1]] as const);
  const placed = corners.map(([x, y]) => place(x, y, shape.type === 'Polygon'));
  if (placed.some((at) => at === undefined) || !isNear(placed)) return undefined;
  const properties: Record<string, unknown> = Object.create(null);
  for (const [i, name] of columns.numbers.entries()) properties[name] = meanOf(cell, i);
  for (const [i, name] of columns.categories.entries())
    properties[name] = readValue(cell.categories[i], typeOf.get(name));
  const part = Float64Array.from(placed.flatMap((at) => [at?.[0] ?? 0, at?.[1] ?? 0]));
  return { id: '', type: shape.type, parts: [part], properties, count: cell.n, place: null };
}

function readValue(text: string | null | undefined, type: string | undefined): unknown {
  if (text === null || text === undefined) return undefined;
  return type === 'integer' || type === 'number' ? exactNumber(text) : type === 'boolean' ? text === 'true' : text;
}

export async function groupsInView(
  asker: CellAsker,
  { layer, conditions, piece, view, tiles }: SummaryAsk,
  group: Group,
): Promise<Result<readonly Feature[], DbError>> {
  const columns: CellColumns = { numbers: group.value === undefined ? [] : [group.value.column], categories: [] };
  /** Hexagons reach over the edges of tiles: each is drawn once. */
  const drawn = new Map<string, Feature>();
  for (const tile of tiles) {
    const ask: CellAsk = { layer, tile, margin: groupMargin(group), columns, conditions, isSummary: false, piece };
    const found = await findCells(asker, ask);
    if (!found.ok) return found;
    const place = placeIn(view, tile);
    for (const { middle, n, value } of groupCells(found.value, group, tile, 0)) {
      const key = `${Math.round(middle[0] + tile.x * 512)} ${Math.round(middle[1] + tile.y * 512)}`;
      const corners = group.kind === 'cluster' ? [middle] : hexagonCorners(middle, group.size);
      const closed = group.kind === 'cluster' ? corners : [...corners, ...corners.slice(0, 1)];
      const placed = closed.map(([x, y]) => place(x / CELL_PIXELS, y / CELL_PIXELS, false));
      if (placed.some((at) => at === undefined)) continue;
      // A hexagon at the edge of a tile is whole in each of the tiles that it reaches into.
      const isOwn =
        group.kind === 'cluster' || (middle[0] >= 0 && middle[0] < 512 && middle[1] >= 0 && middle[1] < 512);
      if (!isOwn && drawn.has(key)) continue;
      drawn.set(key, {
        id: '',
        type: group.kind === 'cluster' ? 'Point' : 'Polygon',
        parts: [Float64Array.from(placed.flatMap((at) => [at?.[0] ?? 0, at?.[1] ?? 0]))],
        properties: { [COUNT]: n, [SHORT_COUNT]: shortCount(n), ...(value === undefined ? {} : { [VALUE]: value }) },
        place: null,
      });
    }
  }
  return ok([...drawn.values()]);
}
