// `include[]` and `exclude[]` → which fields are shown. Unknown ones are ignored where they are asked for, and a mistake where they are not wanted.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { findField, type RecordType } from '../fields/field.ts';
import { isShown } from '../fields/field-makers.ts';
import { makeSelectionNode, type Selection, type SelectionNode, toSelection } from '../fields/selection.ts';
import { narrowingSql } from './condition-sql.ts';
import { MAX_NAMES } from './field-path.ts';
import type { Narrowing } from './filter.ts';
import type { QueryParams } from './query-params.ts';

const MAX_FIELDS = 200;

/** `always`: fields that are included without being asked for. `narrowings`: which embedded records are shown. */
export function parseSelection(
  params: QueryParams,
  recordType: RecordType,
  always: readonly string[] = [],
  narrowings: readonly Narrowing[] = [],
): Result<Selection, PortalError> {
  const root = makeSelectionNode();
  for (const { at, condition } of narrowings) {
    const node = at.reduce(childOf, root);
    node.narrow.push((row) => narrowingSql(condition, row));
  }
  for (const [kind, texts] of [
    ['included', [...always, ...params.all('include[]')]],
    ['excluded', params.all('exclude[]')],
  ] as const) {
    if (texts.length > MAX_FIELDS)
      return err({ kind: 'bad-request', detail: `No more than ${MAX_FIELDS} fields can be ${kind}.` });
    for (const text of texts) {
      const names = text.trim().split('.');
      const wrong =
        names.length > MAX_NAMES
          ? `A name of a field leads through ${MAX_NAMES} names at most.`
          : note(root, recordType, names, kind);
      // Newer clients ask for fields that older portals do not have, and do without them.
      const isIgnored = kind === 'included' && names.length <= MAX_NAMES;
      if (wrong !== undefined && !isIgnored) return err({ kind: 'bad-request', detail: wrong });
    }
  }
  return ok(toSelection(root));
}

/** Notes one name; a complaint when it names nothing. `owner.` is the owner with all that belongs to it. */
function note(
  node: SelectionNode,
  recordType: RecordType,
  [name = '', ...rest]: readonly string[],
  kind: 'included' | 'excluded',
): string | undefined {
  if (name === '*' && rest.length === 0) {
    node[kind].add('*');
    return undefined;
  }
  const field = findField(recordType, name);
  if (field === undefined || !isShown(field)) return `"${name}" is not a valid field name for "${recordType.name}".`;
  if (rest.length === 0 || (rest.length === 1 && rest[0] === '')) {
    node[kind].add(field.name);
    return undefined;
  }
  if (field.type.kind !== 'one' && field.type.kind !== 'many') {
    return `"${[name, ...rest].join('.')}" is not a valid field name for "${recordType.name}".`;
  }
  return note(childOf(node, field.name), field.type.relation.recordType(), rest, kind);
}

function childOf({ children }: SelectionNode, name: string): SelectionNode {
  const known = children.get(name) ?? makeSelectionNode();
  children.set(name, known);
  return known;
}
