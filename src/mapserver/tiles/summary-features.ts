// Cells and groups of cells → features of a vector tile. Pure.

import { COUNT, type Group, SHORT_COUNT, VALUE } from '../../geo/style/group.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import { type Cell, type CellColumns, meanOf, TILE_CELLS } from '../cells/cell.ts';
import { cellShape } from '../cells/cell-shape.ts';
import { type CellGroup, hexagonCorners, shortCount } from '../cells/group-cells.ts';
import { EXTENT, PIXEL } from '../query/layer-scale.ts';
import { type TileColumn, tileColumn } from '../query/tile-plan.ts';
import { drawShape, type TileFeature, type TileValue } from './encode-tile.ts';

/** How many features a cell has: for heatmaps, which weigh it. */
export const CELL_COUNT = '_count';

const CELL: number = EXTENT / TILE_CELLS;

export function cellFeatures(layer: VectorLayer, columns: CellColumns, cells: readonly Cell[]): readonly TileFeature[] {
  const typeOf = new Map(layer.columns.map((column) => [column.name, tileColumn(column).type]));
  return cells.flatMap((cell) => {
    const drawn = drawShape(shapeOf(cell, layer));
    if (drawn === undefined) return [];
    const tags: (readonly [string, TileValue])[] = [[CELL_COUNT, { type: 'integer', text: String(cell.n) }]];
    for (const [i, name] of columns.numbers.entries()) {
      const mean = meanOf(cell, i);
      if (mean !== undefined) tags.push([name, { type: 'number', text: String(mean) }]);
    }
    for (const [i, name] of columns.categories.entries()) {
      const text = cell.categories[i];
      if (text !== null && text !== undefined) tags.push([name, tileValue(typeOf.get(name) ?? 'text', text)]);
    }
    return [{ id: undefined, tags, ...drawn }];
  });
}

function tileValue(type: TileColumn['type'], text: string): TileValue {
  return type === 'boolean' ? { type, text: text === 'true' ? 't' : 'f' } : { type, text };
}

function shapeOf(cell: Cell, { geometry }: VectorLayer): Parameters<typeof drawShape>[0] {
  const shape = cellShape(cell, geometry.kind);
  switch (shape.type) {
    case 'Point':
      return { kind: 'points', points: [[shape.at[0] * CELL, shape.at[1] * CELL]] };
    case 'LineString':
      return {
        kind: 'lines',
        lines: [
          [
            [shape.from[0] * CELL, shape.from[1] * CELL],
            [shape.to[0] * CELL, shape.to[1] * CELL],
          ],
        ],
      };
    case 'Polygon': {
      const [xmin, ymin, xmax, ymax] = shape.box.map((edge) => edge * CELL) as [number, number, number, number];
      return {
        kind: 'polygons',
        polygons: [
          [
            [
              [xmin, ymin],
              [xmax, ymin],
              [xmax, ymax],
              [xmin, ymax],
              [xmin, ymin],
            ],
          ],
        ],
      };
    }
  }
}

/** `single`: id and attributes of the one feature of a cluster, by its key. */
export function groupFeatures(
  groups: readonly CellGroup[],
  { kind, size }: Group,
  single: (key: string) => Pick<TileFeature, 'id' | 'tags'> | undefined,
): readonly TileFeature[] {
  return groups.flatMap((group) => {
    const corners = kind === 'cluster' ? [] : hexagonCorners(group.middle, size);
    const onGrid = ([x, y]: readonly [number, number]): [number, number] => [x * PIXEL, y * PIXEL];
    const drawn = drawShape(
      kind === 'cluster'
        ? { kind: 'points', points: [onGrid(group.middle)] }
        : { kind: 'polygons', polygons: [[[...corners, ...corners.slice(0, 1)].map(onGrid)]] },
    );
    if (drawn === undefined) return [];
    const one = kind === 'cluster' && group.key !== undefined ? single(group.key) : undefined;
    const tags: TileFeature['tags'] = [
      [COUNT, { type: 'integer', text: String(group.n) }],
      [SHORT_COUNT, { type: 'text', text: shortCount(group.n) }],
      ...(group.value === undefined ? [] : [[VALUE, { type: 'number', text: String(group.value) }] as const]),
      ...(one?.tags ?? []).filter(([name]) => name !== COUNT && name !== SHORT_COUNT && name !== VALUE),
    ];
    return [{ id: one?.id, tags, ...drawn }];
  });
}
