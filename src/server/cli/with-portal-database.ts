// What commands about a portal that is at this version begin and end with: its database is opened, looked at and closed, and what went wrong is told.

import { type CallerDb, makeCallerDb } from '../../auth/caller-db.ts';
import type { Result } from '../../kernel/result.ts';
import type { DbError, Driver } from '../../pg/driver.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { OpenedDatabase } from '../open-database.ts';

type Message = { readonly message: string };

export type PortalCommandParts = {
  readonly open: () => Promise<Result<OpenedDatabase, Message>>;
  /** What the database lacks of this version. */
  readonly missing: (driver: Driver) => Promise<Result<readonly string[], Message>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

export async function withPortalDatabase(
  command: string,
  parts: PortalCommandParts,
  work: (db: CallerDb) => Promise<Result<ExitCode, DbError>>,
): Promise<ExitCode> {
  const complain = (text: string): ExitCode => {
    parts.err(`survest ${command}: ${text}\n`);
    return EXIT.failed;
  };
  const opened = await parts.open();
  if (!opened.ok) return complain(opened.error.message);
  try {
    const missing = await parts.missing(opened.value.driver);
    if (!missing.ok) return complain(missing.error.message);
    if (missing.value.length > 0)
      return complain('the database is not at this version: survest migrate brings it there');
    const done = await work(makeCallerDb(opened.value.driver));
    if (done.ok) return done.value;
    return complain('message' in done.error ? done.error.message : done.error.kind);
  } finally {
    await opened.value.close();
  }
}
