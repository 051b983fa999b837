// Which total is asked for, and whether it may be an estimate.

import type { Preferences } from '../request/preferences.ts';
import type { SchemaCache } from '../schema-cache/schema-cache.ts';
import type { CountPlan, ReadNode } from './plan.ts';

/**
 * `isSecured`: the planner's estimate comes from statistics over all rows, those included that the caller may not see. So under
 * row-level security the rows are counted, whatever the preference.
 */
export function countPlan({ count }: Preferences, maxRows: number | undefined, isSecured: boolean): CountPlan {
  if (isSecured && count !== undefined) return { kind: 'exact' };
  return count === 'estimated' ? { kind: 'estimated', upTo: maxRows } : { kind: count ?? 'none' };
}

/** Whether a policy may hide rows of any relation that is read. */
export function readsSecured({ from, embeds }: ReadNode, cache: Pick<SchemaCache, 'isSecured'>): boolean {
  return (
    (from.kind === 'relation' && cache.isSecured(from.relation)) || embeds.some(({ node }) => readsSecured(node, cache))
  );
}
