// The history of a layer's rows and the undoing of one edit, as statements that run as the caller: the database says who may. Pure.

import type { Statement } from '../../pg/driver.ts';

export type HistoryAsk = {
  /** The key of one feature; undefined: of all. */
  readonly feature: string | undefined;
  /** Only edits before this one. */
  readonly before: string | undefined;
  readonly limit: number;
};

/** One cell: a list as JSON, the newest first; NULL: not for the caller. */
export function historyStatement(layer: number, { feature, before, limit }: HistoryAsk): Statement {
  return {
    name: 'layer_history',
    text: 'select portal.layer_history($1, $2, $3, $4)',
    params: [String(layer), feature ?? null, before ?? null, String(limit)],
  };
}

/** One cell: what became of it; NULL: there is no such edit for the caller. */
export function undoStatement(layer: number, edit: string): Statement {
  return { name: 'layer_undo', text: 'select portal.undo_layer_edit($1, $2)', params: [String(layer), edit] };
}
