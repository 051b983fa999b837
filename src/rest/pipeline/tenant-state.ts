// The tenant of a token (`db-schema-claim`): the state as a caller has it whose claim names a schema. It is the only one there is for them, in
// requests, hints, batches and API descriptions alike; whoever's claim names none that is served has none.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { Who } from '../auth/authenticate.ts';
import type { RestError } from '../errors/rest-error.ts';
import { isTenantSchema } from '../schema-cache/tenant-schemas.ts';
import type { RestState } from './state.ts';

/** Shapes and everything else that is made from schemas is shared: it is kept by the schema's name. */
const made = new WeakMap<RestState, Map<string, RestState>>();

export function tenantState(state: RestState, { schema }: Who): Result<RestState, RestError> {
  if (schema === undefined) return ok(state);
  let tenants = made.get(state);
  const known = tenants?.get(schema);
  if (known !== undefined) return ok(known);
  const { config, cache } = state;
  const isServed =
    config.dbSchemas.includes(schema) ||
    (cache?.schemas.includes(schema) === true && isTenantSchema(schema, config.dbTenantSchemas));
  if (!isServed) return err({ kind: 'schema-not-exposed', schema, exposed: [] });
  const own: RestState = { ...state, config: { ...config, dbSchemas: [schema] } };
  if (tenants === undefined) {
    tenants = new Map();
    made.set(state, tenants);
  }
  // No more of them than there are schemas.
  tenants.set(schema, own);
  return ok(own);
}
