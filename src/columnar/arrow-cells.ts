// Cells of an Arrow column, of one batch, as the buffers that a record batch is made of.

import type { CellStore } from './columnar-rows.ts';
import type { Presence } from './presence.ts';

export type ArrowCells = CellStore & {
  readonly presence: Presence;
  /** What Arrow wants behind the bits of `presence`, in its order: views that hold until `clear`. */
  buffers(): readonly Uint8Array[];
};
