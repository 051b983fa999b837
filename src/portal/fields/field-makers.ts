// The common kinds of fields, so that a table of them reads like one.

import { raw, sql } from '../../sql/index.ts';
import type { BoundValue, Sql } from './bound-value.ts';
import type { Field, FieldType, Relation } from './field.ts';
import { TIME_FORMAT } from './field.ts';
import { readOnly, type Write } from './write.ts';

type Extra = Partial<Pick<Field, 'nullable' | 'deferred' | 'required' | 'initial' | 'write' | 'usesParts'>>;

const plain = { nullable: false, deferred: false, required: false, write: readOnly } as const;

/** `"t"."title"` of the row. Columns are ours, so they need no quoting. */
function column(name: string): (row: string) => Sql {
  return (row) => raw(`${row}.${name}`);
}

const CASTS: Partial<Record<FieldType['kind'], string>> = {
  integer: 'integer',
  number: 'double precision',
  boolean: 'boolean',
  datetime: 'timestamptz',
};

/** A column of the same name, shown and compared as it is, and not written. */
export function shownColumn(
  name: string,
  type: FieldType,
  about: string,
  extra: Extra & { column?: string } = {},
): Field {
  const value = column(extra.column ?? name);
  const shown =
    type.kind === 'datetime'
      ? (row: string): Sql => timeText(value(row))
      : type.kind === 'digits'
        ? (row: string): Sql => sql<BoundValue>`${value(row)}::text`
        : value;
  const { column: _, ...rest } = extra;
  return { ...plain, name, type, about, shown, value, ...rest };
}

/** The same, and written as it is. */
export function writtenColumn(
  name: string,
  type: FieldType,
  about: string,
  extra: Extra & { column?: string; nullAs?: string; onlyNew?: boolean } = {},
): Field {
  const { nullAs, onlyNew, ...rest } = extra;
  const write: Write = {
    kind: 'column',
    column: extra.column ?? name,
    cast: CASTS[type.kind] ?? 'text',
    ...(nullAs === undefined ? {} : { nullAs }),
    ...(onlyNew === undefined ? {} : { onlyNew }),
  };
  return shownColumn(name, type, about, { ...rest, write });
}

/** Made by an expression; `value` where it can be compared. */
export function computed(
  name: string,
  type: FieldType,
  about: string,
  shown: NonNullable<Field['shown']>,
  extra: Extra & { value?: Field['value'] } = {},
): Field {
  const { value, ...rest } = extra;
  return { ...plain, name, type, about, shown, value, ...rest };
}

/** Sent by clients, never shown. */
export function writeOnly(name: string, type: FieldType, about: string, write: Write, extra: Extra = {}): Field {
  return { ...plain, name, type, about, shown: undefined, value: undefined, ...extra, write };
}

/** One related record, embedded. */
export function one(name: string, about: string, relation: Relation, extra: Extra = {}): Field {
  return {
    ...plain,
    name,
    type: { kind: 'one', relation },
    about,
    nullable: true,
    shown: undefined,
    value: relation.key,
    ...extra,
  };
}

/** Related records, embedded as a list. */
export function many(name: string, about: string, relation: Relation, extra: Extra = {}): Field {
  return { ...plain, name, type: { kind: 'many', relation }, about, shown: undefined, value: undefined, ...extra };
}

export function timeText(value: Sql): Sql {
  return sql<BoundValue>`to_char(${value} at time zone 'UTC', ${raw(`'${TIME_FORMAT}'`)})`;
}

/** Is the field there to be seen at all? Relations are shown through their record type. */
export function isShown(field: Field): boolean {
  return field.shown !== undefined || field.type.kind === 'one' || field.type.kind === 'many';
}
