// The rows of a layer brought up to date with those of a new file, by the column that tells them apart: what is gone is deleted, what is another is
// updated, what is new is added, so that the history has the differences. Statements run as the owner of the table.

import { err, ok, type Result } from '../../../kernel/result.ts';
import type { Session, Statement } from '../../../pg/driver.ts';
import { quoteIdent } from '../../../sql/index.ts';
import { statement } from '../service-transaction.ts';
import { execute, type PublishError } from './publication.ts';

/** A column of the layer, and what of the new table goes into it. */
type Pair = readonly [theirs: string, value: string];

type Key = { readonly column: string; readonly value: string };

export type Sync = {
  readonly into: string;
  readonly from: string;
  readonly pairs: readonly Pair[];
  /** Undefined: there are no places. */
  readonly shape: Pair | undefined;
  readonly key: Key;
};

/** The column, if it tells the rows of the new table apart. */
export async function syncKey(
  session: Session,
  from: string,
  pairs: readonly Pair[],
  column: string,
): Promise<Result<Key, PublishError>> {
  const pair = pairs.find(([theirs]) => theirs === column);
  if (pair === undefined) return fits(`The data have no column "${column}", by which rows are found again.`);
  const [, value] = pair;
  const counted = await execute(session, [
    statement(`select count(*) - count(distinct (${value})::text) from ${from}`),
  ]);
  if (!counted.ok) return counted;
  const spare = Number(counted.value[0]?.[0]?.[0] ?? 0);
  if (spare > 0)
    return fits(
      `The column "${column}" does not tell the rows apart: ${spare} of its values are empty or occur before.`,
    );
  return ok({ column, value });
}

function fits(said: string): Result<never, PublishError> {
  return err({ kind: 'does-not-fit', said });
}

export function syncRows({ into, from, pairs, shape, key }: Sync): readonly Statement[] {
  const columns = [
    ...(shape === undefined ? [] : [shape]),
    ...pairs.map(([theirs, value]): Pair => [quoteIdent(theirs), value]),
  ];
  const names = columns.map(([name]) => name);
  const fresh = `(select ${columns.map(([name, value]) => `${value} as ${name}`).join(', ')} from ${from})`;
  const cell = quoteIdent(key.column);
  const same = `t.${cell}::text = n.${cell}::text`;
  // As texts: not every type can be compared.
  const texts = (alias: string): string => `array[${names.map((name) => `${alias}.${name}::text`).join(', ')}]`;
  return [
    statement(`delete from ${into} t where not exists (select from ${fresh} n where ${same})`),
    statement(
      `update ${into} t set (${names.join(', ')}) = row(${names.map((name) => `n.${name}`).join(', ')})
         from ${fresh} n where ${same} and ${texts('t')} is distinct from ${texts('n')}`,
    ),
    statement(
      `insert into ${into} (${names.join(', ')}) select ${names.map((name) => `n.${name}`).join(', ')} from ${fresh} n
        where not exists (select from ${into} t where ${same})`,
    ),
  ];
}
