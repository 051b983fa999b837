// `--dump-config` and `--example`: the settings of a process as a configuration file, with their values or to fill in.

import { dumpConfig } from '../../kernel/options/dump.ts';
import { exampleFile } from '../../kernel/options/example.ts';
import type { OptionTable } from '../../kernel/options/option.ts';
import { restOptions } from '../../rest/config/rest-options.ts';
import { type ServerConfig, type Services, serverOptions } from '../config/config.ts';
import type { DatabaseConfig } from '../config/databases.ts';

/** `survest rest` shows what concerns it; everything else shows all. */
export function dumpFor(services: Services, config: ServerConfig): string {
  return services === 'rest' ? dumpConfig(restOptions, config) : dumpConfig(serverOptions, config);
}

/** The settings of the program, and then those of each database, as one file. */
export function dumpSeveral(program: ServerConfig, databases: readonly DatabaseConfig[]): string {
  const sections = databases.map(({ name, config }) => {
    const isEmbedded = config.dbUri === undefined;
    const table = isEmbedded ? { ...restOptions, dataDir: serverOptions.dataDir } : restOptions;
    const own = dumpConfig<Partial<ServerConfig>>(
      table as OptionTable<Partial<ServerConfig>>,
      config,
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
