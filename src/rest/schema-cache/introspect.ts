// A database → its schema cache: the catalogue is read, then every stage makes its part of it. Where only a few relations
// have changed since, they alone are read and made anew, and the rest is taken over.

import { inSlices, type Stage, type StepBudget } from '../../kernel/in-slices.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, ExecuteOptions } from '../../pg/driver.ts';
import type { TypeRow } from './catalogue-rows.ts';
import { makeComputedColumns } from './computed-columns.ts';
import { makeComputedRelationships } from './computed-relationships.ts';
import { makeKeys } from './keys.ts';
import { type KnownRelations, makeKnownRelations, mergeRelations } from './known-relations.ts';
import { readRoleLimits } from './limits.ts';
import { makeSchemaCache } from './make-schema-cache.ts';
import { makeMediaHandlers } from './media-handlers.ts';
import { nameList, type Omission } from './omission.ts';
import { type Catalogue, readCatalogue } from './read-catalogue.ts';
import { type KnownCatalogue, readChanges } from './read-changes.ts';
import { makeRelationships } from './relationships.ts';
import { makeRepresentations } from './representations.ts';
import { makeRoutines } from './routines.ts';
import type { SchemaCache, Undescribed } from './schema-cache.ts';
import { directiveOmissions, makeTables } from './tables.ts';
import { isTold, readToldKeys } from './told-keys.ts';
import { makeTypes } from './types.ts';
import { makeViewKeys } from './view-keys.ts';

export type IntrospectOptions = ExecuteOptions & {
  /** Exposed schemas, in the order of the setting. */
  readonly schemas: readonly string[];
  /** Views in these are looked through, but are no endpoints. */
  readonly extraSearchPath: readonly string[];
  /** As read before from the same server: asking again is the slowest question of all, and has the same answer. */
  readonly timezones?: ReadonlySet<string> | undefined;
};

/** A cache, what of the catalogue an update of it starts from, and how long it took to ask the database and to build. */
export type LoadedSchema = {
  readonly cache: SchemaCache;
  readonly known: KnownCatalogue;
  readonly took: { readonly queryMs: number; readonly buildMs: number };
};

export async function loadSchemaCache(
  driver: Driver,
  options: IntrospectOptions,
): Promise<Result<SchemaCache, DbError>> {
  const loaded = await loadSchema(driver, options);
  return loaded.ok ? ok(loaded.value.cache) : loaded;
}

export async function loadSchema(driver: Driver, options: IntrospectOptions): Promise<Result<LoadedSchema, DbError>> {
  const { extraSearchPath } = options;
  const schemas = [...new Set(options.schemas)];
  const began = performance.now();
  const held = await driver.hold((session) => readCatalogue(session, schemas, options), options);
  const queryMs = performance.now() - began;
  if (!held.ok) return held;
  if (!held.value.ok) return held.value;
  const decode = held.value.value;
  const none = { schemas, extraSearchPath, relations: new Map() };
  return ok(await timed(queryMs, async () => buildSchema(await decode(), none, new Set())));
}

/**
 * What was loaded before, with these relations (by oid) as they are now: made, altered, renamed, moved or dropped. Whoever
 * names them answers for it that nothing else has changed, but what follows from them: relationships, keys of views, functions
 * of their rows. Undefined: more may have changed, and the whole is to be loaded.
 */
export async function updateSchema(
  driver: Driver,
  { known }: LoadedSchema,
  changed: ReadonlySet<number>,
): Promise<Result<LoadedSchema | undefined, DbError>> {
  if (known.isPartial) return ok(undefined);
  // Keys that comments tell are read with all relations alone.
  if (known.keys.some((key) => isTold(key) && changed.has(key.foreignRelation))) return ok(undefined);
  const began = performance.now();
  const held = await driver.hold((session) => readChanges(session, known, changed));
  const queryMs = performance.now() - began;
  if (!held.ok) return held;
  if (!held.value.ok) return held.value;
  const read = held.value.value;
  return ok(read === undefined ? undefined : await timed(queryMs, () => buildSchema(read, known, changed)));
}

async function timed(queryMs: number, build: () => Promise<Built>): Promise<LoadedSchema> {
  const began = performance.now();
  const built = await build();
  return { ...built, took: { queryMs, buildMs: performance.now() - began } };
}

/** No schema takes so many; it is for what nobody has thought of, and the log names what was loading. */
const MAX_STEPS = 500_000_000;

type Built = Omit<LoadedSchema, 'took'>;

type Before = {
  readonly schemas: readonly string[];
  readonly extraSearchPath: readonly string[];
  readonly relations: KnownRelations;
};

async function buildSchema(
  catalogue: Catalogue,
  { schemas, extraSearchPath, relations: before }: Before,
  changed: ReadonlySet<number>,
): Promise<Built> {
  const budget: StepBudget = { left: MAX_STEPS, of: 'loading the schema' };
  const run = <T>(stage: Stage<T>): Promise<T> => inSlices(stage, budget);
  const types = await run(makeTypes(catalogue.types));
  const representations = makeRepresentations(catalogue.representations);
  const told = readToldKeys(catalogue.relations);
  const keyRows = [...catalogue.keys, ...told.keys];
  const keys = await run(makeKeys(keyRows));
  const viewKeys = await run(makeViewKeys(catalogue.views, keys));
  const { tables, undescribed } = await run(makeTables({ ...catalogue, types, representations, keys, viewKeys }));
  const fresh = await run(makeKnownRelations(catalogue.relations, tables));
  const relations = await run(mergeRelations(before, changed, fresh, viewKeys));
  const computed = await run(makeComputedRelationships(catalogue.routines, relations.values()));
  const related = await run(makeRelationships({ relations, keys, viewKeys, computed }));
  const composites = new Map(catalogue.composites.map((row) => [row.oid, row]));
  const made = await run(makeRoutines({ routines: catalogue.routines, composites, types, representations }));
  const ofRelations = [
    ...catalogue.omissions,
    ...undescribed.map(omittedRelation),
    ...deepDomains(catalogue.types),
    ...directiveOmissions(catalogue.relations),
    ...told.omissions,
  ];
  const roleLimits = readRoleLimits(catalogue.roleLimits);
  const parts = {
    schemas,
    tables: Array.from(relations.values(), ({ table }) => table),
    undescribed,
    omissions: [
      ...viewKeys.circles.map((views) => omittedCircle(views, relations)),
      ...ofRelations,
      ...related.omissions,
      ...made.omissions,
      ...roleLimits.omissions,
    ],
    relationships: related.relationships,
    computedColumns: await run(makeComputedColumns(catalogue.routines, relations.values(), types)),
    routines: made.routines,
    routineMediaTypes: made.mediaTypes,
    mediaHandlers: makeMediaHandlers(catalogue.mediaHandlers),
    representations: representations.byName,
    timezones: catalogue.timezones,
    textSearch: catalogue.textSearch,
    secured: catalogue.secured,
    extensions: catalogue.extensions,
    roleLimits: roleLimits.byRole,
  };
  return {
    cache: await run(makeSchemaCache(parts)),
    known: {
      schemas,
      extraSearchPath,
      relations,
      isPartial: ofRelations.length > 0,
      keys: keyRows,
      views: catalogue.views,
      representations: catalogue.representations,
      timezones: catalogue.timezones,
      textSearch: catalogue.textSearch,
    },
  };
}

function omittedCircle(views: readonly number[], relations: KnownRelations): Omission {
  const names = views.map((oid) => {
    const identifier = relations.get(oid)?.identifier;
    return identifier === undefined ? `with oid ${oid}` : `${identifier.schema}.${identifier.name}`;
  });
  const what = `the ${views.length === 1 ? 'view' : 'views'} ${nameList(names)}`;
  return { what, why: 'shown by itself, in a circle: nobody can read it, and it has no relationships' };
}

function omittedRelation({ schema, name, why }: Undescribed): Omission {
  return { what: `the relation ${schema}.${name}`, why };
}

/** Each is named once, with whatever modifiers it is used. */
function deepDomains(types: readonly TypeRow[]): Omission[] {
  const names = new Set(types.filter(({ tooDeep }) => tooDeep).map(({ name }) => name));
  const why = 'it is made over more than 64 other domains, and is taken for the 64th of them';
  return Array.from(names, (name) => ({ what: `the domain ${name}`, why }));
}
