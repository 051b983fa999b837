// Everything that was found in the catalogue → the schema cache, with its lookups.

import type { Stage } from '../../kernel/in-slices.ts';
import type { LimitRule } from './limits.ts';
import { makeFindMediaHandler } from './media-handlers.ts';
import { findNamed, getOrMake, groupByName, mapByName } from './name-map.ts';
import { makeNearestName, nearestOf, SIMILAR } from './nearest-name.ts';
import type { Omission } from './omission.ts';
import type {
  ComputedColumn,
  Identifier,
  MediaHandler,
  NearestName,
  Relationship,
  Representation,
  Routine,
  SchemaCache,
  Table,
  Undescribed,
} from './schema-cache.ts';

export type SchemaCacheParts = {
  readonly schemas: readonly string[];
  readonly tables: readonly Table[];
  readonly undescribed?: readonly Undescribed[];
  readonly omissions?: readonly Omission[];
  /** Those of one relation in the order they are to be listed in. */
  readonly relationships: readonly Relationship[];
  readonly computedColumns: readonly ComputedColumn[];
  readonly routines: readonly Routine[];
  readonly routineMediaTypes: ReadonlyMap<Routine, string>;
  readonly mediaHandlers: readonly MediaHandler[];
  readonly representations: ReadonlyMap<string, Representation>;
  readonly timezones: ReadonlySet<string>;
  readonly secured: readonly Identifier[];
  readonly extensions?: ReadonlyMap<string, string>;
  readonly textSearch?: string | undefined;
  readonly roleLimits?: ReadonlyMap<string, readonly LimitRule[]>;
};

export function* makeSchemaCache(parts: SchemaCacheParts): Stage<SchemaCache> {
  const tables = yield* mapByName(parts.tables);
  const tablesOf = yield* groupBySchema(parts.tables);
  const secured = yield* mapByName(parts.secured);
  const undescribed = yield* mapByName(parts.undescribed ?? []);
  const relationships = yield* groupByName(parts.relationships, ({ table }) => table);
  const computed = yield* groupByName(parts.computedColumns, ({ table }) => table);
  const routines = yield* groupByName(parts.routines, (routine) => routine);
  const listed = parts.routines.filter((routine) => !routine.unlisted);
  const routinesOf = yield* groupBySchema(listed);
  return {
    schemas: parts.schemas,
    table: (schema, name) => findNamed(tables, schema, name),
    tablesOf: (schema) => tablesOf.get(schema) ?? [],
    undescribed: (schema, name) => findNamed(undescribed, schema, name)?.why,
    omissions: parts.omissions ?? [],
    relationshipsOf: ({ schema, name }) => findNamed(relationships, schema, name) ?? [],
    computedType: (table, name) =>
      findNamed(computed, table.schema, table.name)?.find((column) => column.name === name)?.baseType,
    computedColumns: (table) => findNamed(computed, table.schema, table.name) ?? [],
    routines: (schema, name) => findNamed(routines, schema, name) ?? [],
    routinesOf: (schema) => routinesOf.get(schema) ?? [],
    routineMediaType: (routine) => parts.routineMediaTypes.get(routine),
    mediaHandler: makeFindMediaHandler(parts.mediaHandlers),
    mediaHandlers: parts.mediaHandlers,
    representations: parts.representations,
    timezones: parts.timezones,
    hasRowSecurity: parts.secured.length > 0,
    isSecured: ({ schema, name }) => findNamed(secured, schema, name) !== undefined,
    extensions: parts.extensions ?? new Map(),
    textSearch: parts.textSearch,
    roleLimits: parts.roleLimits ?? new Map(),
    hasLimits: (parts.roleLimits?.size ?? 0) > 0 || parts.tables.some(({ limits }) => limits !== undefined),
    nearestTable: nearestBySchema((schema) => tables.get(schema)?.keys(), SIMILAR.amongAll),
    nearestRoutine: nearestBySchema((schema) => {
      const named = routinesOf.get(schema);
      return named === undefined ? undefined : new Set(named.map(({ name }) => name));
    }, SIMILAR.amongAll),
    nearestRelatedTable: nearestBySchema((schema) => relationships.get(schema)?.keys(), SIMILAR.amongFew),
    nearestOf,
    summary: {
      relations: parts.tables.length,
      relationships: parts.relationships.length,
      routines: listed.length,
      representations: parts.representations.size,
      mediaHandlers: parts.mediaHandlers.length,
      timezones: parts.timezones.size,
    },
  };
}

function* groupBySchema<T extends { readonly schema: string }>(
  items: readonly T[],
): Stage<ReadonlyMap<string, readonly T[]>> {
  const map = new Map<string, T[]>();
  for (const item of items) {
    getOrMake(map, item.schema, () => []).push(item);
    yield;
  }
  return map;
}

/** An index of names per schema, made when a name of the schema is not found for the first time. */
function nearestBySchema(
  namesOf: (schema: string) => Iterable<string> | undefined,
  leastScore: number,
): (schema: string, name: string) => string | undefined {
  const indexes = new Map<string, NearestName>();
  return (schema, name) => {
    let find = indexes.get(schema);
    if (find === undefined) {
      const names = namesOf(schema);
      // Only schemas that are there get an index: the name comes from the client.
      if (names === undefined) return undefined;
      find = makeNearestName([...names], leastScore);
      indexes.set(schema, find);
    }
    return find(name);
  };
}
