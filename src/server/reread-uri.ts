// The connection string as file and environment have it now: a password may have been changed (rotated) in the file that
// `db-uri = "@…"` names while the program runs. Undefined: it cannot be read, and what was known still holds.

import type { Environment } from '../kernel/options/collect.ts';
import type { SettingSources } from './command-line/parse-command-line.ts';
import { loadServerConfig, type Services } from './config/config.ts';
import { readTextFile } from './config/read-text.ts';

export function makeRereadUri(
  { args, file, section, services }: SettingSources & { readonly services: Services },
  env: Environment,
): () => Promise<string | undefined> {
  return async () => {
    const loaded = await loadServerConfig(services, { args, env, file, section, database: [], readText: readTextFile });
    return loaded.ok ? loaded.value.config.dbUri : undefined;
  };
}
