// `--dump-config` and `--example`: the settings of a process as a configuration file, with their values or to fill in.

import { dumpConfig } from '../../kernel/options/dump.ts';
import { exampleFile } from '../../kernel/options/example.ts';
import type { OptionTable } from '../../kernel/options/option.ts';
import { restOptions } from '../../rest/config/rest-options.ts';
import { type ServerConfig, type Services, serverOptions } from '../config/config.ts';
import type { DatabaseConfig } from '../config/databases.ts';

/** `survest rest` shows what concerns it; everything else shows all. */
export function dumpFor(services: Services, config: ServerConfig): string {
  const written = asWritten(config);
  return services === 'rest' ? dumpConfig(restTable(config), written) : dumpConfig(serverOptions, written);
}

/** The settings that concern a REST service, with the place of a database of its own. */
function restTable({ database }: ServerConfig): OptionTable<Partial<ServerConfig>> {
  const place = { dataDir: serverOptions.dataDir };
  const own =
    database === undefined ? {} : database === 'embedded' ? place : { ...place, database: serverOptions.database };
  return { ...restOptions, ...own } as OptionTable<Partial<ServerConfig>>; // fewer options, all of them of this config
}

/** The address of a local server follows from the other settings, and is none itself. */
function asWritten(config: ServerConfig): ServerConfig {
  return config.database === 'local' ? { ...config, dbUri: undefined } : config;
}

/** The settings of the program, and then those of each database, as one file. */
export function dumpSeveral(program: ServerConfig, databases: readonly DatabaseConfig[]): string {
  const sections = databases.map(({ name, config }) => {
    const own = dumpConfig<Partial<ServerConfig>>(
      restTable(config),
      asWritten(config),
      (each) => each.kind === 'family' || each.inSections,
    );
    return `\n[${name}]\n${own}`;
  });
  return dumpFor('rest', program) + sections.join('');
}

const HEAD = `## Settings of Survest. A line that begins with # is a comment; remove it to set a value.
## Text stands in double quotes. $(NAME) in it is another setting or an environment variable, $$ a dollar sign.`;

export function exampleFor(services: Services): string {
  return services === 'rest' ? exampleFile(restOptions, HEAD) : exampleFile(serverOptions, HEAD);
}
