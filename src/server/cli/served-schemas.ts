// The schema cache as a running REST service has it: of the exposed schemas, and of those of tenants.

import type { Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { loadSchemaCache } from '../../rest/schema-cache/introspect.ts';
import type { SchemaCache } from '../../rest/schema-cache/schema-cache.ts';
import { readTenantSchemas } from '../../rest/schema-cache/tenant-schemas.ts';
import type { ServerConfig } from '../config/config.ts';

export async function loadServedSchemas(
  driver: Driver,
  { dbSchemas, dbTenantSchemas, dbExtraSearchPath }: ServerConfig,
): Promise<Result<SchemaCache, DbError>> {
  const tenants = await readTenantSchemas(driver, dbTenantSchemas);
  if (!tenants.ok) return tenants;
  return loadSchemaCache(driver, {
    schemas: [...dbSchemas, ...tenants.value.schemas],
    extraSearchPath: dbExtraSearchPath,
  });
}
