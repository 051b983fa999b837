// From the request's select, filters, orders and windows to the tree of rows to read.

import { ok, type Result } from '../../kernel/result.ts';
import type { QueryParams } from '../request/api-request.ts';
import { makeDraft } from './draft.ts';
import type { ReadNode } from './plan.ts';
import type { PlanError } from './plan-error.ts';
import type { ReadRoot } from './read-root.ts';
import { type EmbedContext, resolveEmbeds } from './resolve-embeds.ts';
import { TreeBuilder, type TreeContext } from './tree-builder.ts';

export type ReadContext = EmbedContext & TreeContext;

export function makeReadNode(query: QueryParams, root: ReadRoot, context: ReadContext): Result<ReadNode, PlanError> {
  const draft = makeDraft(query);
  if (!draft.ok) return draft;
  const resolved = resolveEmbeds(draft.value, root, context);
  if (!resolved.ok) return resolved;
  return ok(new TreeBuilder(context).root(resolved.value, root));
}
