// Sources and an option table → which given value stands for each option, and which names nobody knows. Pure; values are
// not looked at yet. A source is stronger than the next: command line, database, environment, file. For one of several databases:
// database, its section of the file, and then the others, which hold for the whole program.

import type { ConfigError } from './config-error.ts';
import type { ConfigNotice } from './config-notice.ts';
import { nearestName } from './nearest-name.ts';
import {
  databaseName,
  type FamilyOption,
  namesOf,
  type OptionTable,
  optionsOf,
  type SingleOption,
  variableName,
} from './option.ts';
import type { Given, Origin } from './origin.ts';
import { isEmptyText, rawText } from './raw-value.ts';

export type Environment = { readonly [variable: string]: string | undefined };

export type Sources = {
  readonly args: readonly Given[];
  readonly env: Environment;
  readonly file: readonly Given[];
  /** Of the one database that the settings are for; undefined: they are those of the program. */
  readonly section?: readonly Given[] | undefined;
  /** Named as in the database, prefix and underscores included. */
  readonly database: readonly Given[];
};

/** What names look like outside the table. */
export type Naming = {
  /** Variables with this prefix are ours: one that nobody knows is a mistake. */
  readonly ownPrefix: string;
  /** Read where the own variable is unset; one that nobody knows is only worth a notice. */
  readonly otherPrefix: string;
  readonly databasePrefix: string;
  /** Settings a file may hold although they mean nothing here. */
  readonly foreign: ReadonlySet<string>;
};

export type Collected = {
  /** By option name. */
  readonly singles: ReadonlyMap<string, Given>;
  /** By prefix, then by full name. */
  readonly families: ReadonlyMap<string, ReadonlyMap<string, Given>>;
  readonly errors: readonly ConfigError[];
  readonly notices: readonly ConfigNotice[];
};

export function collect<C>(table: OptionTable<C>, sources: Sources, naming: Naming): Collected {
  const known = indexTable(table);
  const errors: ConfigError[] = [];
  const notices: ConfigNotice[] = [];

  const database = fromDatabase(known, sources.database, naming, notices);
  const rest = [
    fromEnvironment(known, sources.env, naming, errors, notices),
    fromFile(known, sources.file, naming, errors, notices),
  ];
  const args = newLayer();
  for (const given of sources.args) place(known, args, given, notices);

  const strongestFirst =
    sources.section === undefined
      ? [args, database, ...rest]
      : [database, fromSection(known, sources.section, naming, errors, notices), args, ...rest];
  return { singles: mergeSingles(strongestFirst), families: mergeFamilies(strongestFirst), errors, notices };
}

type Known = {
  readonly byName: ReadonlyMap<string, SingleOption<unknown>>;
  readonly families: readonly FamilyOption[];
  readonly singles: readonly SingleOption<unknown>[];
};

function indexTable<C>(table: OptionTable<C>): Known {
  const byName = new Map<string, SingleOption<unknown>>();
  const families: FamilyOption[] = [];
  const singles: SingleOption<unknown>[] = [];
  for (const [, each] of optionsOf(table)) {
    if (each.kind === 'family') families.push(each);
    else {
      singles.push(each);
      for (const name of namesOf(each)) byName.set(name, each);
    }
  }
  return { byName, families, singles };
}

/** What one source gave, aliases resolved. */
type Layer = { readonly singles: Map<string, Given>; readonly families: Map<string, Map<string, Given>> };

function newLayer(): Layer {
  return { singles: new Map(), families: new Map() };
}

/** Puts a value in its layer; false when the table has no place for it. */
function place(known: Known, layer: Layer, given: Given, notices: ConfigNotice[]): boolean {
  const single = known.byName.get(given.name);
  if (single !== undefined) {
    placeSingle(single, layer, given, notices);
    return true;
  }
  const lower = given.name.toLowerCase();
  const family = known.families.find((each) => lower.startsWith(each.prefix));
  if (family === undefined) return false;
  placeMember(family, layer, { ...given, name: lower });
  return true;
}

function placeSingle(single: SingleOption<unknown>, layer: Layer, given: Given, notices: ConfigNotice[]): void {
  const before = layer.singles.get(single.name);
  if (before === undefined) {
    layer.singles.set(single.name, given);
    return;
  }
  const names = namesOf(single);
  const stays = names.indexOf(before.name) < names.indexOf(given.name);
  const [used, unused] = stays ? [before, given] : [given, before];
  layer.singles.set(single.name, used);
  // A file that imports another overrides it on purpose.
  if (!inDifferentFiles(used.origin, unused.origin)) {
    notices.push({ kind: 'given-twice', option: single.name, used: used.origin, unused: unused.origin });
  }
}

function inDifferentFiles(a: Origin, b: Origin): boolean {
  return a.kind === 'file' && b.kind === 'file' && a.place.path !== b.place.path;
}

function placeMember(family: FamilyOption, layer: Layer, given: Given): void {
  const members = layer.families.get(family.prefix) ?? new Map<string, Given>();
  members.set(given.name, given);
  layer.families.set(family.prefix, members);
}

function fromFile(
  known: Known,
  file: readonly Given[],
  naming: Naming,
  errors: ConfigError[],
  notices: ConfigNotice[],
): Layer {
  const layer = newLayer();
  for (const given of file) {
    if (place(known, layer, given, notices)) continue;
    if (naming.foreign.has(given.name))
      notices.push({ kind: 'foreign-setting', name: given.name, origin: given.origin });
    else {
      const near = nearestName(given.name, known.byName.keys());
      errors.push({ kind: 'unknown-setting', name: given.name, origin: given.origin, near });
    }
  }
  return layer;
}

function fromSection(
  known: Known,
  section: readonly Given[],
  naming: Naming,
  errors: ConfigError[],
  notices: ConfigNotice[],
): Layer {
  const isForAll = ({ name }: Given): boolean => known.byName.get(name)?.inSections === false;
  for (const { name, origin } of section.filter(isForAll)) errors.push({ kind: 'not-in-section', name, origin });
  return fromFile(
    known,
    section.filter((given) => !isForAll(given)),
    naming,
    errors,
    notices,
  );
}

function fromDatabase(known: Known, settings: readonly Given[], naming: Naming, notices: ConfigNotice[]): Layer {
  const layer = newLayer();
  const allowed = new Map(
    known.singles
      .filter((each) => each.inDatabase)
      .map((each) => [databaseName(naming.databasePrefix, each.name), each]),
  );
  const forbidden = new Map(known.singles.map((each) => [databaseName(naming.databasePrefix, each.name), each]));
  for (const given of settings) {
    const single = allowed.get(given.name);
    const other = forbidden.get(given.name);
    if (single !== undefined) placeSingle(single, layer, { ...given, name: single.name }, notices);
    else if (other !== undefined) {
      notices.push({ kind: 'not-from-database', option: other.name, origin: given.origin });
    } else {
      const near = nearDatabaseName(known, naming.databasePrefix, given.name);
      notices.push({ kind: 'unknown-ignored', name: given.name, origin: given.origin, near });
    }
  }
  return layer;
}

/** Older names are not read from the database, but they say which one was meant. */
function nearDatabaseName(known: Known, prefix: string, setting: string): string | undefined {
  const settable = known.singles.filter((each) => each.inDatabase).flatMap(namesOf);
  const near = nearestName(setting.slice(prefix.length).replaceAll('_', '-'), settable);
  const single = near === undefined ? undefined : known.byName.get(near);
  return single === undefined ? undefined : databaseName(prefix, single.name);
}

function fromEnvironment(
  known: Known,
  env: Environment,
  naming: Naming,
  errors: ConfigError[],
  notices: ConfigNotice[],
): Layer {
  const layer = newLayer();
  const understood = new Set<string>();

  for (const single of known.singles) {
    const variables = [naming.ownPrefix, naming.otherPrefix].map((prefix) =>
      namesOf(single).map((name) => ({ name, variable: variableName(prefix, name) })),
    );
    for (const { variable } of variables.flat()) understood.add(variable);
    const [own = [], other = []] = variables.map((each) => each.flatMap((known) => readVariable(env, known)));
    const given = pickVariable(single, [...own, ...other]);
    if (given === undefined) continue;
    layer.singles.set(single.name, given);
    const twin = [own, other].find((each) => each.includes(given))?.find((each) => each !== given);
    if (twin !== undefined && !isEmptyText(twin.value)) {
      notices.push({ kind: 'given-twice', option: single.name, used: given.origin, unused: twin.origin });
    }
  }
  // The model's prefix first: the own one then overrides it.
  for (const prefix of [naming.otherPrefix, naming.ownPrefix]) {
    for (const family of known.families) {
      const start = variableName(prefix, family.prefix);
      for (const [variable, value] of Object.entries(env)) {
        if (value === undefined || !variable.startsWith(start) || variable.length === start.length) continue;
        understood.add(variable);
        const name = family.prefix + variable.slice(start.length).toLowerCase();
        placeMember(family, layer, { name, value: rawText(value), origin: { kind: 'environment', variable } });
      }
    }
  }

  for (const variable of Object.keys(env)) {
    if (understood.has(variable) || env[variable] === undefined) continue;
    const origin: Origin = { kind: 'environment', variable };
    if (variable.startsWith(naming.ownPrefix)) {
      errors.push({
        kind: 'unknown-setting',
        name: variable,
        origin,
        near: nearVariable(known, naming.ownPrefix, variable),
      });
    } else if (variable.startsWith(naming.otherPrefix)) {
      const near = nearVariable(known, naming.otherPrefix, variable);
      notices.push({ kind: 'unknown-ignored', name: variable, origin, near });
    }
  }
  return layer;
}

function nearVariable(known: Known, prefix: string, variable: string): string | undefined {
  const name = variable.slice(prefix.length).toLowerCase().replaceAll('_', '-');
  const near = nearestName(name, known.byName.keys());
  return near === undefined ? undefined : variableName(prefix, near);
}

function readVariable(env: Environment, { name, variable }: { name: string; variable: string }): readonly Given[] {
  const value = env[variable];
  return value === undefined ? [] : [{ name, value: rawText(value), origin: { kind: 'environment', variable } }];
}

/** The strongest that says something; an empty one counts only where no other says more, or where empty is a value. */
function pickVariable(single: SingleOption<unknown>, strongestFirst: readonly Given[]): Given | undefined {
  const telling = single.type.emptyIsValue ? undefined : strongestFirst.find((given) => !isEmptyText(given.value));
  return telling ?? strongestFirst[0];
}

function mergeSingles(strongestFirst: readonly Layer[]): ReadonlyMap<string, Given> {
  const merged = new Map<string, Given>();
  for (const layer of [...strongestFirst].reverse()) for (const [name, given] of layer.singles) merged.set(name, given);
  return merged;
}

function mergeFamilies(strongestFirst: readonly Layer[]): ReadonlyMap<string, ReadonlyMap<string, Given>> {
  const merged = new Map<string, Map<string, Given>>();
  for (const layer of [...strongestFirst].reverse()) {
    for (const [prefix, members] of layer.families) {
      const family = merged.get(prefix) ?? new Map<string, Given>();
      for (const [name, given] of members) family.set(name, given);
      merged.set(prefix, family);
    }
  }
  return merged;
}
