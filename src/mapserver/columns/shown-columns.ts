// Columns of a layer as people are to see them. Pure.

import type { LayerColumn } from '../../layer-ports/layer.ts';

/** Those that are shown to people, in their order. */
export function shownColumns(columns: readonly LayerColumn[]): readonly LayerColumn[] {
  return columns
    .filter(({ look }) => look?.visible !== false)
    .toSorted((a, b) => (a.look?.place ?? Number.MAX_SAFE_INTEGER) - (b.look?.place ?? Number.MAX_SAFE_INTEGER));
}
