// Accounts, passwords and sessions as the service itself sees them: one function of the database each. What of this a caller
// may see is not asked here; nothing here is shown to a caller but to the one it is about.

import type { AccountRole } from '../../auth/caller.ts';
import { type CallerDb, PIPELINED } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { BatchResult, DbError, Param, Row, Statement } from '../../pg/driver.ts';

/** An account that somebody has just proved to be. */
export type Account = { readonly id: number; readonly username: string; readonly role: AccountRole };

export type Credential = Account & {
  readonly passwordHash: string;
  readonly isActive: boolean;
  readonly hasSecondFactor: boolean;
};

/** What tokens and the user-info endpoint say of an account. */
export type Identity = Account & {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** Its owner has used a link that was sent there. */
  readonly isEmailConfirmed: boolean;
  /** An administrator who has to have a second factor, has none, and is none until then. */
  readonly needsSecondFactor: boolean;
  /** Slugs, sorted. */
  readonly groups: readonly string[];
};

type Stored<T> = Promise<Result<T, DbError>>;

/** Undefined: no such account, or one without a password. */
export function credentialOf(db: CallerDb, login: string): Stored<Credential | undefined> {
  // PostgreSQL has no text with this character, so no account has such a name.
  if (login.includes('\0')) return Promise.resolve(ok(undefined));
  return firstRow(
    db,
    statement(
      'portal_credential_of',
      `select account_id, username, db_role, password_hash, is_active, portal.has_second_factor(account_id)
         from portal.credential_of($1)`,
      login,
    ),
    (row) => ({
      ...accountOf(row),
      passwordHash: text(row, 3),
      isActive: text(row, 4) === 't',
      hasSecondFactor: text(row, 5) === 't',
    }),
  );
}

/** Undefined: there is no such session any more, or its account is not active. */
export function sessionAccount(db: CallerDb, tokenHash: Buffer): Stored<Account | undefined> {
  return firstRow(
    db,
    statement('portal_session_of', 'select account_id, username, db_role from portal.session_of($1)', {
      binary: tokenHash,
    }),
    accountOf,
  );
}

/** What somebody is signed in with: told to them alone. */
export type SessionData =
  | { readonly kind: 'browser'; readonly agent: string; readonly address: string; readonly by?: 'provider' }
  /** The short one behind the token that a script got for its password. */
  | { readonly kind: 'script' };

export async function openSession(
  db: CallerDb,
  tokenHash: Buffer,
  account: number,
  expiresMs: number,
  data: SessionData,
): Stored<void> {
  return nothing(
    db,
    statement(
      'portal_open_session',
      'select portal.open_session($1, $2::integer, $3::timestamptz, $4::jsonb)',
      { binary: tokenHash },
      String(account),
      new Date(expiresMs).toISOString(),
      JSON.stringify(data),
    ),
  );
}

/** Into the audit log: a password that was compared, rightly or not. */
export function noteSignIn(db: CallerDb, username: string, address: string, succeeded: boolean): Stored<void> {
  const name = username.replaceAll('\0', '\ufffd').slice(0, 300);
  return nothing(
    db,
    statement(
      'portal_note_sign_in',
      'select portal.note_sign_in($1, $2, $3::boolean)',
      name,
      address,
      String(succeeded),
    ),
  );
}

/** Whether the person of this session was sent here by the provider of the settings. */
export async function isFromProvider(db: CallerDb, tokenHash: Buffer): Stored<boolean> {
  const found = await firstRow(
    db,
    statement('portal_session_by', "select data ->> 'by' = 'provider' from portal.session_of($1)", {
      binary: tokenHash,
    }),
    (row) => text(row, 0) === 't',
  );
  return found.ok ? ok(found.value === true) : found;
}

export function closeSession(db: CallerDb, tokenHash: Buffer): Stored<void> {
  return nothing(db, statement('portal_close_session', 'select portal.close_session($1)', { binary: tokenHash }));
}

/** Undefined: gone or deactivated. */
export function identityOf(db: CallerDb, account: number): Stored<Identity | undefined> {
  return firstRow(
    db,
    statement(
      'portal_identity_of',
      `select account_id, username, db_role, first_name, last_name, email, to_json(groups), portal.email_is_confirmed(account_id),
                portal.needs_second_factor(account_id)
         from portal.identity_of($1::integer)`,
      String(account),
    ),
    (row) => ({
      ...accountOf(row),
      firstName: text(row, 3),
      lastName: text(row, 4),
      email: text(row, 5),
      groups: JSON.parse(text(row, 6)),
      isEmailConfirmed: text(row, 7) === 't',
      needsSecondFactor: text(row, 8) === 't',
    }),
  );
}

/** The account of a bearer token, while the grant or the session behind the token lasts; undefined: it stands for nobody. */
export function tokenAccount(
  db: CallerDb,
  account: number,
  grantId: string | undefined,
  sessionHash: Buffer | undefined,
): Stored<Account | undefined> {
  return firstRow(
    db,
    statement(
      'portal_token_account',
      'select account_id, username, db_role from portal.token_account($1::integer, $2, $3)',
      String(account),
      grantId ?? null,
      sessionHash === undefined ? null : { binary: sessionHash },
    ),
    accountOf,
  );
}

/**
 * The service in the role of an administrator, without being an account: for the first account of all, for the command
 * line, and for names that a caller gives without seeing the accounts.
 */
const AS_ADMIN: Statement = {
  name: 'portal_as_admin',
  text: `select set_config('role', 'survest_admin', true), set_config('request.jwt.claims', '{"role":"survest_admin"}', true)`,
  params: [],
};

/** Statements as AS_ADMIN; its own result is not among the results. */
export async function serviceAsAdmin(db: CallerDb, statements: readonly Statement[]): Promise<BatchResult> {
  const executed = await db.service([AS_ADMIN, ...statements]);
  return executed.ok ? ok(executed.value.slice(1)) : executed;
}

export async function accountNamed(
  db: CallerDb,
  username: string,
): Stored<{ readonly id: number; readonly username: string } | undefined> {
  if (username.includes('\0')) return ok(undefined);
  const executed = await serviceAsAdmin(db, [
    statement(
      'portal_account_named',
      'select id, username from portal.account where lower(username) = lower($1) and id > 0',
      username,
    ),
  ]);
  if (!executed.ok) return executed;
  const row = executed.value[0]?.rows[0];
  return ok(row === undefined ? undefined : { id: Number(text(row, 0)), username: text(row, 1) });
}

/** By the service; an administrator does it as a caller. Ends every session of the account. */
export function setPassword(db: CallerDb, account: number, hash: string): Stored<void> {
  return nothing(
    db,
    statement('portal_set_password', 'select portal.set_password($1::integer, $2)', String(account), hash),
  );
}

function statement(name: string, sql: string, ...params: Param[]): Statement {
  return { name, text: sql, params };
}

async function firstRow<T>(db: CallerDb, asked: Statement, read: (row: Row) => T): Stored<T | undefined> {
  // Who asks has to be known before anything else.
  const executed = await db.service([asked], { ...PIPELINED, isUrgent: true });
  if (!executed.ok) return executed;
  const row = executed.value[0]?.rows[0];
  return ok(row === undefined ? undefined : read(row));
}

async function nothing(db: CallerDb, asked: Statement): Stored<void> {
  const executed = await db.service([asked]);
  return executed.ok ? ok(undefined) : err(executed.error);
}

function accountOf(row: Row): Account {
  return {
    id: Number(text(row, 0)),
    username: text(row, 1),
    role: text(row, 2) === 'survest_admin' ? 'survest_admin' : 'survest_user',
  };
}

function text(row: Row, index: number): string {
  return row[index]?.toString() ?? '';
}
