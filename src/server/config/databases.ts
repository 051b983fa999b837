// Several databases in one program: a section of the configuration file for each, `[name]`. What the file, the environment and the command line
// say of the program holds for every section that does not say otherwise.

import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ConfigError } from '../../kernel/options/config-error.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ConfigInput } from '../../rest/config/load-config.ts';
import { loadServerConfig, type ServerConfig, type Services } from './config.ts';

export type DatabaseConfig = { readonly name: string; readonly config: ServerConfig };

export async function loadDatabases(
  names: readonly string[],
  services: Services,
  input: ConfigInput,
): Promise<Result<readonly DatabaseConfig[], readonly ConfigError[]>> {
  const databases: DatabaseConfig[] = [];
  const errors: ConfigError[] = [];
  for (const name of names) {
    const loaded = await loadServerConfig(services, { ...input, section: name });
    if (loaded.ok) databases.push({ name, config: loaded.value.config });
    else errors.push(...loaded.error);
  }
  errors.push(...repeated(databases));
  return errors.length === 0 ? ok(databases) : err(errors);
}

/** One host cannot mean two databases, and one folder cannot be open twice. */
function repeated(databases: readonly DatabaseConfig[]): readonly ConfigError[] {
  const errors: ConfigError[] = [];
  const hosts = new Map<string, string>();
  const folders = new Map<string, string>();
  const clash = (option: string, name: string, other: string, value: string, accepts: string): void => {
    const complaint = `the sections [${other}] and [${name}] have the same: ${value}`;
    errors.push({ kind: 'bad-value', option, origin: undefined, value: undefined, complaint, accepts });
  };
  for (const { name, config } of databases) {
    for (const host of config.serverHosts.map((one) => one.toLowerCase())) {
      const other = hosts.get(host);
      if (other !== undefined) clash('server-hosts', name, other, host, 'hosts that no other section has');
      hosts.set(host, name);
    }
    if (config.database === undefined) continue;
    const folder = realFolder(config.dataDir);
    const other = folders.get(folder);
    if (other !== undefined)
      clash('data-dir', name, other, config.dataDir, 'a db-uri in each section, or a folder of its own for each');
    folders.set(folder, name);
  }
  return errors;
}

/** However it is written, and whichever links lead there. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not made yet.
    return resolve(path);
  }
}
