// A body → the calculation that is wanted: a column of the layer, or a new one, filled by an expression in CQL2, in the rows that a condition is true of.
// Pure; every mistake is told at its field.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { FieldMessages } from '../errors/portal-error.ts';
import { isMembers } from '../operations/write/body-forms.ts';
import { COLUMN_KIND_NAMES, type ColumnKind, isColumnKind } from './column-kinds.ts';
import { parseLabel } from './new-table.ts';

export const UNREADABLE = ['refuse', 'empty', 'keep'] as const;
/** What becomes of values that cannot be read: nothing is done at all, the cell is emptied, or left as it is. */
type Unreadable = (typeof UNREADABLE)[number];

type Destination =
  | { readonly kind: 'column'; readonly name: string }
  /** `type` undefined: one that suits the values. */
  | { readonly kind: 'new'; readonly label: string; readonly type: ColumnKind | undefined };

export type Calculation = {
  readonly into: Destination;
  readonly expression: unknown;
  readonly filter: unknown;
  readonly unreadable: Unreadable;
};

const MEMBERS: ReadonlySet<string> = new Set(['column', 'new_column', 'expression', 'filter', 'unreadable']);
const MAX_NAME = 255;

export function parseCalculation(body: unknown): Result<Calculation, FieldMessages> {
  if (!isMembers(body)) return err({ non_field_errors: ['Expected a JSON object.'] });
  const stranger = Object.keys(body).find((name) => !MEMBERS.has(name));
  if (stranger !== undefined) return err({ [stranger.slice(0, 100)]: ['Unknown field.'] });
  const { expression, filter, unreadable = 'refuse' } = body;
  const into = destinationOf(body['column'], body['new_column']);
  if (!into.ok) return into;
  if (!isCql(expression)) return err({ expression: ['An expression in CQL2 is expected, as text or as JSON.'] });
  if (filter !== undefined && filter !== null && !isCql(filter) && typeof filter !== 'boolean')
    return err({ filter: ['A condition in CQL2 is expected, as text or as JSON.'] });
  const how = UNREADABLE.find((one) => one === unreadable);
  if (how === undefined) return err({ unreadable: [`Must be one of ${UNREADABLE.join(', ')}.`] });
  return ok({ into: into.value, expression, filter: filter ?? undefined, unreadable: how });
}

function destinationOf(column: unknown, added: unknown): Result<Destination, FieldMessages> {
  if ((column === undefined) === (added === undefined))
    return err({ column: ['Either a column of the layer is expected, or "new_column".'] });
  if (column !== undefined)
    return typeof column === 'string' && column !== '' && column.length <= MAX_NAME && !column.includes('\0')
      ? ok({ kind: 'column', name: column })
      : err({ column: ['The name of a column is expected.'] });
  const { name, type, ...others } = isMembers(added) ? added : { other: added };
  const label = parseLabel(name);
  if (!label.ok || Object.keys(others).length > 0)
    return err({ new_column: ['An object with a name, and perhaps a type, is expected.'] });
  if (type !== undefined && !isColumnKind(type))
    return err({ new_column: [`The type must be one of ${COLUMN_KIND_NAMES.join(', ')}.`] });
  return ok({ kind: 'new', label: label.value, type });
}

function isCql(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : typeof value === 'number' || isMembers(value);
}
