// What a well-formed request asks for. Stage 1 makes it, the planner reads it.
//
// Values that the client sent never stand in this tree: the parser puts them into `values` and leaves their index, a
// `Slot`. Whatever is planned and rendered from the tree is therefore the same for every request of the same shape, and
// no client's text has a road into the SQL but the parameters.

import type { Action, Target } from './action.ts';
import type { MediaType } from './media-type.ts';
import type { Payload } from './payload.ts';
import type { Preferences } from './preferences.ts';

/** Index into `ApiRequest.values`. */
type Slot = number;

export type JsonStep = {
  readonly arrow: '->' | '->>';
  readonly operand: { readonly kind: 'key'; readonly key: string } | { readonly kind: 'index'; readonly index: number };
};

/** A column with an optional way into its JSON, array or composite value. */
export type Field = { readonly name: string; readonly path: readonly JsonStep[] };

export type Aggregate = 'sum' | 'avg' | 'count' | 'max' | 'min';
export type JoinType = 'inner' | 'left';

/** Functions of a column's value, each a line of `column-functions.ts`. */
export type ColumnFunction =
  | 'trunc'
  | 'part'
  | 'bucket'
  | 'round'
  | 'floor'
  | 'ceil'
  | 'abs'
  | 'lower'
  | 'upper'
  | 'length'
  | 'ts_rank'
  | 'ts_rank_cd'
  | 'ts_headline'
  | 'similarity'
  | 'word_similarity'
  | 'trgm_distance'
  | 'l2_distance'
  | 'cosine_distance'
  | 'inner_product'
  | 'st_area'
  | 'st_length'
  | 'st_perimeter'
  | 'st_centroid'
  | 'st_envelope'
  | 'st_simplify'
  | 'st_transform'
  | 'st_x'
  | 'st_y'
  | 'st_astext'
  | 'st_asgeojson'
  | 'st_distance'
  | 'nearest';

export type CallArgument =
  /** Of a closed list, or a name of letters and digits. It stands in the SQL: groups and indexes go by expressions. */
  | { readonly kind: 'word'; readonly word: string }
  /** Digits, which stand there too. */
  | { readonly kind: 'number'; readonly number: string }
  | { readonly kind: 'value'; readonly value: Slot }
  | { readonly kind: 'geometry'; readonly geometry: GeometryValue };

/** A geometry as the client wrote it: GeoJSON, or WKT with or without its SRID. */
export type GeometryValue = { readonly format: 'geojson' | 'wkt'; readonly value: Slot };

export type ColumnCall = { readonly name: ColumnFunction; readonly args: readonly CallArgument[] };

/** A column, cast, and functions of it, the innermost first. */
export type Value = { readonly field: Field; readonly cast?: string; readonly calls?: readonly ColumnCall[] };

export type AggregateCall = {
  /** `rows`: `count()`, which is about no column. */
  readonly fn: Aggregate | 'rows';
  readonly distinct?: true;
  /** Only rows of which these hold count. */
  readonly filter?: readonly LogicTree[];
};

export type WindowFunction = 'row_number' | 'rank' | 'dense_rank' | 'percent_rank' | 'cume_dist';
/** The value of another row of the window. */
export type Neighbour = { readonly fn: 'lag' | 'lead' | 'first_value' | 'last_value'; readonly offset?: number };

export type Over = { readonly partition: readonly Value[]; readonly order: readonly OrderTerm[] };

export type SelectItem =
  | { readonly kind: 'star' }
  | {
      readonly kind: 'field';
      readonly field: Field;
      readonly alias?: string;
      readonly cast?: string;
      readonly calls?: readonly ColumnCall[];
      readonly aggregate?: Aggregate;
      readonly distinct?: true;
      readonly filter?: readonly LogicTree[];
      readonly neighbour?: Neighbour;
      readonly over?: Over;
      readonly aggregateCast?: string;
    }
  /** `row_number().over(…)` */
  | {
      readonly kind: 'window';
      readonly fn: WindowFunction;
      readonly over: Over;
      readonly alias?: string;
      readonly cast?: string;
    }
  /** `count()`: rows, not the values of a column. */
  | {
      readonly kind: 'count';
      readonly alias?: string;
      readonly cast?: string;
      readonly filter?: readonly LogicTree[];
      readonly over?: Over;
    }
  | {
      readonly kind: 'embed';
      readonly name: string;
      readonly alias?: string;
      readonly hint?: string;
      readonly join?: JoinType;
      readonly items: readonly SelectItem[];
    }
  | {
      readonly kind: 'spread';
      readonly name: string;
      readonly hint?: string;
      readonly join?: JoinType;
      readonly items: readonly SelectItem[];
    };

export type CompareOperator =
  | 'eq'
  | 'neq'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'like'
  | 'ilike'
  | 'match'
  | 'imatch'
  | 'cs'
  | 'cd'
  | 'ov'
  | 'sl'
  | 'sr'
  | 'nxr'
  | 'nxl'
  | 'adj'
  | 'isdistinct';
export type TextSearchOperator = 'fts' | 'plfts' | 'phfts' | 'wfts';
/** Functions of two geometries that an index answers. */
export type SpatialRelation =
  | 'st_intersects'
  | 'st_within'
  | 'st_contains'
  | 'st_covers'
  | 'st_coveredby'
  | 'st_touches'
  | 'st_crosses'
  | 'st_overlaps'
  | 'st_equals';
export type IsWord = 'null' | 'not_null' | 'true' | 'false' | 'unknown';

export type Operation =
  /** For like and ilike the slot already holds `%` for `*`. */
  | {
      readonly kind: 'compare';
      readonly operator: CompareOperator;
      readonly quantifier?: 'any' | 'all';
      readonly value: Slot;
    }
  /** The slot holds a PostgreSQL array literal of the elements; `empty` when there are none. */
  | { readonly kind: 'in'; readonly values: Slot; readonly empty: boolean }
  | { readonly kind: 'is'; readonly word: IsWord }
  /** `gt(col).other`: with another column of the same row. */
  | { readonly kind: 'column'; readonly operator: CompareOperator; readonly other: Field }
  | { readonly kind: 'spatial'; readonly relation: SpatialRelation; readonly geometry: GeometryValue }
  | { readonly kind: 'dwithin'; readonly distance: Slot; readonly geometry: GeometryValue }
  /** Bounds, and the SRID that they are in; undefined: the column's. */
  | { readonly kind: 'bbox'; readonly bounds: readonly [Slot, Slot, Slot, Slot]; readonly srid?: number }
  /** Trigrams, as far as `pg_trgm.similarity_threshold` says. */
  | { readonly kind: 'similar'; readonly value: Slot }
  | {
      readonly kind: 'search';
      readonly operator: TextSearchOperator;
      readonly language?: string;
      readonly value: Slot;
    };

export type Filter = { readonly field: Field; readonly negated: boolean; readonly operation: Operation };

/** A condition on an aggregate, or on the item of select that has this name. */
export type HavingFilter = {
  readonly of: { readonly value?: Value; readonly aggregate: AggregateCall } | { readonly name: string };
  readonly negated: boolean;
  readonly operation: Operation;
};

export type LogicTree<Leaf = Filter> =
  | { readonly kind: 'filter'; readonly filter: Leaf }
  | {
      readonly kind: 'group';
      readonly operator: 'and' | 'or';
      readonly negated: boolean;
      readonly children: readonly LogicTree<Leaf>[];
    };

export type OrderTerm = Value & {
  /** Order by a column of this to-one embed instead of an own one; of a to-many one, by the number of its rows (`count`). */
  readonly relation?: string;
  readonly aggregate?: AggregateCall;
  readonly direction?: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
};

/** Names of embeds from the root down; empty is the root itself. */
export type EmbedPath = readonly string[];
export type At<T> = { readonly at: EmbedPath; readonly value: T };

/** A window of rows; `limit` undefined is "all from offset on". */
export type Window = { readonly offset: number; readonly limit?: number };

export type QueryParams = {
  readonly select: readonly SelectItem[];
  readonly filters: readonly At<Filter>[];
  readonly logic: readonly At<LogicTree>[];
  readonly order: readonly At<readonly OrderTerm[]>[];
  /** Windows of embeds; the root's own is `ApiRequest.window`. */
  readonly windows: readonly At<Window>[];
  readonly columns?: readonly string[];
  readonly onConflict?: readonly string[];
  /** Arguments of a function called by GET, in the order given; a repeated name stands repeatedly. */
  readonly args: readonly { readonly name: string; readonly value: Slot }[];
  /** Rows that differ in these values, of each the first; none of them: rows that differ at all. */
  readonly distinct: readonly At<readonly Value[]>[];
  readonly having: readonly At<LogicTree<HavingFilter>>[];
  /** Keyset pages were asked for by `after`, be it empty. */
  readonly after?: After;
  /** The query without its values: equal for requests that differ in values only. */
  readonly shape: string;
  /** The query with its parameters sorted by name, without `?`, empty when there are none; for another page where one is given. */
  canonical(page?: Page): string;
};

/** Another page of the same rows: by counting rows, or behind one of them. */
export type Page = Window | { readonly after: string };

export type After = {
  /** The values of the row to go on behind, one for each column of the order, null where it is null; undefined: the first page. */
  readonly behind: readonly (Slot | null)[] | undefined;
  /** The cursor for the page behind a row with these values; undefined: they are too long for one. */
  seal(texts: readonly (string | null)[]): string | undefined;
};

export type ApiRequest = {
  /** GET for what is read by a body: it is planned as a GET is. */
  readonly method: string;
  /** As it came, still percent-encoded, without the query and without the `/query` that says where to look for that. */
  readonly path: string;
  /** The parameters came in the body, and may be longer than an address can be. */
  readonly byBody: boolean;
  readonly target: Target;
  readonly action: Action;
  readonly schema: string;
  /** Answer with Content-Profile: several schemas are exposed, or the client named one. */
  readonly schemaNegotiated: boolean;
  readonly query: QueryParams;
  /** The client's values, by slot. */
  readonly values: readonly string[];
  /** Root window: limit/offset intersected with the Range header. `db-max-rows` is not in it. */
  readonly window: Window;
  readonly preferences: Preferences;
  /** Best first. */
  readonly accept: readonly MediaType[];
  readonly payload?: Payload;
};
