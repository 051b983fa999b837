// What every dialog that changes a column in many rows is given.

import type { RowTarget } from '../../../lib/clean-expression.ts';
import type { GridColumn } from '../table/grid-column.ts';

export type CleanProps = {
  /** The number of the layer. */
  readonly layer: string;
  readonly columns: readonly GridColumn[];
  readonly target: RowTarget;
  /** The rows that are meant, in words. */
  readonly rows: string;
  /** Columns may be added. */
  readonly mayAdd: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
};
