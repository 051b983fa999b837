// A database → its schema cache: the catalogue is read, then every stage makes its part of it.

import { inSlices } from '../../kernel/in-slices.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, FlyOptions } from '../../pg/driver.ts';
import type { RelationRow } from './catalogue-rows.ts';
import { makeComputedRelationships } from './computed-relationships.ts';
import type { Related } from './key-ends.ts';
import { makeKeys } from './keys.ts';
import { makeSchemaCache } from './make-schema-cache.ts';
import { makeMediaHandlers } from './media-handlers.ts';
import { type Catalogue, readCatalogue } from './read-catalogue.ts';
import { makeRelationships } from './relationships.ts';
import { makeRepresentations } from './representations.ts';
import { makeRoutines } from './routines.ts';
import type { SchemaCache } from './schema-cache.ts';
import { isView, makeTables } from './tables.ts';
import { makeTypes } from './types.ts';
import { makeViewKeys } from './view-keys.ts';

export type IntrospectOptions = FlyOptions & {
  /** Exposed schemas, in the order of the setting. */
  readonly schemas: readonly string[];
  /** Views in these are looked through, but are no endpoints. */
  readonly extraSearchPath: readonly string[];
  /** As read before from the same server: asking again is the slowest question of all, and has the same answer. */
  readonly timezones?: ReadonlySet<string> | undefined;
};

export async function loadSchemaCache(
  driver: Driver,
  options: IntrospectOptions,
): Promise<Result<SchemaCache, DbError>> {
  const schemas = [...new Set(options.schemas)];
  const held = await driver.hold((session) => readCatalogue(session, schemas, options), options);
  if (!held.ok) return held;
  if (!held.value.ok) return held.value;
  const decode = held.value.value;
  return ok(await buildSchemaCache(await decode(), schemas));
}

async function buildSchemaCache(catalogue: Catalogue, schemas: readonly string[]): Promise<SchemaCache> {
  const types = makeTypes(catalogue.types);
  const representations = makeRepresentations(catalogue.representations);
  const keys = await inSlices(makeKeys(catalogue.keys));
  const viewKeys = await inSlices(makeViewKeys(catalogue.views, keys));
  const tables = await inSlices(makeTables({ ...catalogue, types, representations, keys, viewKeys }));
  const relationships = await inSlices(
    makeRelationships({
      relations: relatedByOid(catalogue.relations),
      keys,
      viewKeys,
      computed: await inSlices(makeComputedRelationships(catalogue.routines, catalogue.relations)),
    }),
  );
  const composites = new Map(catalogue.composites.map((row) => [row.oid, row]));
  const { routines, mediaTypes } = await inSlices(
    makeRoutines({ routines: catalogue.routines, composites, types, representations }),
  );
  const parts = {
    schemas,
    tables,
    relationships,
    routines,
    routineMediaTypes: mediaTypes,
    mediaHandlers: makeMediaHandlers(catalogue.mediaHandlers),
    representations: representations.byName,
    timezones: catalogue.timezones,
    hasRowSecurity: catalogue.hasRowSecurity,
  };
  return inSlices(makeSchemaCache(parts));
}

function relatedByOid(relations: readonly RelationRow[]): ReadonlyMap<number, Related> {
  return new Map(
    relations.map(({ oid, schema, name, kind, columnNames }) => [
      oid,
      { oid, identifier: { schema, name }, isView: isView(kind), columnNames: columnNames ?? [] },
    ]),
  );
}
