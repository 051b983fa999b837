// `sort[]` and `ordering` → what a list is sorted by, most significant first.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { RecordType } from '../fields/field.ts';
import type { OrderTerm, Path } from './condition.ts';
import { findPath } from './field-path.ts';
import { valueTypeOf } from './filter-value.ts';
import type { QueryParams } from './query-params.ts';

const MAX_TERMS = 16;

/** `sort[]` wins where both are given. An empty list: the collection's own order. */
export function parseOrdering(params: QueryParams, recordType: RecordType): Result<readonly OrderTerm[], PortalError> {
  const sorted = params.all('sort[]');
  const asked = (sorted.length > 0 ? sorted : params.all('ordering').flatMap((value) => value.split(',')))
    .map((term) => term.trim())
    .filter((term) => term !== '');
  if (asked.length > MAX_TERMS) {
    return err({ kind: 'invalid-request', messages: [`A list is sorted by ${MAX_TERMS} fields at most.`] });
  }
  const terms: OrderTerm[] = [];
  const unknown: string[] = [];
  for (const term of asked) {
    const isDescending = term.startsWith('-');
    const path = sortPath(recordType, (isDescending ? term.slice(1) : term).split('.'));
    if (path === undefined) unknown.push(term);
    else terms.push({ path, isDescending });
  }
  if (unknown.length === 0) return ok(terms);
  const listed = unknown.map((name) => `'${name}'`).join(', ');
  return err({ kind: 'invalid-request', messages: [`Invalid filter field: [${listed}]`] });
}

/** Many related records have no one value to sort by. */
function sortPath(recordType: RecordType, names: readonly string[]): Path | undefined {
  const found = findPath(recordType, names);
  if (!found.ok) return undefined;
  const { through, target } = found.value;
  if (target.kind !== 'field' || valueTypeOf(target.field.type) === undefined) return undefined;
  let current = recordType;
  for (const { name, relation } of through) {
    if (current.byName.get(name)?.type.kind !== 'one') return undefined;
    current = relation.recordType();
  }
  return found.value;
}
