// Columns that are asked for → how cells have them: as a mean, or as a value in proportion to its share. Pure.

import type { LayerColumn, VectorLayer } from '../../layer-ports/layer.ts';
import { columnClass } from '../columns/column-class.ts';
import type { CellColumns } from './cell.ts';

/** As the overview has them; without one, nobody has looked at the values, and numbers have a mean. */
export function splitColumns(
  { overview }: Pick<VectorLayer, 'overview'>,
  columns: readonly Pick<LayerColumn, 'name' | 'type'>[],
): CellColumns {
  const isMean = ({ name, type }: Pick<LayerColumn, 'name' | 'type'>): boolean =>
    overview?.numbers.includes(name) === true ||
    (overview?.categories.includes(name) !== true && ['integer', 'number'].includes(columnClass(type)));
  return {
    numbers: columns.filter(isMean).map(({ name }) => name),
    categories: columns.filter((column) => !isMean(column)).map(({ name }) => name),
  };
}
