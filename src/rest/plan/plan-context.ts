// What planning needs besides the request: the schema cache and the few settings that decide what is possible.

import type { RestConfig } from '../config/config.ts';
import type { SchemaCache } from '../schema-cache/schema-cache.ts';

type PlanConfig = Pick<
  RestConfig,
  | 'dbAggregatesEnabled'
  | 'dbLive'
  | 'dbMaxRows'
  | 'dbPlanEnabled'
  | 'dbPreparedStatements'
  | 'dbRootSpec'
  | 'dbTxEnd'
  | 'openapiMode'
>;

export type PlanContext = { readonly cache: SchemaCache; readonly config: PlanConfig };
