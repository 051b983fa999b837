// How much of each thing one request may hold: the bounds of the query grammar and of bodies, all in one place, with the words
// for them. They are beyond what people write and below what the parser, PostgreSQL's planner or the memory would suffer from.

export type Limit =
  | 'nesting'
  | 'jsonSteps'
  | 'selectItems'
  | 'embeds'
  | 'columnCalls'
  | 'windows'
  | 'orderTerms'
  | 'conditions'
  | 'columnNames'
  | 'parameters'
  | 'bodyKeys'
  | 'formFields'
  | 'nestedLevels'
  | 'mergeDepth'
  | 'patchOperations'
  | 'searchText'
  | 'similarText'
  | 'foldedPattern'
  | 'expressions';

export const LIMITS: Readonly<Record<Limit, { readonly most: number; readonly of: string }>> = {
  /** Embeds in embeds, groups in groups: less than the stack holds. */
  nesting: { most: 100, of: 'levels of nesting' },
  /** `a->b->c`: PostgreSQL's own parser takes a path apart recursively. */
  jsonSteps: { most: 100, of: 'steps in a JSON path' },
  /** Of a whole `select`, embeds included; a table has 1600 columns at most. */
  selectItems: { most: 2000, of: 'items in select' },
  /** Each is a join of its own. */
  embeds: { most: 100, of: 'embeds' },
  /** `a.f().g()`. */
  columnCalls: { most: 5, of: 'functions on one column' },
  /** `over(…)`: each may be a sort of its own. */
  windows: { most: 20, of: 'window functions' },
  orderTerms: { most: 200, of: 'terms of an order' },
  /** Of one logic tree. */
  conditions: { most: 1000, of: 'conditions in a group' },
  /** `columns=` and `on_conflict=`. */
  columnNames: { most: 1600, of: 'names in a list of columns' },
  /** Of the query string. */
  parameters: { most: 1000, of: 'parameters' },
  /** Of an object in a body that is written to a table: PostgreSQL's own number of columns. */
  bodyKeys: { most: 1600, of: 'keys in an object of the body' },
  /** Of a form that calls a function: names may come again. */
  formFields: { most: 20_000, of: 'fields in a form' },
  /** Each is an INSERT of its own. */
  nestedLevels: { most: 8, of: 'levels of rows inside rows' },
  /** Of a merge patch; each level is written out in the statement. */
  mergeDepth: { most: 32, of: 'objects in each other in a merge patch' },
  /** Of a JSON patch; each is an expression of its own. */
  patchOperations: { most: 100, of: 'operations in a JSON patch' },
  /** Of all full-text searches. Reading the text takes up to 4 ms (15 ms in the embedded engine), and a row is held against each word. */
  searchText: { most: 4000, of: 'characters of full-text search' },
  /** Of all trigram comparisons: without an index PostgreSQL takes the text apart again for every row, in 0.1 µs per character. */
  similarText: { most: 500, of: 'characters to compare by similarity' },
  /** Of all patterns of `ilike`: PostgreSQL writes them in small letters again for every row, in 0.01 µs per character. */
  foldedPattern: { most: 2000, of: 'characters of ilike patterns' },
  /** PostgreSQL keeps the last 32 compiled ones of a session; where there are more, each is compiled again for every row. */
  expressions: { most: 20, of: 'different regular expressions' },
};

/** JSON repeats the header's names in every row; a CSV may grow so many times in becoming JSON, and a little. */
export const CSV_GROWTH: { readonly times: number; readonly bytes: number } = { times: 32, bytes: 65_536 };

/** How often an embed may come back, by a to-many relationship, to a relation that it is embedded in: rows multiply each time. */
export const MAX_RETURNS = 2;

/** Bodies of inserts up to this size are one statement, which is quicker; larger ones are written in pieces where that is possible. */
export const HELD_BYTES = 8_000_000;
