// The catalogue of a database, read through one session: one read-only transaction, few statements. The one file here
// that asks the database. Rows are decoded in slices, so that requests go on being answered.

import { inSlices, type Stage } from '../../kernel/in-slices.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Session, Statement, StatementResult } from '../../pg/driver.ts';
import { arrayLiteral } from './array-literal.ts';
import type {
  CommentRow,
  CompositeRow,
  DefaultRow,
  KeyRow,
  MediaHandlerRow,
  RelationRow,
  RepresentationRow,
  RoleLimitRow,
  RoutineRow,
  TypeRow,
  ViewRow,
} from './catalogue-rows.ts';
import { catalogueSql } from './catalogue-sql.ts';
import { findUnwritable, type Unwritable } from './find-unwritable.ts';
import type { Omission } from './omission.ts';
import { isCallable, wantTypesOf } from './routines.ts';
import type { Identifier } from './schema-cache.ts';
import { makeWantedTypes, type WantedTypes } from './types.ts';
import { parseViewColumns, type ViewColumn } from './view-columns.ts';

/** Views are fetched until their stored queries, as compressed, are together so long: it bounds memory. */
const VIEW_BATCH_BYTES = 256 * 1024;

export type Catalogue = {
  readonly relations: readonly RelationRow[];
  readonly defaults: readonly DefaultRow[];
  readonly comments: readonly CommentRow[];
  readonly keys: readonly KeyRow[];
  readonly views: ReadonlyMap<number, readonly ViewColumn[]>;
  readonly routines: readonly RoutineRow[];
  readonly composites: readonly CompositeRow[];
  readonly types: readonly TypeRow[];
  readonly mediaHandlers: readonly MediaHandlerRow[];
  readonly representations: readonly RepresentationRow[];
  readonly timezones: ReadonlySet<string>;
  /** Relations whose rows a policy may hide. */
  readonly secured: readonly Identifier[];
  /** Name and schema. */
  readonly extensions: ReadonlyMap<string, string>;
  /** What full-text searches without a configuration use; undefined: it may depend on who asks. */
  readonly textSearch: string | undefined;
  readonly roleLimits: readonly RoleLimitRow[];
  /** What could not be read. */
  readonly omissions: readonly Omission[];
};

export type CatalogueOptions = {
  readonly extraSearchPath: readonly string[];
  readonly timezones?: ReadonlySet<string> | undefined;
};

/** What is left to decode is left for when the session has been given back. */
type Read = Promise<Result<() => Promise<Catalogue>, DbError>>;

export async function readCatalogue(session: Session, schemas: readonly string[], options: CatalogueOptions): Read {
  const read = await readExcept([], session, schemas, options);
  if (read.ok || read.error.kind !== 'sql' || read.error.statement !== RELATIONS) return read;
  await session.execute([{ text: 'rollback', params: [] }]);
  const unwritable = await findUnwritable(session, schemas);
  if (!unwritable.ok || unwritable.value.length === 0) return read;
  return readExcept(unwritable.value, session, schemas, options);
}

/** Which statement of the first batch asks for relations, the one that can fail because of one of them. */
const RELATIONS = 2;

async function readExcept(
  unwritable: readonly Unwritable[],
  session: Session,
  schemas: readonly string[],
  { extraSearchPath, timezones: known }: CatalogueOptions,
): Read {
  const exposed = arrayLiteral(schemas);
  const extra = arrayLiteral(extraSearchPath);
  const first = await session.execute([
    { text: 'begin isolation level repeatable read read only', params: [] },
    { text: catalogueSql.scope, params: [] },
    { text: catalogueSql.relations, params: [exposed, null, arrayLiteral(unwritable.map(({ oid }) => oid))] },
    { text: catalogueSql.defaults, params: [exposed, null] },
    { text: catalogueSql.comments, params: [exposed, null] },
    { text: catalogueSql.keys, params: [exposed, extra, null] },
    { text: catalogueSql.views, params: [exposed, extra] },
    { text: catalogueSql.routines, params: [exposed] },
    { text: catalogueSql.mediaHandlers, params: [exposed] },
    { text: catalogueSql.representations, params: [] },
    { text: catalogueSql.rowSecurity, params: [] },
    { text: catalogueSql.extensions, params: [] },
    { text: catalogueSql.textSearch, params: [] },
    { text: catalogueSql.roleLimits, params: [] },
    ...(known === undefined ? [{ text: catalogueSql.timezones, params: [] }] : []),
  ]);
  if (!first.ok) return first;
  const [
    ,
    ,
    relations,
    defaults,
    comments,
    keys,
    views,
    routines,
    handlers,
    representations,
    security,
    extensions,
    textSearch,
    roleLimits,
    timezones,
  ] = first.value;
  const relationRows = await inSlices(decode<RelationRow>(relations));
  const routineRows = await inSlices(decode<RoutineRow>(routines));

  const exposedRelations = new Set(relationRows.map(({ oid }) => oid));
  const composites = await session.execute([compositesStatement(routineRows, (oid) => exposedRelations.has(oid))]);
  if (!composites.ok) return composites;
  const compositeRows = await inSlices(decode<CompositeRow>(composites.value[0]));

  const viewRows = await inSlices(decode<ViewRow>(views));
  const viewColumns = await readViews(
    session,
    viewRows.filter(({ tooLong }) => !tooLong),
  );
  if (!viewColumns.ok) return viewColumns;
  // They are known, and nothing is known of their columns.
  const tooLong = viewRows.filter((view) => view.tooLong);
  for (const { oid } of tooLong) viewColumns.value.set(oid, []);

  const wanted = await inSlices(collectTypes(relationRows, routineRows, compositeRows));
  const last = await session.execute([
    { text: catalogueSql.types, params: [arrayLiteral(wanted.oids()), arrayLiteral(wanted.modifiers())] },
    { text: 'commit', params: [] },
  ]);
  if (!last.ok) return last;
  return ok(async () => ({
    relations: relationRows,
    defaults: await inSlices(decode<DefaultRow>(defaults)),
    comments: await inSlices(decode<CommentRow>(comments)),
    keys: await inSlices(decode<KeyRow>(keys)),
    views: viewColumns.value,
    routines: routineRows,
    composites: compositeRows,
    types: await inSlices(decode<TypeRow>(last.value[0])),
    mediaHandlers: await inSlices(decode<MediaHandlerRow>(handlers)),
    representations: await inSlices(decode<RepresentationRow>(representations)),
    timezones: known ?? new Set((await inSlices(decode<readonly string[]>(timezones))).flat()),
    secured: await inSlices(decode<Identifier>(security)),
    extensions: new Map(await inSlices(decode<[string, string]>(extensions))),
    textSearch: (await inSlices(decode<readonly string[]>(textSearch)))[0]?.[0],
    roleLimits: await inSlices(decode<RoleLimitRow>(roleLimits)),
    omissions: [
      ...unwritable.map(({ name, isView, why }) => ({
        what: `writes to the ${isView ? 'view' : 'foreign table'} ${name}`,
        why: `PostgreSQL cannot tell whether it can be written: ${why}`,
      })),
      ...tooLong.map(({ name }) => ({
        what: `the keys that the view ${name} shows`,
        why: 'its stored query is longer than 16 MB',
      })),
    ],
  }));
}

/** Result rows that are none of the exposed relations': their columns have to be asked for. */
export function compositesStatement(
  routines: readonly RoutineRow[],
  isExposed: (relation: number) => boolean,
): Statement {
  const wanted = new Set<number>();
  for (const routine of routines) {
    const oid = routine.resultRelation?.oid;
    if (oid !== undefined && !isExposed(oid) && isCallable(routine)) wanted.add(oid);
  }
  return { text: catalogueSql.composites, params: [arrayLiteral([...wanted])] };
}

/** The next batch is on its way while one is parsed. */
async function readViews(
  session: Session,
  views: readonly ViewRow[],
): Promise<Result<Map<number, readonly ViewColumn[]>, DbError>> {
  const columns = new Map<number, readonly ViewColumn[]>();
  let parsed: Promise<void> = Promise.resolve();
  for (const batch of batchesBySize(views)) {
    const fetched = session.execute([{ text: catalogueSql.viewQueries, params: [arrayLiteral(batch)] }]);
    await parsed;
    const found = await fetched;
    if (!found.ok) return found;
    parsed = inSlices(parseViews(found.value[0], columns));
  }
  await parsed;
  return ok(columns);
}

function* parseViews(result: StatementResult | undefined, into: Map<number, readonly ViewColumn[]>): Stage<void> {
  for (const [oid, tree] of result?.rows ?? []) {
    if (oid != null && tree != null) into.set(Number(oid.toString('latin1')), parseViewColumns(tree));
    yield;
  }
}

function* batchesBySize(views: readonly ViewRow[]): Generator<readonly number[]> {
  let batch: number[] = [];
  let bytes = 0;
  for (const { oid, size } of views) {
    batch.push(oid);
    bytes += size;
    if (bytes < VIEW_BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

export function* collectTypes(
  relations: readonly RelationRow[],
  routines: readonly RoutineRow[],
  composites: readonly CompositeRow[],
): Stage<WantedTypes> {
  const wanted = makeWantedTypes();
  for (const { columnNames, columnTypes, modifiers } of relations) {
    columnTypes?.forEach((type, i) => {
      if (columnNames?.[i] !== null) wanted.add(type, modifiers?.[i + 1] ?? -1);
    });
    yield;
  }
  for (const routine of routines) {
    if (isCallable(routine)) wantTypesOf(routine, wanted);
    yield;
  }
  for (const { columnTypes, modifiers } of composites) {
    columnTypes.forEach((type, i) => {
      wanted.add(type, modifiers[i] ?? -1);
    });
  }
  return wanted;
}

/** One JSON value per row. */
export function* decode<T>(result: StatementResult | undefined): Stage<T[]> {
  const values: T[] = [];
  for (const [cell] of result?.rows ?? []) {
    if (cell != null) values.push(JSON.parse(cell.toString('utf8')) as T);
    yield;
  }
  return values;
}
