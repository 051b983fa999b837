// What settings are called outside the option table, and which names of the model's files we let pass.

import type { Naming } from '../../kernel/options/collect.ts';

/**
 * Settings that some version of PostgREST knows or knew and that have no meaning here. A file written for it must work
 * unchanged, so these are noticed, not refused.
 */
const FOREIGN: ReadonlySet<string> = new Set([
  'client-error-verbosity',
  'db-load-guc-config',
  'db-timezone-enabled',
  'db-use-legacy-gucs',
  'internal-schema-cache-load-sleep',
  'internal-schema-cache-query-sleep',
  'internal-schema-cache-relationship-load-sleep',
  'internal-schema-cache-sleep',
  'raw-media-types',
  'server-otel-enabled',
  'server-reuseport',
  'url-use-legacy-target-names',
]);

export const NAMING: Naming = {
  ownPrefix: 'SVRST_',
  otherPrefix: 'PGRST_',
  databasePrefix: 'pgrst.',
  foreign: FOREIGN,
};
