// survest maintenance on | read-only | off: sets the mode of service, which all copies of the program follow.

import { makeCallerDb } from '../../auth/caller-db.ts';
import type { Result } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import { serviceAsAdmin } from '../../portal/accounts/account-store.ts';
import { type ModeName, readMode, setModeStatement } from '../../portal/mode/mode-store.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { Command } from '../command-line/parse-command-line.ts';
import type { OpenedDatabase } from '../open-database.ts';

export type MaintenanceCommand = Extract<Command, { kind: 'maintenance' }>;

type Message = { readonly message: string };

export type MaintenanceParts = {
  readonly open: () => Promise<Result<OpenedDatabase, Message>>;
  /** What the database lacks of this version. */
  readonly missing: (driver: Driver) => Promise<Result<readonly string[], Message>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

const DONE: Readonly<Record<ModeName, string>> = {
  normal: 'everything is open again',
  'read-only': 'nobody changes anything until survest maintenance off; reading goes on',
  maintenance: 'nobody but administrators gets in until survest maintenance off',
};

export async function runMaintenanceCommand(
  { mode, message }: MaintenanceCommand,
  parts: MaintenanceParts,
): Promise<ExitCode> {
  const complain = (text: string): ExitCode => {
    parts.err(`survest maintenance: ${text}\n`);
    return EXIT.failed;
  };
  const opened = await parts.open();
  if (!opened.ok) return complain(opened.error.message);
  try {
    const missing = await parts.missing(opened.value.driver);
    if (!missing.ok) return complain(missing.error.message);
    if (missing.value.length > 0)
      return complain('the database is not at this version: survest migrate brings it there');
    const db = makeCallerDb(opened.value.driver);
    const set = await serviceAsAdmin(db, [setModeStatement(mode, message ?? '')]);
    if (!set.ok) return complain('message' in set.error ? set.error.message : set.error.kind);
    const now = await readMode(db);
    parts.out(`${DONE[mode]}\n`);
    if (now.ok && now.value.kind !== 'normal') parts.out(`people are told: ${now.value.message}\n`);
    return EXIT.done;
  } finally {
    await opened.value.close();
  }
}
