// What the queries in sql/ bring, row by row, as JSON.parse makes it of their one column. The queries are ours, so the
// shapes are trusted; whatever stands inside a string is not.

/** A relation of an exposed schema. Columns are parallel arrays; attnum - 1 is the index. */
export type RelationRow = {
  readonly oid: number;
  readonly rowType: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: 'r' | 'p' | 'v' | 'm' | 'f';
  readonly description: string | null;
  /** Bits: 4 update, 8 insert, 16 delete. */
  readonly writable: number;
  /** Null members are dropped columns; null altogether: the relation has no columns. */
  readonly columnNames: readonly (string | null)[] | null;
  readonly columnTypes: readonly number[] | null;
  /** By attnum, where there is one. */
  readonly modifiers: Readonly<Record<string, number>> | null;
  /** Attnums. */
  readonly notNull: readonly number[] | null;
  /** Attnums. */
  readonly generated: readonly number[] | null;
};

export type DefaultRow = { readonly relation: number; readonly column: number; readonly expression: string | null };

export type CommentRow = { readonly relation: number; readonly column: number; readonly text: string };

export type KeyRow = {
  readonly oid: number;
  readonly kind: 'p' | 'u' | 'f';
  readonly name: string;
  readonly relation: number;
  readonly columns: readonly number[];
  /** 0 unless it is a foreign key. */
  readonly foreignRelation: number;
  readonly foreignColumns: readonly number[] | null;
};

/** `size` of its stored query in bytes: as compressed, or of the text where that may be long. */
export type ViewRow = { readonly oid: number; readonly name: string; readonly size: number; readonly tooLong: boolean };

export type TypeRow = {
  readonly oid: number;
  readonly modifier: number;
  readonly name: string;
  readonly nominalName: string;
  readonly baseName: string;
  readonly maxLength: number | null;
  /** The type is a domain that refuses null. */
  readonly notNull: boolean;
  readonly default: string | null;
  readonly enumLabels: readonly string[] | null;
  /** A domain over more domains than are looked through: `baseName` is one of them. */
  readonly tooDeep: boolean;
};

export type RoutineRow = {
  readonly schema: string;
  readonly name: string;
  readonly description: string | null;
  /** f function, p procedure. */
  readonly kind: 'f' | 'p';
  readonly volatility: 'v' | 's' | 'i';
  readonly settings: readonly string[] | null;
  /** Null: none is named. */
  readonly argumentNames: readonly string[] | null;
  /** i in, o out, b in and out, v variadic, t column of a table; null: all in. */
  readonly argumentModes: readonly ArgumentMode[] | null;
  readonly argumentTypes: readonly number[];
  /** How many of the last input arguments have a default. */
  readonly defaults: number;
  readonly returnsSet: boolean;
  readonly expectedRows: number;
  readonly resultType: number;
  /** Name of the result type when it is a domain. */
  readonly resultDomain: string | null;
  readonly resultKind: 'void' | 'record' | 'composite' | 'scalar';
  /** The relation or composite type whose row it returns, domains looked through; `kind` is c for a composite type. */
  readonly resultRelation: {
    readonly oid: number;
    readonly schema: string;
    readonly name: string;
    readonly kind: 'r' | 'p' | 'v' | 'm' | 'f' | 'c';
  } | null;
};

export type ArgumentMode = 'i' | 'o' | 'b' | 'v' | 't';

export type CompositeRow = {
  readonly oid: number;
  readonly columnNames: readonly string[];
  readonly columnTypes: readonly number[];
  readonly modifiers: readonly number[];
};

export type RoleLimitRow = { readonly role: string; readonly description: string };

export type MediaHandlerRow = {
  readonly schema: string;
  readonly name: string;
  /** The domain's name, whether it looks like a media type or not. */
  readonly mediaType: string;
  /** Null: anyelement. */
  readonly relation: { readonly schema: string; readonly name: string } | null;
};

export type RepresentationRow = {
  readonly domain: number;
  readonly name: string;
  readonly cast: 'toJson' | 'fromText' | 'fromJson';
  readonly function: string;
};
