// Where changes of the rows of a read are heard of: every relation that the read depends on, and whether and how it is followed.

import { readFileSync } from 'node:fs';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { arrayLiteral } from '../schema-cache/array-literal.ts';
import type { Identifier } from '../schema-cache/schema-cache.ts';

export type LiveSources = {
  /** OID of the relation that is asked for. */
  readonly root: string | undefined;
  /** OIDs of all relations whose changes may change the rows. */
  readonly relations: ReadonlySet<string>;
  /** Names of tables that would have to be followed and are not. */
  readonly followable: readonly string[];
  /** Names of what would have to be followed and cannot be. */
  readonly others: readonly string[];
  /** Rows come and go with nothing but changes that are told of the relation itself. */
  readonly isComplete: boolean;
  /** Some of it is followed by logical decoding alone, and leaves no entries in the change log. */
  readonly isDecoded: boolean;
};

const SOURCES = readFileSync(new URL('./sql/sources.sql', import.meta.url), 'utf8');

/** Many streams of one table begin, or are looked at again, together. */
const KEPT_MS = 1000;
const MAX_KEPT = 1000;

export type AskSources = (relations: readonly Identifier[]) => Promise<Result<LiveSources, DbError>>;

export function makeAskSources(driver: Pick<Driver, 'execute'>, now: () => number): AskSources {
  const kept = new Map<string, { readonly at: number; readonly answer: ReturnType<AskSources> }>();
  return (relations) => {
    const names = JSON.stringify(relations);
    const known = kept.get(names);
    if (known !== undefined && now() - known.at < KEPT_MS) return known.answer;
    const answer = askSources(driver, relations);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(names, { at: now(), answer });
    // Whoever is told what is missing comes again when it is there.
    void answer.then((told) => {
      if (!told.ok || told.value.followable.length > 0) kept.delete(names);
    });
    return answer;
  };
}

async function askSources(driver: Pick<Driver, 'execute'>, asked: readonly Identifier[]): ReturnType<AskSources> {
  const params = [arrayLiteral(asked.map(({ schema }) => schema)), arrayLiteral(asked.map(({ name }) => name))];
  const executed = await driver.execute([{ text: SOURCES, params }]);
  if (!executed.ok) return executed;
  const rows = executed.value.flatMap(textRows);
  const relations = new Set<string>();
  const followable: string[] = [];
  const others: string[] = [];
  let isComplete = rows.length === 1;
  let isDecoded = false;
  let root: string | undefined;
  for (const [oid, name, kind, required, secured, by, isRoot] of rows) {
    if (oid == null || name == null) continue;
    relations.add(oid);
    if (isRoot === 'true') root = oid;
    if (secured === 'true' || by == null) isComplete = false;
    if (by === 'decoding') isDecoded = true;
    if (kind === 'v' || by != null || required !== 'true') continue;
    (kind === 'r' || kind === 'p' ? followable : others).push(name);
  }
  return ok({ root, relations, followable, others, isComplete, isDecoded });
}
