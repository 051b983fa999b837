// What will be done: a request that was found possible against the schema cache. Stage 2 makes it, stage 3 turns every
// plan into SQL without a way to fail. Like the request it comes from, a plan holds no value of the client's.

import type { Aggregate, ColumnCall, JsonStep, Neighbour, Operation, WindowFunction } from '../request/api-request.ts';
import type { PlanOption } from '../request/media-type.ts';
import type {
  Column,
  ColumnPair,
  Identifier,
  MediaHandler,
  Parameter,
  Relationship,
  Representation,
  Routine,
  Table,
} from '../schema-cache/schema-cache.ts';

/** A column as SQL has to write it, with a way into its value. */
export type FieldRef = {
  readonly column: string;
  readonly path: readonly JsonStep[];
  /** The column is neither json nor jsonb: only `to_jsonb(column)` can be walked into. */
  readonly viaJsonb: boolean;
  /** Base type where the column, or the function that computes it, is known. */
  readonly baseType: string | undefined;
  /** A computed column of rows that have lost their type, as a function's result has: the type they get back. */
  readonly rowType: Identifier | undefined;
  /** How values of the column's domain are shown and read. */
  readonly representation: Representation | undefined;
  readonly cast?: string;
  /** Functions of the value, after its cast. */
  readonly calls?: readonly PlannedCall[];
  /** What kind of geometry it holds. */
  readonly spatial?: SpatialType;
};

/** A geometry column's type. Geographies are in longitude and latitude. */
export type SpatialType = { readonly kind: 'geometry' | 'geography'; readonly srid: number | undefined };

/** A function of a value, with what is known of the value. */
export type PlannedCall = ColumnCall & {
  readonly baseType: string | undefined;
  readonly spatial: SpatialType | undefined;
  /** Of the extension that the function comes from. */
  readonly schema: string | undefined;
};

export type Condition =
  | {
      readonly kind: 'filter';
      readonly field: FieldRef;
      readonly negated: boolean;
      readonly operation: Operation;
      /** The column that it is compared with. */
      readonly other?: FieldRef;
      /** Of the extension that the operator comes from. */
      readonly schema?: string;
      /** Of a full-text search that names no configuration: the one that it has. */
      readonly configuration?: string;
    }
  /** The embed has, or has not, a row for this one. */
  | { readonly kind: 'exists'; readonly embed: EmbedNode; readonly negated: boolean }
  | {
      readonly kind: 'group';
      readonly operator: 'and' | 'or';
      readonly negated: boolean;
      readonly children: readonly Condition[];
    };

/** An aggregate as a value: of a group, or over a window. */
export type Measure = {
  /** Undefined: of the rows themselves. */
  readonly field: FieldRef | undefined;
  readonly fn: Aggregate | 'rows';
  readonly distinct: boolean;
  readonly filter: readonly Condition[];
};

export type Having =
  | { readonly kind: 'measure'; readonly measure: Measure; readonly negated: boolean; readonly operation: Operation }
  /** A column that is grouped by. */
  | { readonly kind: 'filter'; readonly field: FieldRef; readonly negated: boolean; readonly operation: Operation }
  | {
      readonly kind: 'group';
      readonly operator: 'and' | 'or';
      readonly negated: boolean;
      readonly children: readonly Having[];
    };

/** The rows that a window function looks at. */
export type WindowRows = { readonly partition: readonly FieldRef[]; readonly order: readonly OrderBy[] };

export type OrderBy = {
  readonly by:
    | { readonly kind: 'own'; readonly field: FieldRef }
    | { readonly kind: 'measure'; readonly measure: Measure }
    /** What is shown under this name. */
    | { readonly kind: 'shown'; readonly name: string }
    /** How many rows the embed has. */
    | { readonly kind: 'count-of'; readonly embed: EmbedNode }
    /** A column of the one related row. */
    | { readonly kind: 'related'; readonly embed: EmbedNode; readonly field: FieldRef }
    /** A column that a spread embed lends, as it is shown. */
    | { readonly kind: 'hoisted'; readonly embed: EmbedNode; readonly column: string };
  readonly direction: 'asc' | 'desc' | undefined;
  readonly nulls: 'first' | 'last' | undefined;
};

export type Output =
  /** `columns`: what it stands for, where that is known. */
  | { readonly kind: 'star'; readonly columns?: readonly Extract<Output, { kind: 'column' }>[] }
  | {
      readonly kind: 'column';
      readonly field: FieldRef;
      readonly name: string;
      readonly cast: string | undefined;
      readonly aggregate: Aggregate | undefined;
      readonly aggregateCast: string | undefined;
      readonly distinct?: boolean;
      readonly filter?: readonly Condition[];
      readonly neighbour?: Neighbour;
      readonly over?: WindowRows;
    }
  | {
      readonly kind: 'count';
      readonly name: string;
      readonly cast: string | undefined;
      readonly filter?: readonly Condition[];
      readonly over?: WindowRows;
    }
  | {
      readonly kind: 'window';
      readonly fn: WindowFunction;
      readonly over: WindowRows;
      readonly name: string;
      readonly cast: string | undefined;
    }
  /** `name`: its key in the row, which in a spread is not the embed's own. */
  | { readonly kind: 'embed'; readonly embed: EmbedNode; readonly name: string }
  /** A column that a spread embed lends to this row. */
  | {
      readonly kind: 'hoisted';
      readonly embed: EmbedNode;
      readonly column: string;
      readonly name: string;
      readonly aggregate: Aggregate | 'count-rows' | undefined;
      readonly cast: string | undefined;
    };

/** Which rows to take; the root's offset is a parameter, so that paging is one shape. */
export type NodeWindow = { readonly limit: number | undefined; readonly offset: number | 'parameter' };

/** A column that keyset pages go by. */
export type SeekKey = {
  readonly field: FieldRef;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
  readonly nullable: boolean;
};

/** Keyset pages: the rows come in the order of these columns, which no two share, and begin behind a row with these values. */
export type Seek = {
  readonly keys: readonly SeekKey[];
  /** Slots, null where the row has a null; undefined: from the first row on. */
  readonly behind: readonly (number | null)[] | undefined;
};

export type ReadNode = {
  readonly from:
    | { readonly kind: 'relation'; readonly relation: Identifier }
    /** The rows that a write or a call brought, under the name of what they came from. */
    | { readonly kind: 'source' };
  /** The relation whose rows these are, where it is known: computed relationships take a row of it. */
  readonly rowType: Identifier | undefined;
  readonly alias: string;
  readonly outputs: readonly Output[];
  readonly where: readonly Condition[];
  readonly order: readonly OrderBy[];
  readonly window: NodeWindow;
  readonly embeds: readonly EmbedNode[];
  /** Some output aggregates: the others are grouped by. */
  readonly grouped: boolean;
  readonly having?: readonly Having[];
  /** Of rows that agree in these the first alone; none of them: of rows that agree in all that is shown. */
  readonly distinct?: readonly FieldRef[];
  /** Of the root alone. */
  readonly seek?: Seek;
  /** Of the root alone: embeds are shown as text, in the form that `jsonb` has as text. */
  readonly embedsAsText?: boolean;
};

export type EmbedNode = {
  /** Key in the parent's row. */
  readonly name: string;
  /** Name of the joined rows in SQL, unique within the statement. */
  readonly sqlName: string;
  readonly relationship: Relationship;
  readonly toOne: boolean;
  readonly spread: boolean;
  /** Parents without a row here are left out. */
  readonly inner: boolean;
  /** `rel()`: joins and filters count, but nothing is shown. */
  readonly silent: boolean;
  readonly node: ReadNode;
};

/** How the rows become the body. */
export type BodyFormat =
  | { readonly kind: 'none' }
  | { readonly kind: 'array'; readonly nullsStripped: boolean }
  | { readonly kind: 'object'; readonly nullsStripped: boolean }
  | { readonly kind: 'csv' }
  | { readonly kind: 'geojson' | 'geojson-seq' | 'ndjson' }
  /** Written column by column here, and never by the database. */
  | { readonly kind: 'arrow' | 'parquet' }
  /** Server-sent events; no one statement brings them. */
  | { readonly kind: 'events' }
  /** An aggregate of the database makes the body. */
  | { readonly kind: 'handler'; readonly handler: MediaHandler }
  /** A function whose result is the body already. */
  | { readonly kind: 'value' };

export type Explain = { readonly format: 'text' | 'json'; readonly options: readonly PlanOption[] };

export type Negotiated = {
  readonly format: BodyFormat;
  readonly contentType: string;
  /** The result must be exactly one row. */
  readonly singular: boolean;
  readonly explain: Explain | undefined;
};

export type CountPlan =
  | { readonly kind: 'none' | 'exact' | 'planned' }
  | { readonly kind: 'estimated'; readonly upTo: number | undefined };

/** A written column, and the functions that read its domain from JSON and show it as JSON. */
export type WriteColumn = {
  readonly column: Column;
  readonly fromJson: string | undefined;
  readonly toJson: string | undefined;
};

/** A column of a row's address, and the function that makes of its domain what filters read it as. */
export type KeyColumn = { readonly name: string; readonly toJson: string | undefined };

/** Where the rows to write come from. */
export type WriteSource =
  | { readonly kind: 'json'; readonly isArray: boolean }
  /** One row of text fields. */
  | { readonly kind: 'form' };

export type Mutation =
  | {
      readonly kind: 'insert';
      readonly table: Table;
      readonly columns: readonly WriteColumn[];
      readonly source: WriteSource;
      readonly fillDefaults: boolean;
      readonly conflict: { readonly on: readonly string[]; readonly resolve: 'merge' | 'ignore' } | undefined;
      /** PUT: only the row of the body with this key is written. */
      readonly only: readonly Condition[];
    }
  | {
      readonly kind: 'update';
      readonly table: Table;
      readonly columns: readonly WriteColumn[];
      readonly source: WriteSource;
      readonly fillDefaults: boolean;
      readonly where: readonly Condition[];
    }
  /** Each row of the body changes the row that its keys name. */
  | {
      readonly kind: 'update-each';
      readonly table: Table;
      readonly keys: readonly WriteColumn[];
      readonly columns: readonly WriteColumn[];
      readonly source: WriteSource;
      readonly fillDefaults: boolean;
      readonly where: readonly Condition[];
    }
  /** A merge patch: for each row that its keys name, or, without keys, for all that match. */
  | {
      readonly kind: 'merge';
      readonly table: Table;
      readonly keys: readonly WriteColumn[];
      readonly columns: readonly MergeColumn[];
      readonly isArray: boolean;
      /** Some objects lack keys that others have: those columns stay as they are. */
      readonly partial: boolean;
      readonly where: readonly Condition[];
    }
  /** A JSON patch of all rows that match. */
  | {
      readonly kind: 'json-patch';
      readonly table: Table;
      readonly columns: readonly { readonly column: Column; readonly operations: readonly PatchStep[] }[];
      readonly where: readonly Condition[];
    }
  /** Rows with rows of related tables inside them. */
  | { readonly kind: 'nested'; readonly table: Table; readonly root: NestedNode; readonly isArray: boolean }
  | { readonly kind: 'delete'; readonly table: Table; readonly where: readonly Condition[] };

/** How a level hangs on the one it is in. Pairs: a column of the parent, a column of the row (or of the junction). */
export type NestedLink =
  /** The parent refers to it: it is written first. */
  | { readonly kind: 'above'; readonly pairs: readonly ColumnPair[] }
  /** It refers to the parent. */
  | { readonly kind: 'below'; readonly pairs: readonly ColumnPair[] }
  | {
      readonly kind: 'through';
      readonly junction: Identifier;
      readonly pairs: readonly ColumnPair[];
      /** A column of the row, a column of the junction. */
      readonly foreignPairs: readonly ColumnPair[];
    };

/** One level of rows to write. */
export type NestedNode = {
  /** Different for each level of a plan. */
  readonly index: number;
  /** The key of the parent's object that holds its rows. */
  readonly name: string;
  readonly table: Table;
  readonly columns: readonly WriteColumn[];
  /** Columns that some objects leave out; they have their default there. */
  readonly defaulted: readonly string[];
  /** Columns that other levels give. */
  readonly filled: readonly string[];
  /** Undefined: the root. */
  readonly link: NestedLink | undefined;
  readonly isList: boolean;
  /** An upsert by these columns. */
  readonly conflict: readonly string[] | undefined;
  /** Rows of the parent that are not named are deleted, or their links. */
  readonly prunes: boolean;
  /** Columns that other levels, or the answer, want back. */
  readonly needed: readonly string[];
  readonly children: readonly NestedNode[];
};

/** `depth`: how many objects stand in each other in the values to merge. */
export type MergeColumn = WriteColumn & { readonly how: 'set' | 'increment' | 'merge'; readonly depth: number };

/**
 * `steps`: length of the path; `place`: of the operation in the body; `odd`: steps before the last, from 0, that PostgreSQL would take for
 * an index though they are none.
 */
export type PatchStep = {
  readonly op: 'add' | 'remove' | 'replace' | 'test';
  readonly steps: number;
  readonly place: number;
  readonly odd?: readonly number[];
};

/** What a write hands on to the answer: everything, the named columns, or only how many rows. */
export type Returning =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'columns'; readonly columns: readonly string[] }
  | { readonly kind: 'all' };

export type CallArgs =
  | { readonly kind: 'none' }
  /** Text values, each cast to its parameter's type; several slots for a VARIADIC one. */
  | {
      readonly kind: 'text';
      readonly args: readonly { readonly parameter: Parameter; readonly values: readonly TextValue[] }[];
    }
  | { readonly kind: 'json'; readonly isArray: boolean; readonly parameters: readonly Parameter[] }
  /** The whole body for the one unnamed parameter. */
  | { readonly kind: 'body'; readonly type: string };

export type TextValue =
  | { readonly from: 'query'; readonly slot: number }
  | { readonly from: 'form'; readonly index: number };

export type ReadPlan = {
  readonly kind: 'read';
  readonly tree: ReadNode;
  readonly count: CountPlan;
  readonly media: Negotiated;
  /** The request asks for few cells by itself: one key, or a small limit. */
  readonly fewRows: boolean;
};

export type MutatePlan = {
  readonly kind: 'mutate';
  readonly change: Mutation;
  readonly returning: Returning;
  /** Set when the written rows are shown. */
  readonly tree: ReadNode | undefined;
  readonly media: Negotiated;
  /** Primary key to build a Location from. */
  readonly locate: readonly KeyColumn[] | undefined;
};

export type CallPlan = {
  readonly kind: 'call';
  readonly routine: Routine;
  readonly args: CallArgs;
  readonly tree: ReadNode;
  readonly count: CountPlan;
  readonly media: Negotiated;
  readonly rows: CallRows;
};

/**
 * How the rows of a function may be asked for: `whole`: as one body; `again`: one by one, and once more where they turn out to be too many, as it
 * changes nothing; `once`: one by one, and in no case a second time.
 */
export type CallRows = 'whole' | 'again' | 'once';

export type DescribePlan = {
  readonly kind: 'describe';
  readonly document: 'swagger2' | 'openapi31';
  readonly headOnly: boolean;
};

/** OPTIONS: answered without the database. */
type InfoPlan = { readonly kind: 'info'; readonly allow: string };

export type QueryPlan = ReadPlan | MutatePlan | CallPlan;
export type Plan = QueryPlan | DescribePlan | InfoPlan;
