// `--dump-config` and `--example`: the settings of a process as a configuration file, with their values or to fill in.

import { dumpConfig } from '../kernel/options/dump.ts';
import { exampleFile } from '../kernel/options/example.ts';
import { restOptions } from '../rest/config/rest-options.ts';
import { type ServerConfig, type Services, serverOptions } from './config.ts';

/** `survest rest` shows what concerns it; everything else shows all. */
export function dumpFor(services: Services, config: ServerConfig): string {
  return services === 'rest' ? dumpConfig(restOptions, config) : dumpConfig(serverOptions, config);
}

const HEAD = `## Settings of Survest. A line that begins with # is a comment; remove it to set a value.
## Text stands in double quotes. $(NAME) in it is another setting or an environment variable, $$ a dollar sign.`;

export function exampleFor(services: Services): string {
  return services === 'rest' ? exampleFile(restOptions, HEAD) : exampleFile(serverOptions, HEAD);
}
