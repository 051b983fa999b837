// Command line, environment, file and database → the config, or every mistake in any of them. Nothing here reads the
// environment or a disk by itself: both come in.

import { decodeAnyBase64 } from '../../auth/strict-base64.ts';
import type { Environment } from '../../kernel/options/collect.ts';
import type { ConfigError } from '../../kernel/options/config-error.ts';
import { type Check, type Loaded, load } from '../../kernel/options/load.ts';
import type { OptionTable } from '../../kernel/options/option.ts';
import type { Given } from '../../kernel/options/origin.ts';
import type { ReadText } from '../../kernel/options/read-text.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { REST_CHECKS } from './checks.ts';
import type { RestConfig } from './config.ts';
import { NO_FILE, readConfigFile } from './config-file.ts';
import { NAMING } from './naming.ts';
import { restOptions } from './rest-options.ts';

export type ConfigInput = {
  readonly args: readonly Given[];
  readonly env: Environment;
  /** Path of the configuration file, if there is one. */
  readonly file: string | undefined;
  /** The section of the file whose settings are wanted; undefined: those of the program. */
  readonly section?: string | undefined;
  /** From `loadDbSettings`; empty until the database has been asked. */
  readonly database: readonly Given[];
  readonly readText: ReadText;
};

/** `sections`: the names of those that the file has. */
type LoadedConfig<C> = Loaded<C> & { readonly sections: readonly string[] };

export type ConfigResult<C> = Result<LoadedConfig<C>, readonly ConfigError[]>;

/** The REST service's settings alone; the program adds its own table with `loadConfig`. */
export function loadRestConfig(input: ConfigInput): Promise<ConfigResult<RestConfig>> {
  return loadConfig(restOptions, REST_CHECKS, input);
}

export async function loadConfig<C extends RestConfig>(
  table: OptionTable<C>,
  checks: readonly Check<C>[],
  input: ConfigInput,
): Promise<ConfigResult<C>> {
  const { args, env, database, readText } = input;
  const file = input.file === undefined ? ok(NO_FILE) : await readConfigFile({ path: input.file, env, readText });
  const loaded = await load({
    table,
    sources: { args, env, database, file: file.ok ? file.value.given : [], section: sectionOf(input, file) },
    naming: NAMING,
    // Without the file's values a clash may be none, and the other way round.
    checks: file.ok ? checks : [],
    readText,
  });
  if (!file.ok) return err(loaded.ok ? file.error : [...file.error, ...loaded.error]);
  if (!loaded.ok) return loaded;
  const { sections } = file.value;
  return ok({ ...loaded.value, config: withPlainSecret(loaded.value.config), sections: [...sections.keys()] });
}

/** One that is gone since has no settings of its own. */
function sectionOf(
  { section }: ConfigInput,
  file: Awaited<ReturnType<typeof readConfigFile>>,
): readonly Given[] | undefined {
  return section === undefined ? undefined : file.ok ? (file.value.sections.get(section) ?? []) : [];
}

/** One way of writing base64 from here on, whichever the setting used. */
function withPlainSecret<C extends RestConfig>(config: C): C {
  if (config.jwtSecret === undefined || !config.jwtSecretIsBase64) return config;
  return { ...config, jwtSecret: decodeAnyBase64(config.jwtSecret)?.toString('base64') };
}
