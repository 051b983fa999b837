// Option table and sources → the config, with every mistake reported at once, or a config that is right in every field.

import { err, ok, type Result } from '../result.ts';
import { type Collected, collect, type Naming, type Sources } from './collect.ts';
import type { ConfigError } from './config-error.ts';
import type { ConfigNotice } from './config-notice.ts';
import { followReferences } from './follow-references.ts';
import { type FamilyOption, type OptionTable, optionsOf, type SingleOption } from './option.ts';
import type { Given, Origin } from './origin.ts';
import { isEmptyText, type RawValue, showRaw } from './raw-value.ts';
import type { ReadText } from './read-text.ts';

/** What is wrong with settings that are right each by itself. */
type Clash = {
  /** The option to complain about. */
  readonly option: string;
  /** The others in it: a clash with one that is itself malformed is not reported. */
  readonly involves: readonly string[];
  readonly complaint: string;
  readonly accepts: string;
};

export type Check<C> = (config: C) => readonly Clash[];

export type Loaded<C> = {
  readonly config: C;
  /** Where each option that is not at its default was given, by option name. */
  readonly origins: ReadonlyMap<string, Origin>;
  readonly notices: readonly ConfigNotice[];
};

export type LoadInput<C> = {
  readonly table: OptionTable<C>;
  readonly sources: Sources;
  readonly naming: Naming;
  readonly checks: readonly Check<C>[];
  readonly readText: ReadText;
};

export async function load<C>(input: LoadInput<C>): Promise<Result<Loaded<C>, readonly ConfigError[]>> {
  const collected = collect(input.table, input.sources, input.naming);
  const followed = await followReferences(input.table, collected.singles, input.readText);
  const found = parseFields(input.table, { ...collected, singles: followed.singles });

  // An option with a mistake stands at its default here, so that the checks of the others can still run.
  const broken = new Set([...followed.errors, ...found.errors].flatMap((e) => ('option' in e ? [e.option] : [])));
  const config = found.fields as C; // one field per option of OptionTable<C>: the table's type promises that it is whole
  const clashes = input.checks
    .flatMap((check) => check(config))
    .filter((clash) => ![clash.option, ...clash.involves].some((name) => broken.has(name)))
    .map((clash) => clashToError(clash, input.table, followed.singles));

  const errors = [...collected.errors, ...followed.errors, ...found.errors, ...clashes];
  if (errors.length > 0) return err(errors);
  return ok({ config, origins: found.origins, notices: collected.notices });
}

type Found = {
  readonly fields: unknown;
  readonly origins: ReadonlyMap<string, Origin>;
  readonly errors: readonly ConfigError[];
};

function parseFields<C>(table: OptionTable<C>, collected: Collected): Found {
  const fields: { [field: string]: unknown } = {};
  const origins = new Map<string, Origin>();
  const errors: ConfigError[] = [];
  for (const [field, each] of optionsOf(table)) {
    if (each.kind === 'family') {
      fields[field] = parseFamily(each, collected.families.get(each.prefix) ?? new Map(), errors, origins);
    } else {
      fields[field] = parseSingle(each, collected.singles.get(each.name), errors, origins);
    }
  }
  return { fields, origins, errors };
}

function parseSingle(
  single: SingleOption<unknown>,
  given: Given | undefined,
  errors: ConfigError[],
  origins: Map<string, Origin>,
): unknown {
  if (given === undefined) return single.default;
  if (isEmptyText(given.value) && single.type.emptyIsValue === undefined) return single.default;
  const parsed = single.type.parse(given.value);
  if (parsed.ok) {
    origins.set(single.name, given.origin);
    return parsed.value;
  }
  errors.push({
    kind: 'bad-value',
    option: single.name,
    origin: given.origin,
    value: single.secret ? undefined : showRaw(given.value),
    complaint: parsed.error,
    accepts: single.type.accepts,
  });
  return single.default;
}

function parseFamily(
  family: FamilyOption,
  members: ReadonlyMap<string, Given>,
  errors: ConfigError[],
  origins: Map<string, Origin>,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, given] of [...members].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const wrong = (complaint: string, accepts: string): void => {
      errors.push({ kind: 'bad-value', option: name, origin: given.origin, value: undefined, complaint, accepts });
    };
    const value = memberText(given.value);
    if (!family.member.pattern.test(name.slice(family.prefix.length))) {
      wrong('the name cannot be used in the database', family.member.accepts);
    } else if (value === undefined) wrong('must be a text in double quotes', 'text, a number, true or false');
    else if (value.includes('\0')) wrong('must not contain a zero character', 'text');
    else {
      values.set(name, value);
      origins.set(name, given.origin);
    }
  }
  return values;
}

function memberText(value: RawValue): string | undefined {
  switch (value.kind) {
    case 'text':
    case 'number':
      return value.text;
    case 'truth':
      return String(value.value);
    case 'list':
      return undefined;
  }
}

function clashToError<C>(clash: Clash, table: OptionTable<C>, singles: ReadonlyMap<string, Given>): ConfigError {
  const given = singles.get(clash.option);
  const found = optionsOf(table).find(([, each]) => each.kind === 'single' && each.name === clash.option)?.[1];
  const shown =
    found?.kind !== 'single' || found.secret ? undefined : (given?.value ?? found.type.print(found.default));
  return {
    kind: 'bad-value',
    option: clash.option,
    origin: given?.origin,
    value: typeof shown === 'object' ? showRaw(shown) : shown,
    complaint: clash.complaint,
    accepts: clash.accepts,
  };
}
