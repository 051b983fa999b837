// What the database says of a feature that was sent → what is wrong with which of its fields. Pure.

import type { DbError, SqlError } from '../../pg/driver.ts';
import type { CatalogueRules, ConstraintRow } from '../columns/column-rules.ts';
import { columnRules } from '../columns/column-rules.ts';
import type { MapFailure } from '../map-context.ts';

/** Codes that name a constraint or a column of the table. */
export function isAboutField(error: DbError): error is SqlError {
  return error.kind === 'sql' && /^(?:23502|23503|23505|23514|23P01|22001)$/.test(error.sqlstate);
}

/** Undefined: it is about no field of the layer. */
export function fieldFailure(
  { sqlstate, about, message }: SqlError,
  catalogue: CatalogueRules,
  sent: Readonly<Record<string, unknown>>,
): MapFailure | undefined {
  const refuse = (fields: readonly string[], said: string): MapFailure | undefined =>
    fields.length === 0
      ? undefined
      : { kind: 'invalid-fields', fields: Object.fromEntries(fields.map((field) => [field, [said]])) };
  if (sqlstate === '23502') return refuse(about?.column === undefined ? [] : [about.column], 'This field is required.');
  if (sqlstate === '22001') return tooLong(catalogue, sent, message);
  const constraint = catalogue.checks.find(({ name }) => name === about?.constraint);
  if (constraint === undefined) return undefined;
  const touched = constraint.columns.filter((column) => column in sent);
  const fields = touched.length > 0 ? touched : constraint.columns;
  return refuse(fields, sentenceOf(constraint, sqlstate, catalogue));
}

function sentenceOf(constraint: ConstraintRow, sqlstate: string, catalogue: CatalogueRules): string {
  if (sqlstate === '23505') return 'A feature with this value already exists.';
  if (sqlstate === '23503') return 'This is not a valid choice.';
  if (sqlstate === '23P01') return 'The value conflicts with that of another feature.';
  const [column] = constraint.columns;
  const rule =
    constraint.columns.length === 1 && column !== undefined ? ruleAlone(constraint, column, catalogue) : undefined;
  return rule ?? `The value breaks the rule "${constraint.text.slice(0, 200)}".`;
}

/** The sentence of a rule that a form could have known. */
function ruleAlone(constraint: ConstraintRow, column: string, { columns }: CatalogueRules): string | undefined {
  const row = columns.find((one) => one.column === column);
  if (row === undefined) return undefined;
  const bare = { ...row, type: 'text', enums: null, comment: null, references: null };
  const rule = columnRules({ columns: [bare], checks: [constraint] }).get(column) ?? {};
  if (rule.choices !== undefined) return 'This is not a valid choice.';
  if (rule.maxLength !== undefined) return `Ensure this field has no more than ${rule.maxLength} characters.`;
  const ends = [
    ...(rule.minimum === undefined ? [] : [`Ensure this value is greater than or equal to ${rule.minimum}.`]),
    ...(rule.exclusiveMinimum === undefined ? [] : [`Ensure this value is greater than ${rule.exclusiveMinimum}.`]),
    ...(rule.maximum === undefined ? [] : [`Ensure this value is less than or equal to ${rule.maximum}.`]),
    ...(rule.exclusiveMaximum === undefined ? [] : [`Ensure this value is less than ${rule.exclusiveMaximum}.`]),
  ];
  return ends.length === 0 ? undefined : ends.join(' ');
}

/** PostgreSQL does not say which value was too long; which of those that were sent are, the types say. */
function tooLong(
  catalogue: CatalogueRules,
  sent: Readonly<Record<string, unknown>>,
  message: string,
): MapFailure | undefined {
  const fields: Record<string, readonly string[]> = {};
  for (const [name, { maxLength }] of columnRules(catalogue)) {
    const value = sent[name];
    if (maxLength !== undefined && typeof value === 'string' && [...value].length > maxLength)
      fields[name] = [`Ensure this field has no more than ${maxLength} characters.`];
  }
  return Object.keys(fields).length === 0
    ? { kind: 'bad-request', detail: `A value does not fit: ${message.slice(0, 200)}` }
    : { kind: 'invalid-fields', fields };
}
