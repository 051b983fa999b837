// Schemas that only the claim of a token leads to (`db-tenant-schemas`): a pattern, `*` standing for any characters → the schemas of the
// database that it means.

import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import type { Omission } from './omission.ts';

/** What one process can well hold in memory; more is another process's business. */
const MAX_TENANTS = 2000;

export type TenantSchemas = { readonly schemas: readonly string[]; readonly omissions: readonly Omission[] };

const NONE: TenantSchemas = { schemas: [], omissions: [] };

export async function readTenantSchemas(
  driver: Driver,
  pattern: string | undefined,
): Promise<Result<TenantSchemas, DbError>> {
  if (pattern === undefined) return ok(NONE);
  const executed = await driver.execute([
    {
      text: `select nspname from pg_catalog.pg_namespace
             where nspname like $1 and nspname not like 'pg\\_%' and nspname <> 'information_schema'
             order by nspname limit ${MAX_TENANTS + 1}`,
      params: [likePattern(pattern)],
    },
  ]);
  if (!executed.ok) return executed;
  const names = (executed.value[0]?.rows ?? []).flatMap(([name]) => (name == null ? [] : [name.toString()]));
  if (names.length <= MAX_TENANTS) return ok({ schemas: names, omissions: [] });
  const why = `db-tenant-schemas means more than ${MAX_TENANTS} schemas`;
  return ok({
    schemas: names.slice(0, MAX_TENANTS),
    omissions: [{ what: `schemas from ${names.at(-1)} on, by their names`, why }],
  });
}

export function isTenantSchema(schema: string, pattern: string | undefined): boolean {
  if (pattern === undefined || schema.startsWith('pg_') || schema === 'information_schema') return false;
  const [head = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return schema === pattern;
  const tail = rest.pop() ?? '';
  if (!schema.startsWith(head) || !schema.endsWith(tail) || schema.length < head.length + tail.length) return false;
  // Each part at its first place behind the one before: none is looked for twice.
  let at = head.length;
  for (const part of rest) {
    const found = schema.indexOf(part, at);
    if (found < 0 || found + part.length > schema.length - tail.length) return false;
    at = found + part.length;
  }
  return true;
}

function likePattern(pattern: string): string {
  return pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}
