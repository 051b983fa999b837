// What the catalogue says now of a few relations that changed, and of everything that is read anew with them because it is
// little or may tell of them: functions, composite types, media handlers, representations. The same questions as of the
// whole, about less.

import { inSlices } from '../../kernel/in-slices.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Session } from '../../pg/driver.ts';
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
import { mergeKeys } from './keys.ts';
import type { KnownRelations } from './known-relations.ts';
import { type Catalogue, collectTypes, compositesStatement, decode } from './read-catalogue.ts';
import type { Identifier } from './schema-cache.ts';

/** What was read before. */
export type KnownCatalogue = Pick<Catalogue, 'keys' | 'views' | 'representations' | 'timezones' | 'textSearch'> & {
  readonly schemas: readonly string[];
  readonly extraSearchPath: readonly string[];
  readonly relations: KnownRelations;
  /** Some relations are not as the catalogue has them, because it could not be read or understood as a whole. */
  readonly isPartial: boolean;
};

/** Undefined: more may have changed than these, and everything has to be read. */
export async function readChanges(
  session: Session,
  known: KnownCatalogue,
  changed: ReadonlySet<number>,
): Promise<Result<Catalogue | undefined, DbError>> {
  const exposed = arrayLiteral(known.schemas);
  const extra = arrayLiteral(known.extraSearchPath);
  const only = arrayLiteral([...changed]);
  const first = await session.execute([
    { text: 'begin isolation level repeatable read read only', params: [] },
    { text: catalogueSql.scope, params: [] },
    // PostgreSQL expects them to end early; one view that is younger than the tables, and they read the names of all.
    { text: `select set_config('enable_mergejoin', 'off', true)`, params: [] },
    { text: catalogueSql.moreChanged, params: [only] },
    { text: catalogueSql.views, params: [exposed, extra] },
    { text: catalogueSql.representations, params: [] },
    { text: catalogueSql.relations, params: [exposed, only, '{}'] },
    { text: catalogueSql.defaults, params: [exposed, only] },
    { text: catalogueSql.comments, params: [exposed, only] },
    { text: catalogueSql.keys, params: [exposed, extra, only] },
    { text: catalogueSql.routines, params: [exposed] },
    { text: catalogueSql.mediaHandlers, params: [exposed] },
    { text: catalogueSql.rowSecurity, params: [] },
    { text: catalogueSql.extensions, params: [] },
    { text: catalogueSql.roleLimits, params: [] },
  ]);
  if (!first.ok) return first;
  const [
    ,
    ,
    ,
    more,
    views,
    representations,
    relations,
    defaults,
    comments,
    keys,
    routines,
    handlers,
    security,
    extensions,
    roleLimits,
  ] = first.value;
  const viewRows = await inSlices(decode<ViewRow>(views));
  const representationRows = await inSlices(decode<RepresentationRow>(representations));
  if (
    (await inSlices(decode<boolean>(more))).includes(true) ||
    !sameViews(viewRows, known) ||
    JSON.stringify(representationRows) !== JSON.stringify(known.representations)
  )
    return ok(undefined);

  const relationRows = await inSlices(decode<RelationRow>(relations));
  const routineRows = await inSlices(decode<RoutineRow>(routines));
  const found = new Set(relationRows.map(({ oid }) => oid));
  const isExposed = (oid: number): boolean => found.has(oid) || (known.relations.has(oid) && !changed.has(oid));
  const composites = await session.execute([compositesStatement(routineRows, isExposed)]);
  if (!composites.ok) return composites;
  const compositeRows = await inSlices(decode<CompositeRow>(composites.value[0]));

  const wanted = await inSlices(collectTypes(relationRows, routineRows, compositeRows));
  const last = await session.execute([
    { text: catalogueSql.types, params: [arrayLiteral(wanted.oids()), arrayLiteral(wanted.modifiers())] },
    { text: 'commit', params: [] },
  ]);
  if (!last.ok) return last;
  const freshKeys = await inSlices(decode<KeyRow>(keys));
  return ok({
    relations: relationRows,
    defaults: await inSlices(decode<DefaultRow>(defaults)),
    comments: await inSlices(decode<CommentRow>(comments)),
    keys: await inSlices(mergeKeys(known.keys, changed, freshKeys)),
    views: known.views,
    routines: routineRows,
    composites: compositeRows,
    types: await inSlices(decode<TypeRow>(last.value[0])),
    mediaHandlers: await inSlices(decode<MediaHandlerRow>(handlers)),
    representations: representationRows,
    timezones: known.timezones,
    textSearch: known.textSearch,
    secured: await inSlices(decode<Identifier>(security)),
    extensions: new Map(await inSlices(decode<[string, string]>(extensions))),
    roleLimits: await inSlices(decode<RoleLimitRow>(roleLimits)),
    omissions: [],
  });
}

/** A view that went with its table is not announced by itself. */
function sameViews(now: readonly ViewRow[], { views }: KnownCatalogue): boolean {
  return now.length === views.size && now.every(({ oid }) => views.has(oid));
}
