// The columns that say when features are. Pure.

import type { LayerColumn, VectorLayer } from '../../layer-ports/layer.ts';
import { columnClass } from './column-class.ts';

/** The one that was declared, otherwise every column of dates or times. */
export function timeColumnsOf({ timeColumn, columns }: VectorLayer): readonly LayerColumn[] {
  if (timeColumn !== undefined) return columns.filter(({ name }) => name === timeColumn);
  return columns.filter(({ type }) => columnClass(type) === 'date' || columnClass(type) === 'time');
}
