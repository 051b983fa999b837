// What a typed client has to know of the API: relations, functions, enums and composite types, sorted by name. The writers
// of TypeScript and of JSON Schema read it and nothing else.

import type { Identifier } from '../schema-cache/schema-cache.ts';

/** A value as it stands in JSON, null apart. */
export type ValueType =
  | { readonly kind: 'number'; readonly isInteger: boolean }
  | { readonly kind: 'string' }
  | { readonly kind: 'boolean' }
  /** Anything JSON can be. */
  | { readonly kind: 'json' }
  | { readonly kind: 'array'; readonly of: ValueType }
  | { readonly kind: 'enum'; readonly at: Identifier; readonly isListed: boolean }
  | { readonly kind: 'composite'; readonly at: Identifier }
  | { readonly kind: 'relation'; readonly at: Identifier; readonly isView: boolean };

export type FieldType = { readonly name: string; readonly type: ValueType; readonly isNullable: boolean };

export type ColumnType = FieldType & {
  readonly description: string | null;
  readonly maxLength: number | null;
  /** A row can be inserted without it. */
  readonly isOptional: boolean;
  /** Only the database writes it. */
  readonly isGenerated: boolean;
};

/** A foreign key of the relation, or of the table under the view. */
export type KeyType = {
  readonly constraint: string;
  readonly columns: readonly string[];
  readonly isOneToOne: boolean;
  readonly foreign: string;
  readonly foreignColumns: readonly string[];
};

export type RelationType = {
  readonly name: string;
  readonly description: string | null;
  readonly columns: readonly ColumnType[];
  /** Functions of its rows that return a value: shown where they are named, and not by `*`. */
  readonly computed: readonly FieldType[];
  readonly keys: readonly KeyType[];
  readonly isInsertable: boolean;
  readonly isUpdatable: boolean;
};

export type ResultType =
  | { readonly kind: 'void' }
  | { readonly kind: 'value'; readonly type: ValueType }
  | { readonly kind: 'fields'; readonly fields: readonly FieldType[] }
  /** Rows of which nothing is known. */
  | { readonly kind: 'record' };

export type OverloadType = {
  readonly description: string | null;
  readonly args: readonly (FieldType & { readonly isOptional: boolean })[];
  readonly isSet: boolean;
  readonly result: ResultType;
  /** The relation of the same schema whose rows it returns, and the one it can be embedded in. */
  readonly rows?: { readonly from: string; readonly to: string; readonly isOneToOne: boolean } | undefined;
};

export type FunctionType = { readonly name: string; readonly overloads: readonly OverloadType[] };

export type EnumType = { readonly name: string; readonly labels: readonly string[] };

export type CompositeType = { readonly name: string; readonly fields: readonly FieldType[] };

export type SchemaTypes = {
  readonly name: string;
  readonly tables: readonly RelationType[];
  readonly views: readonly RelationType[];
  readonly functions: readonly FunctionType[];
  readonly enums: readonly EnumType[];
  readonly composites: readonly CompositeType[];
};

export type ClientTypes = {
  readonly schemas: readonly SchemaTypes[];
  /** Enums of schemas that are not described but whose values are seen. */
  readonly otherEnums: readonly (EnumType & { readonly schema: string })[];
};
