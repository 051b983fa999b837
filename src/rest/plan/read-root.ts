// What the rows at the top of a tree are read from, and how far.

import type { Identifier, Table } from '../schema-cache/schema-cache.ts';
import type { KnownColumns } from './field-ref.ts';
import type { NodeWindow, ReadNode } from './plan.ts';

export type ReadRoot = {
  readonly from: ReadNode['from'];
  /** Name that errors and SQL call the root by. */
  readonly name: string;
  readonly rowType: Identifier | undefined;
  /** Whose relationships its rows have. */
  readonly table: Table | undefined;
  readonly columns: KnownColumns | undefined;
  readonly window: NodeWindow;
  /** Conditions on the root itself; a write has used them up already. */
  readonly filtered: boolean;
  /** `*` is written out as the columns that it stands for. */
  readonly named?: boolean;
};
