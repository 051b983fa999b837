// One field of a record as everything knows it: how it is read, filtered, sorted, searched, written, described. A collection is
// an ordered table of these; the representation, the query language, validation, OPTIONS and the OpenAPI document follow.

import type { Sql } from './bound-value.ts';
import type { Write } from './write.ts';

export type FieldType =
  | {
      readonly kind: 'text';
      readonly max?: number;
      /** The empty text is a value like others. */
      readonly blank?: boolean;
      /** What it must look like, and the complaint when it does not. */
      readonly pattern?: { readonly regex: RegExp; readonly complaint: string };
      /** Values are upper case, whatever case a filter uses. */
      readonly upperCase?: boolean;
      /** An entry of a code list: a filter finds it in whatever case it is written. */
      readonly anyCase?: boolean;
      /** For documentation: `uri`, `email`. */
      readonly format?: string;
    }
  /** A whole number that the wire shows as text. */
  | { readonly kind: 'digits' }
  | { readonly kind: 'integer'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'datetime' }
  | { readonly kind: 'uuid' }
  /** `alias`: other words that a filter may use for a choice. */
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly alias?: Readonly<Record<string, string>> }
  /** A GeoJSON polygon or multipolygon. */
  | { readonly kind: 'geometry' }
  | { readonly kind: 'json'; readonly isList?: boolean }
  /** A list of texts; `of`: the only ones there are. */
  | { readonly kind: 'words'; readonly of?: readonly string[] }
  | { readonly kind: 'one'; readonly relation: Relation }
  | { readonly kind: 'many'; readonly relation: Relation };

export type ReadEnv = {
  /** Visitors hold no privilege on some tables, so their statements must not name them. */
  readonly isVisitor: boolean;
  /** Whether what hangs on an item was joined to its row, as `m`: see `portal.item_parts`. Related rows have nothing joined. */
  readonly hasParts: boolean;
};

export type Field = {
  readonly name: string;
  readonly type: FieldType;
  /** One line for the documents. */
  readonly about: string;
  readonly nullable: boolean;
  /** Shown only when asked for with `include[]`. */
  readonly deferred: boolean;
  /** Undefined: never shown (a password). */
  readonly shown: ((row: string, env: ReadEnv) => Sql) | undefined;
  /** The value as PostgreSQL compares it; undefined: it cannot be filtered, sorted or searched by. */
  readonly value: ((row: string) => Sql) | undefined;
  readonly write: Write;
  /** Read from an item's parts, where they are joined. */
  readonly usesParts?: boolean;
  /** Follows from nothing but what the stamp of an item covers (`portal.item_stamps`), so that a record with it can be kept. */
  readonly isStamped?: boolean;
  /** The same with `portal.item_stamps_with_styles`, which covers styles that layers share. */
  readonly followsStyles?: boolean;
  /** Has to be there in a POST and a PUT. */
  readonly required: boolean;
  /** What a new record has without it; for the documents. */
  readonly initial?: unknown;
};

/** How related rows are found from a row. */
export type Relation = {
  /** A function, because record types can refer to each other. */
  readonly recordType: () => RecordType;
  /** What stands between `from` and `where`, and the condition that ties it to the outer row. */
  readonly rows: (outer: string, inner: string) => { readonly from: Sql; readonly on: Sql };
  /** Order of many. */
  readonly order?: (inner: string) => Sql;
  /** The column of an item's parts that holds the same, already looked up. */
  readonly part?: string;
  /** The related id where the row itself has it and everybody who sees the row may know it. */
  readonly key?: (outer: string) => Sql;
};

/** What the records of a collection are made of: their name and their fields. */
export type RecordType = {
  /** `resource`: in messages and envelopes. */
  readonly name: string;
  /** `resources`. */
  readonly plural: string;
  readonly fields: readonly Field[];
  readonly byName: ReadonlyMap<string, Field>;
  /** What identifies a record: `pk`, or `id`. Both names work in filters. Undefined: parts that have no identity of their own. */
  readonly key: Field | undefined;
};

export function makeRecordType(name: string, plural: string, fields: readonly Field[]): RecordType {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const key = byName.get('pk') ?? byName.get('id');
  if (byName.size !== fields.length) throw new Error(`two fields of ${name} have the same name`);
  return { name, plural, fields, byName, key };
}

/** A field by the name a client uses. */
export function findField(recordType: RecordType, name: string): Field | undefined {
  return recordType.byName.get(name) ?? (name === 'pk' || name === 'id' ? recordType.key : undefined);
}

/** A reader's value as the API shows it: in UTC, to the microsecond. */
export const TIME_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"';
