// Asks the database why a caller sees, or may write, what they do: what decides on their access, and how many rows there are for them and
// for a role that sees all of them.

import { readFileSync } from 'node:fs';
import type { Batch, Driver, ExecuteOptions, Statement, StatementResult } from '../../pg/driver.ts';
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
  /** The scope of who asked. */
  readonly caller: Batch;
  /** The scope of a role that should see all rows. */
  readonly everyone: Batch;
  readonly relations: readonly Identifier[];
  /** Counts rows of the first relation. */
  readonly sight: Statement | undefined;
};

/** Undefined: the database does not say. One batch after the other: whoever explains takes no more connections than whoever reads. */
export async function askAccess(
  { caller, everyone, relations, sight }: AccessQuestion,
  driver: Driver,
  options: ExecuteOptions,
): Promise<Access | undefined> {
  const own = await look(driver, caller, relations, sight, options);
  if (own === undefined) return undefined;
  const all = sight === undefined ? undefined : await look(driver, everyone, relations.slice(0, 1), undefined, options);
  const [first] = all?.facts ?? [];
  const seesAll = first?.mayEnter === true && !first.isSecured && first.privileges.includes('SELECT');
  const seen = seesAll && sight !== undefined ? await count(driver, [...everyone, sight], options) : undefined;
  return { facts: own.facts, caller: own.sight, everyone: seen };
}

type Looked = { readonly facts: readonly AccessFacts[]; readonly sight: Sight | undefined };

/** In one batch, as a rule; where the count fails, the facts are asked for by themselves. */
async function look(
  driver: Driver,
  scope: Batch,
  relations: readonly Identifier[],
  sight: Statement | undefined,
  options: ExecuteOptions,
): Promise<Looked | undefined> {
  const params = [arrayLiteral(relations.map(({ schema }) => schema)), arrayLiteral(relations.map(({ name }) => name))];
  const facts: Statement = { text: ACCESS_FACTS, params, name: 'access_facts' };
  const executed = await driver.execute([...scope, facts, ...(sight === undefined ? [] : [sight])], options);
  if (!executed.ok) return sight === undefined ? undefined : look(driver, scope, relations, undefined, options);
  const text = executed.value[scope.length]?.rows[0]?.[0]?.toString();
  if (text === undefined) return undefined;
  return { facts: JSON.parse(text) as AccessFacts[], sight: sightIn(executed.value[scope.length + 1]) };
}

async function count(driver: Driver, batch: Batch, options: ExecuteOptions): Promise<Sight | undefined> {
  const executed = await driver.execute(batch, options);
  return executed.ok ? sightIn(executed.value.at(-1)) : undefined;
}

function sightIn(result: StatementResult | undefined): Sight | undefined {
  const row = result?.rows[0];
  return row === undefined ? undefined : { matching: Number(row[0]?.toString()), any: row[1]?.toString() === 't' };
}
