// One table of options describes every setting of a service: from it come loading, `--dump-config`, `--example`, the
// documentation page, the names of environment variables and the complaint about names nobody knows.

import type { Result } from '../result.ts';
import type { RawValue } from './raw-value.ts';

/** How the values of an option are read and written; `types/` holds the common ones. */
export type OptionType<T> = {
  /** Completes "accepts …" in complaints, in the help and on the documentation page. */
  readonly accepts: string;
  /** An empty text means "back to the default", unless the type gives it a meaning of its own. */
  readonly emptyIsValue?: true;
  /** The value, or what is wrong with it; the words never repeat the value, which may be a secret. */
  parse(raw: RawValue): Result<T, string>;
  /** A literal of the configuration file that `parse` reads back to the same value. */
  print(value: T): string;
};

export type SingleOption<T> = {
  readonly kind: 'single';
  readonly name: string;
  /** Older names that still work. */
  readonly aliases: readonly string[];
  /** An alias given beside the name wins over it (one setting of the model does that). */
  readonly aliasWins: boolean;
  readonly type: OptionType<T>;
  readonly default: T;
  /** Said instead of the printed default where that would not help ("the address of the machine"). */
  readonly defaultWords: string | undefined;
  /** One line, ends with a full stop. */
  readonly doc: string;
  readonly section: string;
  readonly inDatabase: boolean;
  /** One database of several may have a value of its own; false: it holds for the whole program. */
  readonly inSections: boolean;
  /** False: a changed value waits for the next start. */
  readonly reloadable: boolean;
  /** The value is never shown in a complaint. */
  readonly secret: boolean;
  /** May be given on the command line, where every user of the machine can read it. */
  readonly onCommandLine: boolean;
  /** `@path` as value means the text of that file; `@@` stands for a literal `@`. */
  readonly fileReference: boolean;
  /** A value for `--example` when the default would teach nothing. */
  readonly example: string | undefined;
};

/** Any number of settings under one prefix, kept as text: `app.settings.*`. Their values may be secrets. */
export type FamilyOption = {
  readonly kind: 'family';
  /** With its final dot. */
  readonly prefix: string;
  readonly doc: string;
  readonly section: string;
  readonly reloadable: boolean;
  readonly example: string;
  /** What may follow the prefix, and how to say so. */
  readonly member: { readonly pattern: RegExp; readonly accepts: string };
};

export type AnyOption = SingleOption<unknown> | FamilyOption;

type Option<T> = SingleOption<T> | ([T] extends [ReadonlyMap<string, string>] ? FamilyOption : never);

/** One option for each field of a config: a field without an option does not compile. */
export type OptionTable<C> = { readonly [Field in keyof C]: Option<C[Field]> };

/** What an option must say about itself; the rest has the usual answer. */
export type OptionSpec<T> = SpecInSection<T> & Pick<SingleOption<T>, 'section'>;

type SpecInSection<T> = Pick<SingleOption<T>, 'name' | 'type' | 'default' | 'doc'> &
  Partial<Omit<SingleOption<T>, 'kind' | 'section'>>;

export function option<T>(spec: OptionSpec<T>): SingleOption<T> {
  return {
    kind: 'single',
    aliases: [],
    aliasWins: false,
    defaultWords: undefined,
    inDatabase: false,
    inSections: true,
    reloadable: true,
    secret: false,
    onCommandLine: true,
    fileReference: false,
    example: undefined,
    ...spec,
  };
}

/** Makes options of one section of the documentation; `common` is what they have in common besides. */
export function optionsIn(
  section: string,
  common: { readonly reloadable?: boolean } = {},
): <T>(spec: SpecInSection<T>) => SingleOption<T> {
  return (spec) => option({ ...common, ...spec, section });
}

export type TableEntry = readonly [field: string, option: AnyOption];

/** The table's options in their order. The fields' types end here: `load` puts them back together. */
export function optionsOf<C>(table: OptionTable<C>): readonly TableEntry[] {
  return Object.entries<AnyOption>(table as { readonly [field: string]: AnyOption });
}

/** All names of an option, the strongest first. */
export function namesOf(single: SingleOption<unknown>): readonly string[] {
  return single.aliasWins ? [...single.aliases, single.name] : [single.name, ...single.aliases];
}

/** `db-max-rows` → `SVRST_DB_MAX_ROWS`. */
export function variableName(prefix: string, name: string): string {
  return prefix + name.toUpperCase().replace(/[-.]/g, '_');
}

/** `db-max-rows` → `pgrst.db_max_rows`. */
export function databaseName(prefix: string, name: string): string {
  return prefix + name.replaceAll('-', '_');
}
