// From the request's select, filters, orders and windows to the tree of rows to read.

import { ok, type Result } from '../../kernel/result.ts';
import type { QueryParams } from '../request/api-request.ts';
import type { Identifier, Table } from '../schema-cache/schema-cache.ts';
import { makeDraft } from './draft.ts';
import type { KnownColumns } from './field-ref.ts';
import type { NodeWindow, ReadNode } from './plan.ts';
import type { PlanError } from './plan-error.ts';
import { type EmbedContext, resolveEmbeds } from './resolve-embeds.ts';
import { TreeBuilder, type TreeContext } from './tree-builder.ts';

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
};

export type ReadContext = EmbedContext & TreeContext;

export function makeReadNode(query: QueryParams, root: ReadRoot, context: ReadContext): Result<ReadNode, PlanError> {
  const draft = makeDraft(query);
  if (!draft.ok) return draft;
  const resolved = resolveEmbeds(draft.value, root, context);
  if (!resolved.ok) return resolved;
  return ok(new TreeBuilder(context).root(resolved.value, root));
}
