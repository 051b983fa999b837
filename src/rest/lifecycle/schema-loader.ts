// Loads the schema cache and puts it in force: whole, or only the relations that changed where everybody who asked named them.

import { randomUUID } from 'node:crypto';
import { TooManySteps } from '../../kernel/in-slices.ts';
import type { Observe } from '../../kernel/observation.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import { makeState } from '../pipeline/state.ts';
import { type LoadedSchema, loadSchema, updateSchema } from '../schema-cache/introspect.ts';
import { readTenantSchemas } from '../schema-cache/tenant-schemas.ts';
import type { LoadError } from './load-error.ts';
import { freshOmissions } from './omissions-told.ts';
import type { ServerSession } from './server-session.ts';
import type { Settings, SettingsReader } from './settings-reader.ts';
import type { StateCell } from './state-cell.ts';

/** The relations (by oid) that somebody says have changed; undefined: anything may have. */
export type ReloadOrder = readonly number[] | undefined;

export type SchemaLoader = {
  /** Never throws: an exception in a load is a load that failed, whatever the database has that nobody thought of. */
  load(orders: readonly ReloadOrder[]): Promise<Result<void, LoadError>>;
  /** Whether one was ever begun. */
  hasBegun(): boolean;
};

export type SchemaLoaderOptions = {
  readonly driver: Driver;
  readonly observe: Observe;
  readonly server: ServerSession;
  readonly settings: SettingsReader;
  readonly cell: StateCell;
};

/** Of more relations than this it is as quick to load all. */
const MAX_CHANGED = 1000;

export function makeSchemaLoader({ driver, observe, server, settings, cell }: SchemaLoaderOptions): SchemaLoader {
  let loaded: LoadedSchema | undefined;
  let hasBegun = false;

  /** False: whatever spoke against it is left to a whole load. */
  async function update(orders: readonly ReloadOrder[]): Promise<boolean> {
    const changed = namedIn(orders);
    if (loaded === undefined || changed === undefined || !server.isTrusted()) return false;
    const updated = await updateSchema(driver, loaded, changed);
    if (!updated.ok || updated.value === undefined) return false;
    putInForce(cell.current, updated.value);
    return true;
  }

  async function loadAll(): Promise<Result<void, LoadError>> {
    hasBegun = true;
    const met = await server.meet();
    if (!met.ok) return met;
    const before = cell.current;
    const read = await settings.read(before);
    if (!read.ok) return read;
    const { dbSchemas, dbExtraSearchPath, dbTenantSchemas } = read.value.config;
    const tenants = await readTenantSchemas(driver, dbTenantSchemas);
    if (!tenants.ok) return tenants;
    for (const omission of tenants.value.omissions) observe({ kind: 'schema-omitted', ...omission });
    const whole = await loadSchema(driver, {
      schemas: [...dbSchemas, ...tenants.value.schemas],
      extraSearchPath: dbExtraSearchPath,
      timezones: met.value.isSameVersion ? cell.current.cache?.timezones : undefined,
    });
    if (!whole.ok) return whole;
    // Settings that were reloaded meanwhile are newer than those this load began with; the schemas are the ones it has loaded.
    const { config, auth, roles } = cell.current === before ? read.value : cell.current;
    putInForce({ config: { ...config, dbSchemas, dbExtraSearchPath, dbTenantSchemas }, auth, roles }, whole.value);
    return ok(undefined);
  }

  function putInForce({ config, auth, roles }: Settings, schema: LoadedSchema): void {
    const { version, cache: before } = cell.current;
    for (const omission of freshOmissions(before?.omissions ?? [], schema.cache.omissions))
      observe({ kind: 'schema-omitted', ...omission });
    loaded = schema;
    cell.current = makeState({ config, version, auth, roles, cache: schema.cache });
    const { routines, representations, mediaHandlers, ...rest } = schema.cache.summary;
    observe({
      kind: 'schema-loaded',
      ...schema.took,
      summary: {
        ...rest,
        functions: routines,
        domainRepresentations: representations,
        mediaTypeHandlers: mediaHandlers,
      },
    });
  }

  return {
    async load(orders) {
      try {
        return (await update(orders)) ? ok(undefined) : await loadAll();
      } catch (cause) {
        if (!(cause instanceof TooManySteps)) observe({ kind: 'bug', id: randomUUID(), cause });
        return err({ kind: 'failed', message: cause instanceof Error ? cause.message : String(cause) });
      }
    },
    hasBegun: () => hasBegun,
  };
}

/** Undefined: not all of them say what changed, or it is too much. */
function namedIn(orders: readonly ReloadOrder[]): ReadonlySet<number> | undefined {
  const changed = new Set<number>();
  for (const relations of orders) {
    if (relations === undefined) return undefined;
    for (const relation of relations) changed.add(relation);
  }
  return changed.size > MAX_CHANGED ? undefined : changed;
}
