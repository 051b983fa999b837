// Everything that was found in the catalogue → the schema cache, with its lookups.

import type { Stage } from '../../kernel/in-slices.ts';
import { makeFindMediaHandler } from './media-handlers.ts';
import { findNamed, getOrMake, groupByName, mapByName } from './name-map.ts';
import { makeNearestName, nearestOf } from './nearest-name.ts';
import type { Omission } from './omission.ts';
import type {
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
  readonly routines: readonly Routine[];
  readonly routineMediaTypes: ReadonlyMap<Routine, string>;
  readonly mediaHandlers: readonly MediaHandler[];
  readonly representations: ReadonlyMap<string, Representation>;
  readonly timezones: ReadonlySet<string>;
  readonly hasRowSecurity: boolean;
};

export function* makeSchemaCache(parts: SchemaCacheParts): Stage<SchemaCache> {
  const tables = yield* mapByName(parts.tables);
  const tablesOf = yield* groupBySchema(parts.tables);
  const undescribed = yield* mapByName(parts.undescribed ?? []);
  const relationships = yield* groupByName(parts.relationships, ({ table }) => table);
  const routines = yield* groupByName(parts.routines, (routine) => routine);
  const routinesOf = yield* groupBySchema(parts.routines);
  return {
    schemas: parts.schemas,
    table: (schema, name) => findNamed(tables, schema, name),
    tablesOf: (schema) => tablesOf.get(schema) ?? [],
    undescribed: (schema, name) => findNamed(undescribed, schema, name)?.why,
    omissions: parts.omissions ?? [],
    relationshipsOf: ({ schema, name }) => findNamed(relationships, schema, name) ?? [],
    routines: (schema, name) => findNamed(routines, schema, name) ?? [],
    routinesOf: (schema) => routinesOf.get(schema) ?? [],
    routineMediaType: (routine) => parts.routineMediaTypes.get(routine),
    mediaHandler: makeFindMediaHandler(parts.mediaHandlers),
    mediaHandlers: parts.mediaHandlers,
    representations: parts.representations,
    timezones: parts.timezones,
    hasRowSecurity: parts.hasRowSecurity,
    nearestTable: nearestBySchema((schema) => tables.get(schema)?.keys()),
    nearestRoutine: nearestBySchema((schema) => routines.get(schema)?.keys()),
    nearestRelatedTable: nearestBySchema((schema) => relationships.get(schema)?.keys()),
    nearestOf,
    summary: {
      relations: parts.tables.length,
      relationships: parts.relationships.length,
      routines: parts.routines.length,
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
): (schema: string, name: string) => string | undefined {
  const indexes = new Map<string, NearestName>();
  return (schema, name) => {
    const names = namesOf(schema);
    // Only schemas that are there get an index: the name comes from the client.
    return names === undefined ? undefined : getOrMake(indexes, schema, () => makeNearestName([...names]))(name);
  };
}
