// survest maintenance on | read-only | off: sets the mode of service, which all copies of the program follow.

import { ok } from '../../kernel/result.ts';
import { serviceAsAdmin } from '../../portal/accounts/account-store.ts';
import { type ModeName, readMode, setModeStatement } from '../../portal/mode/mode-store.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { Command } from '../command-line/parse-command-line.ts';
import { type PortalCommandParts, withPortalDatabase } from './with-portal-database.ts';

export type MaintenanceCommand = Extract<Command, { kind: 'maintenance' }>;

const DONE: Readonly<Record<ModeName, string>> = {
  normal: 'everything is open again',
  'read-only': 'nobody changes anything until survest maintenance off; reading goes on',
  maintenance: 'nobody but administrators gets in until survest maintenance off',
};

export function runMaintenanceCommand(
  { mode, message }: MaintenanceCommand,
  parts: PortalCommandParts,
): Promise<ExitCode> {
  return withPortalDatabase('maintenance', parts, async (db) => {
    const set = await serviceAsAdmin(db, [setModeStatement(mode, message ?? '')]);
    if (!set.ok) return set;
    const now = await readMode(db);
    parts.out(`${DONE[mode]}\n`);
    if (now.ok && now.value.kind !== 'normal') parts.out(`people are told: ${now.value.message}\n`);
    return ok(EXIT.done);
  });
}
