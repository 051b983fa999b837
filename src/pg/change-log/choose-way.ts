// How tables are to be followed, where nobody has said so: as they are already, else by logical decoding where server, role and table allow it, else by
// triggers.

import { readFileSync } from 'node:fs';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../driver.ts';
import { textRows } from '../rows.ts';
import type { FollowedTables } from './followed-tables.ts';
import type { FollowedBy } from './install-change-log.ts';

export type Asked = {
  /** Another connection string is set for it. */
  readonly hasReplicationUri: boolean;
  /** Somebody else will run the SQL, whose rights are not known. */
  readonly isPrinted: boolean;
};

const WAYS = readFileSync(new URL('./sql/ways.sql', import.meta.url), 'utf8');

/** Why logical decoding is not to be had; undefined: it is. */
export function whyNoDecoding(
  driver: Pick<Driver, 'decode'>,
  { decoding }: FollowedTables,
  asked: Asked,
): string | undefined {
  if (driver.decode === undefined) return 'the embedded database has no logical decoding';
  if (decoding.walLevel !== 'logical') return `the server has wal_level = ${decoding.walLevel}`;
  if (!decoding.mayReplicate && !asked.hasReplicationUri) return 'the role has no REPLICATION';
  if (!decoding.mayPublish && !asked.isPrinted) return 'this role may not make, or does not own, the publication';
  return undefined;
}

/** One for each table, in their order. `tables`: names as SQL writes them. */
export async function chooseWays(
  driver: Pick<Driver, 'execute'>,
  tables: readonly string[],
  isDecodable: boolean,
): Promise<Result<readonly FollowedBy[], DbError>> {
  const executed = await driver.execute([{ text: WAYS, params: [arrayText(tables)] }]);
  if (!executed.ok) return executed;
  return ok(
    executed.value.flatMap(textRows).map(([by, hasKey]) => {
      if (by === 'triggers' || by === 'decoding') return by;
      return isDecodable && hasKey === 't' ? 'decoding' : 'triggers';
    }),
  );
}

function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replaceAll(/[\\"]/g, '\\$&')}"`).join()}}`;
}
