// Asks the database why a caller sees, or may write, what they do: what decides on their access, and how many rows there are for them and
// for a role that sees all of them.

import { readFileSync } from 'node:fs';
import type { Driver, Flight, FlyOptions, Statement } from '../../pg/driver.ts';
import { arrayLiteral } from '../schema-cache/array-literal.ts';
import type { Identifier } from '../schema-cache/schema-cache.ts';

export type AccessPolicy = {
  readonly name: string;
  /** r SELECT, a INSERT, w UPDATE, d DELETE, * all. */
  readonly command: 'r' | 'a' | 'w' | 'd' | '*';
  readonly permissive: boolean;
  readonly using: string | null;
  readonly check: string | null;
};

export type AccessFacts = Identifier & {
  readonly kind: 'r' | 'p' | 'v' | 'm' | 'f';
  readonly role: string;
  readonly owner: string;
  readonly mayEnter: boolean;
  /** Of the whole relation. */
  readonly privileges: readonly string[];
  /** `SELECT name`, where the privilege is not of the whole relation. */
  readonly columnPrivileges: readonly string[];
  readonly hasPolicies: boolean;
  /** Row-level security holds for the role. */
  readonly isSecured: boolean;
  readonly asInvoker: boolean;
  /** Those for the role. */
  readonly policies: readonly AccessPolicy[];
  readonly bytes: number | null;
  /** By the statistics. */
  readonly rows: number | null;
};

/** `matching` rows are counted up to the bound of the statement; `any`: the relation has rows at all. */
export type Sight = { readonly matching: number; readonly any: boolean };

export type Access = {
  /** The relation that is asked for first. */
  readonly facts: readonly AccessFacts[];
  readonly caller: Sight | undefined;
  /** Undefined: nobody who sees all rows could be asked. */
  readonly everyone: Sight | undefined;
};

const ACCESS_FACTS = readFileSync(new URL('./sql/access-facts.sql', import.meta.url), 'utf8');

export type AccessQuestion = {
  readonly caller: Flight;
  /** The scope of a role that should see all rows. */
  readonly everyone: Flight;
  readonly relations: readonly Identifier[];
  /** Counts rows of the first relation. */
  readonly sight: Statement | undefined;
};

/** Undefined: the database does not say. */
export async function askAccess(
  { caller, everyone, relations, sight }: AccessQuestion,
  driver: Driver,
  options: FlyOptions,
): Promise<Access | undefined> {
  const facts = await askFacts(driver, caller, relations, options);
  if (facts === undefined) return undefined;
  if (sight === undefined) return { facts, caller: undefined, everyone: undefined };
  const seen = await look(driver, [...caller, sight], options);
  const [all] = (await askFacts(driver, everyone, relations.slice(0, 1), options)) ?? [];
  const seesAll = all?.mayEnter === true && !all.isSecured && all.privileges.includes('SELECT');
  return { facts, caller: seen, everyone: seesAll ? await look(driver, [...everyone, sight], options) : undefined };
}

async function askFacts(
  driver: Driver,
  scope: Flight,
  relations: readonly Identifier[],
  options: FlyOptions,
): Promise<readonly AccessFacts[] | undefined> {
  const params = [arrayLiteral(relations.map(({ schema }) => schema)), arrayLiteral(relations.map(({ name }) => name))];
  const flown = await driver.fly([...scope, { text: ACCESS_FACTS, params }], options);
  const text = flown.ok ? flown.value.at(-1)?.rows[0]?.[0]?.toString() : undefined;
  return text === undefined ? undefined : (JSON.parse(text) as AccessFacts[]);
}

async function look(driver: Driver, flight: Flight, options: FlyOptions): Promise<Sight | undefined> {
  const flown = await driver.fly(flight, options);
  const row = flown.ok ? flown.value.at(-1)?.rows[0] : undefined;
  return row === undefined ? undefined : { matching: Number(row[0]?.toString()), any: row[1]?.toString() === 't' };
}
