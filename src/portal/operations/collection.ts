// What a collection of the API is: its names, its fields, where its rows come from and how they are written. The routes are
// the same for all of them.

import type { Result } from '../../kernel/result.ts';
import type { Session } from '../../pg/driver.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { Sql } from '../fields/bound-value.ts';
import type { RecordType } from '../fields/field.ts';
import type { QueryRules } from '../query/catalogue-query.ts';
import type { Source } from '../query/source.ts';
import type { Exchange } from './exchange.ts';
import type { Draft } from './write/draft.ts';
import type { WriteMode } from './write/parse-element.ts';

export type Collection = {
  /** Its address: `/api/v2/groups`. */
  readonly path: string;
  /** Names in answers and bodies: `group_profiles`, `group_profile`. */
  readonly list: string;
  readonly item: string;
  /** One line for the documents. */
  readonly about: string;
  readonly recordType: RecordType;
  readonly source: Source;
  readonly rules: QueryRules;
  /**
   * What becomes of visitors: they see what is for everybody; an empty collection; an empty list, and are asked to sign in for its
   * items; or are asked to sign in for anything.
   */
  readonly visitors: 'welcome' | 'see-nothing' | 'see-no-items' | 'refused';
  /** Further conditions of the list that an item need not fulfil. */
  readonly listed: readonly Sql[];
  /** Undefined: nobody writes here. */
  readonly writer: Writer | undefined;
  /** Records without a name around them, all in one list, and shown after every change. */
  readonly isBare?: boolean;
  /** Deferred fields that have a path of their own, with the name they have in its answer. */
  readonly valuePaths: Readonly<Record<string, string>>;
};

export type Writer = {
  readonly table: string;
  /** Columns that every new row of this collection has, as SQL. */
  readonly fixed: Readonly<Record<string, Sql>>;
  /** A column to be set to itself when nothing else is: the database then says whether the caller may change the row. */
  readonly touched: string;
  /** Fields of an element, where they depend on what it is. */
  readonly recordTypeFor?: (element: Readonly<Record<string, unknown>>) => Result<TypedElement, PortalError>;
  /** The element with members that follow from its others, before its fields are looked at. */
  readonly complete?: (
    element: Readonly<Record<string, unknown>>,
    mode: WriteMode,
  ) => Readonly<Record<string, unknown>>;
  /** What is wrong with a new element as a whole, before its fields are looked at; undefined: nothing. */
  readonly complain?: (element: Readonly<Record<string, unknown>>) => PortalError | undefined;
  /** What a new element lacks, once all that belongs to it is in the draft, its file too; undefined: nothing. */
  readonly lacks?: (draft: Draft, recordType: RecordType) => PortalError | undefined;
  /** Looks over an element that was read, outside the transaction: fills in, checks across fields. */
  readonly prepare?: (draft: Draft, mode: WriteMode, exchange: Exchange) => Promise<Result<Draft, PortalError>>;
  /** The same with a look at the database, before the row is changed. */
  readonly compare?: (id: number, draft: Draft, session: Session) => Promise<Result<Draft, PortalError>>;
  /** A new row where it takes more than an insert; the fields it has dealt with. */
  readonly insert?: (draft: Draft) => { readonly statement: Sql; readonly done: ReadonlySet<string> };
  /** Deletes rows where it takes more than a delete: ids, and whether each is gone for good or rests in the bin. */
  readonly remove?: (ids: Sql) => Sql;
  /** Brings rows into sight that are out of it and may be deleted all the same. */
  readonly uncover?: (ids: Sql) => Sql;
  /** Keys of the files that go with these rows, as one column. */
  readonly blobs?: (ids: Sql) => Sql;
};

export type TypedElement = { readonly recordType: RecordType; readonly fixed: Readonly<Record<string, Sql>> };
