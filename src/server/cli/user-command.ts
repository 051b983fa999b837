// survest user create | passwd | list: accounts of the portal from the command line. The database is brought to this version
// first, so that the commands work before the program has ever been started.

import { type CallerDb, makeCallerDb } from '../../auth/caller-db.ts';
import { hashPassword } from '../../auth/password.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { objects } from '../../pg/rows.ts';
import { accountNamed, serviceAsAdmin, setPassword } from '../../portal/accounts/account-store.ts';
import { passwordComplaint } from '../../portal/accounts/password-rules.ts';
import { dbFailure } from '../../portal/errors/db-failure.ts';
import { EXIT, type ExitCode } from '../command-line/exit-code.ts';
import type { Command } from '../command-line/parse-command-line.ts';
import type { OpenedDatabase } from '../open-database.ts';
import { migratePortal } from '../portal/migrate-portal.ts';
import type { ReadPassword } from './read-password.ts';

export type UserCommand = Extract<Command, { kind: 'user-create' | 'user-passwd' | 'user-list' }>;

type Message = { readonly message: string };

export type UserCommandParts = {
  readonly open: () => Promise<Result<OpenedDatabase, Message>>;
  readonly readPassword: ReadPassword;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

export async function runUserCommand(command: UserCommand, parts: UserCommandParts): Promise<ExitCode> {
  const done = await perform(command, parts);
  if (!done.ok) parts.err(`survest ${command.kind.replace('-', ' ')}: ${done.error.message}\n`);
  return done.ok ? EXIT.done : EXIT.failed;
}

async function perform(command: UserCommand, parts: UserCommandParts): Promise<Result<void, Message>> {
  // Asked for before the database is opened: nobody waits for its start with a typing error in mind.
  const password = command.kind === 'user-list' ? ok('') : await newPassword(command, parts);
  if (!password.ok) return password;
  const opened = await parts.open();
  if (!opened.ok) return err({ message: whyNotOpened(opened.error) });
  try {
    const migrated = await migratePortal(opened.value.driver);
    if (!migrated.ok) return migrated;
    const db = makeCallerDb(opened.value.driver);
    switch (command.kind) {
      case 'user-create':
        return await create(db, command, password.value, parts);
      case 'user-passwd':
        return await changePassword(db, command.name, password.value, parts);
      case 'user-list':
        return await list(db, command.json, parts);
      default:
        return assertNever(command);
    }
  } finally {
    await opened.value.close();
  }
}

async function newPassword(
  { name, passwordFrom }: Exclude<UserCommand, { kind: 'user-list' }>,
  { readPassword }: UserCommandParts,
): Promise<Result<string, Message>> {
  const read = await readPassword(passwordFrom, name);
  if (!read.ok) return read;
  const complaint = passwordComplaint(read.value, name);
  return complaint === undefined ? read : err({ message: complaint });
}

async function create(
  db: CallerDb,
  { name, admin, email }: Extract<UserCommand, { kind: 'user-create' }>,
  password: string,
  parts: UserCommandParts,
): Promise<Result<void, Message>> {
  const made = await serviceAsAdmin(db, [
    {
      text: 'select portal.create_account($1, $2, email => $3, is_superuser => $4::boolean)',
      params: [name, await hashPassword(password), email ?? '', String(admin)],
    },
    { text: 'select exists (select from portal.account_detail where is_superuser and is_active)', params: [] },
  ]);
  if (!made.ok) return err({ message: said(made.error) });
  parts.out(`created the ${admin ? 'administrator' : 'account'} ${name}\n`);
  if (made.value[1]?.rows[0]?.[0]?.toString() !== 't') {
    parts.err('note: nobody is an administrator yet; survest user create NAME --admin makes one\n');
  }
  return ok(undefined);
}

async function changePassword(
  db: CallerDb,
  name: string,
  password: string,
  parts: UserCommandParts,
): Promise<Result<void, Message>> {
  const found = await accountNamed(db, name);
  if (!found.ok) return err({ message: said(found.error) });
  if (found.value === undefined) {
    return err({ message: `there is no account ${JSON.stringify(name)}; survest user list names them` });
  }
  const set = await setPassword(db, found.value.id, await hashPassword(password));
  if (!set.ok) return err({ message: said(set.error) });
  parts.out(`changed the password of ${found.value.username}; its sessions have ended\n`);
  return ok(undefined);
}

type Listed = {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly is_active: boolean;
  readonly is_staff: boolean;
  readonly is_superuser: boolean;
  readonly date_joined: string;
  readonly last_login: string | null;
};

const LIST = `select a.id, a.username, d.email, d.is_active, d.is_staff, d.is_superuser,
    to_char(d.date_joined at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as date_joined,
    to_char(d.last_login at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last_login
  from portal.account a join portal.account_detail d on d.account_id = a.id
 order by lower(a.username)`;

async function list(db: CallerDb, asJson: boolean, parts: UserCommandParts): Promise<Result<void, Message>> {
  const listed = await serviceAsAdmin(db, [{ text: LIST, params: [], describe: true }]);
  if (!listed.ok) return err({ message: said(listed.error) });
  const [result] = listed.value;
  const accounts = result === undefined ? [] : objects<Listed>(result);
  if (asJson) parts.out(`${JSON.stringify(accounts, null, 2)}\n`);
  else for (const account of accounts) parts.out(`${account.username}\t${kindOf(account)}\t${account.email}\n`);
  return ok(undefined);
}

function kindOf({ is_active, is_superuser, is_staff }: Listed): string {
  if (!is_active) return 'deactivated';
  return is_superuser ? 'administrator' : is_staff ? 'staff' : 'user';
}

/** A mistake in a field in its own words; anything else as the database said it. */
function said(error: DbError): string {
  const failure = dbFailure(error);
  if (failure.kind === 'invalid-fields') return Object.values(failure.fields).flat().join(' ');
  return 'message' in error ? error.message : error.kind;
}

function whyNotOpened(error: Message): string {
  const isLocked = 'kind' in error && error.kind === 'folder-locked';
  return isLocked ? `${error.message}. Administrators can also do this in the portal` : error.message;
}
