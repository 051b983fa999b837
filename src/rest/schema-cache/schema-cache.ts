// What the service knows of the database between two reloads: immutable, looked up by name, never scanned per request.

import type { LimitRule } from './limits.ts';
import type { Omission } from './omission.ts';

export type Identifier = { readonly schema: string; readonly name: string };

export type Column = {
  readonly name: string;
  readonly description: string | null;
  readonly nullable: boolean;
  /** Base type without modifier, domains resolved at any depth: `integer`, `character varying`, `tsvector`, `integer[]`. */
  readonly baseType: string;
  /** As declared, with modifier, schema-qualified where needed: `character(5)`, `api.color`. Safe to print in SQL. */
  readonly nominalType: string;
  readonly maxLength: number | null;
  /** SQL text of the default: the column's, else its domain's, else nextval of an identity "by default". */
  readonly default: string | null;
  readonly enumLabels: readonly string[];
  /** Set when only the database writes it: GENERATED ALWAYS AS (…), stored or virtual, and identity ALWAYS. */
  readonly generated?: true;
  /** The domain's identity when the type is a domain that has representations; key into `SchemaCache.representations`. */
  readonly representation: string | null;
};

/** A column of a result that is not a relation's row. */
export type ResultColumn = Pick<Column, 'name' | 'baseType' | 'nominalType' | 'representation'>;

export type Table = Identifier & {
  readonly kind: 'table' | 'view' | 'materialized-view' | 'foreign-table' | 'partitioned-table';
  readonly description: string | null;
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
  /** In key order; for views inferred from their base tables. */
  readonly primaryKey: readonly string[];
  /** In column order. */
  readonly columns: ReadonlyMap<string, Column>;
  /** What its owner allows callers to ask for; absent: anything. */
  readonly limits?: readonly LimitRule[];
};

/** A relation that is there but cannot be described, and why. */
export type Undescribed = Identifier & { readonly why: string };

export type ColumnPair = readonly [own: string, foreign: string];

type RelationshipEnds = {
  readonly table: Identifier;
  readonly tableIsView: boolean;
  readonly foreign: Identifier;
  readonly foreignIsView: boolean;
  readonly isSelf: boolean;
};

export type Relationship =
  | (RelationshipEnds & {
      /** `one-to-one` from the side that holds the key and from the other side alike. */
      readonly kind: 'many-to-one' | 'one-to-many' | 'one-to-one';
      readonly constraint: string;
      readonly columns: readonly ColumnPair[];
      /** Of a `one-to-one`: `table` is the side that has the foreign key. */
      readonly holdsKey?: boolean;
    })
  | (RelationshipEnds & {
      readonly kind: 'many-to-many';
      readonly junction: Identifier;
      readonly constraint: string;
      readonly foreignConstraint: string;
      /** [column of `table`, column of the junction] */
      readonly columns: readonly ColumnPair[];
      /** [column of `foreign`, column of the junction] */
      readonly foreignColumns: readonly ColumnPair[];
    })
  | (RelationshipEnds & {
      /** A function of the row; its name is the embed's name. */
      readonly kind: 'computed';
      readonly routine: Identifier;
      readonly toOne: boolean;
    });

export type Parameter = {
  /** Empty for an unnamed one. */
  readonly name: string;
  /** As format_type prints it: `integer`, `text[]`, `api.color`. */
  readonly type: string;
  /** The type to cast arguments to: `type` with `char`→`character varying`, `bit`→`bit varying`, so that nothing is cut. */
  readonly castType: string;
  readonly required: boolean;
  readonly variadic: boolean;
};

export type Returns = {
  readonly set: boolean;
  readonly shape: /** One value; `type` as format_type prints it. */
    | { readonly kind: 'scalar'; readonly type: string }
    | { readonly kind: 'void' }
    /**
     * Rows of a table, view or composite type; `isAlias`: through a domain over it. `columns` is there when the relation
     * is none that `SchemaCache.table` knows: a composite type, or a relation of a schema that is not exposed.
     */
    | {
        readonly kind: 'composite';
        readonly relation: Identifier;
        readonly isAlias: boolean;
        readonly columns?: ReadonlyMap<string, ResultColumn>;
      }
    /** Rows described by OUT, INOUT or TABLE columns; without `columns` an untyped record. */
    | { readonly kind: 'record'; readonly columns?: ReadonlyMap<string, ResultColumn> };
};

export type Routine = Identifier & {
  readonly description: string | null;
  readonly parameters: readonly Parameter[];
  readonly returns: Returns;
  readonly volatility: 'volatile' | 'stable' | 'immutable';
  readonly hasVariadic: boolean;
  readonly isolation: string | null;
  /** The function's own SET clauses; the service hoists those that `db-hoisted-tx-settings` names. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  /**
   * Its one parameter has no name, and no type that a whole body could be. It is called by the argument named `""`, and
   * neither listed in documents nor suggested.
   */
  readonly unlisted?: true;
  /** It is no function: CALL runs it. */
  readonly procedure?: Procedure;
};

export type Procedure = {
  /** OUT and INOUT arguments, in their order: the columns of the row that CALL brings. */
  readonly outputs: readonly ProcedureOutput[];
  /** It ends transactions by itself, so that it cannot run in the request's (`@survest outside-transaction`). */
  readonly outside: boolean;
};

/** `isInput`: INOUT. */
type ProcedureOutput = { readonly name: string; readonly castType: string; readonly isInput: boolean };

/** Function casts of a domain: schema-qualified, quoted function names, ready for SQL. */
export type Representation = {
  readonly toJson: string | null;
  readonly fromText: string | null;
  readonly fromJson: string | null;
};

export type MediaHandler = {
  /** Lower-case media type, or `*\/*`. */
  readonly mediaType: string;
  /** The relation whose rows it takes; undefined: any (`anyelement`). */
  readonly relation?: Identifier;
  /** Aggregate to call. Functions that return the media domain themselves are told by `routineMediaType`. */
  readonly aggregate: Identifier;
};

/** The best name beside the asked one, or undefined; looks only at names that share letters with it. */
export type NearestName = (asked: string) => string | undefined;

/** A function of a relation's row that returns a value. */
export type ComputedColumn = {
  readonly table: Identifier;
  readonly name: string;
  /** As of a column: domains resolved, no modifier. */
  readonly baseType: string;
};

export type SchemaCache = {
  /** The exposed schemas it was loaded for, in their order. */
  readonly schemas: readonly string[];
  readonly table: (schema: string, name: string) => Table | undefined;
  readonly tablesOf: (schema: string) => readonly Table[];
  /** Why a relation that is there has no table; undefined: there is no such relation, or it has one. */
  readonly undescribed: (schema: string, name: string) => string | undefined;
  /** What of the database it does without. */
  readonly omissions: readonly Omission[];
  /**
   * Relationships that start at the relation and end in the same schema: there are no embeds across schemas. In the
   * order ambiguities are listed in; computed ones come last and have already replaced those they override.
   */
  readonly relationshipsOf: (table: Identifier) => readonly Relationship[];
  /** Base type of a computed column, a function of the relation's row in its own schema; undefined when there is none. */
  readonly computedType: (table: Identifier, name: string) => string | undefined;
  /** All of them. */
  readonly computedColumns: (table: Identifier) => readonly ComputedColumn[];
  /** Overloads of the name, in catalogue order; empty when there is none. */
  readonly routines: (schema: string, name: string) => readonly Routine[];
  /** Those that are listed. */
  readonly routinesOf: (schema: string) => readonly Routine[];
  /** Media type a routine's result domain declares, by routine; undefined when it declares none. */
  readonly routineMediaType: (routine: Routine) => string | undefined;
  /** Handler for the relation's rows: exact relation with any type, exact relation with this type, any relation with this type. */
  readonly mediaHandler: (relation: Identifier | undefined, mediaType: string) => MediaHandler | undefined;
  readonly mediaHandlers: readonly MediaHandler[];
  readonly representations: ReadonlyMap<string, Representation>;
  readonly timezones: ReadonlySet<string>;
  /** Some relation of the database has row-level security: prepared statements then depend on the role. */
  readonly hasRowSecurity: boolean;
  /** A policy may hide rows of the relation from somebody: what the planner knows of them must not be told. */
  readonly isSecured: (relation: Identifier) => boolean;
  /** The schemas of extensions that the query grammar has words for: `postgis`, `pg_trgm`, `vector`. */
  readonly extensions: ReadonlyMap<string, string>;
  /** The configuration of full-text searches that name none; undefined: it may depend on who asks. */
  readonly textSearch: string | undefined;
  /** Limits on what a role may ask for, by role. */
  readonly roleLimits: ReadonlyMap<string, readonly LimitRule[]>;
  /** Somebody has set a limit, on a relation or on a role. */
  readonly hasLimits: boolean;
  readonly nearestTable: (schema: string, name: string) => string | undefined;
  readonly nearestRoutine: (schema: string, name: string) => string | undefined;
  /** Among the tables of the schema that have relationships. */
  readonly nearestRelatedTable: (schema: string, name: string) => string | undefined;
  /** Among a few given names. */
  readonly nearestOf: (names: readonly string[], asked: string) => string | undefined;
  readonly summary: {
    readonly relations: number;
    readonly relationships: number;
    readonly routines: number;
    readonly representations: number;
    readonly mediaHandlers: number;
    readonly timezones: number;
  };
};
