// Second factors as the service itself sees them: one function of the database each. Secrets pass through here and are told to nobody.

import type { CallerDb } from '../../../auth/caller-db.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { DbError, Param, Row } from '../../../pg/driver.ts';

type Stored<T> = Promise<Result<T, DbError>>;

/** A try at a code; false: too often. */
export function takeCodeTry(db: CallerDb, account: number): Stored<boolean> {
  return truth(db, 'select portal.take_code_try($1::integer)', String(account));
}

/** Undefined: the account has none. */
export async function totpOf(
  db: CallerDb,
  account: number,
): Stored<{ readonly secret: Buffer; readonly isConfirmed: boolean } | undefined> {
  // Bytes come as text, so that both engines say them alike.
  const row = await rowOf(
    db,
    `select encode(secret, 'hex'), is_confirmed from portal.totp_of($1::integer)`,
    String(account),
  );
  if (!row.ok || row.value === undefined) return row.ok ? ok(undefined) : row;
  const [secret, isConfirmed] = row.value.map((cell) => cell?.toString() ?? '');
  return ok({ secret: Buffer.from(secret ?? '', 'hex'), isConfirmed: isConfirmed === 't' });
}

/** False: the code of this step, or a later one, was taken already. */
export function takeTotp(db: CallerDb, account: number, step: number, isFirst: boolean): Stored<boolean> {
  const text = 'select portal.use_totp($1::integer, $2::bigint, $3::boolean)';
  return truth(db, text, String(account), String(step), String(isFirst));
}

export async function setRecoveryCodes(db: CallerDb, account: number, hashes: readonly Buffer[]): Stored<void> {
  const text = `select portal.set_recovery_codes($1::integer, array(select decode(h, 'hex') from jsonb_array_elements_text($2::jsonb) h))`;
  const hex = JSON.stringify(hashes.map((hash) => hash.toString('hex')));
  const set = await rowOf(db, text, String(account), hex);
  return set.ok ? ok(undefined) : set;
}

export function takeRecoveryCode(db: CallerDb, account: number, hash: Buffer): Stored<boolean> {
  return truth(db, 'select portal.use_recovery_code($1::integer, $2)', String(account), { binary: hash });
}

export function removeSecondFactor(db: CallerDb, account: number): Stored<boolean> {
  return truth(db, 'select portal.remove_second_factor($1::integer)', String(account));
}

export async function recoveryCodesLeft(db: CallerDb, account: number): Stored<number> {
  const row = await rowOf(db, 'select portal.recovery_codes_left($1::integer)', String(account));
  return row.ok ? ok(Number(row.value?.[0]?.toString() ?? 0)) : row;
}

/** Tells the database whether administrators need one, as the settings say. */
export async function setSignInRule(db: CallerDb, adminsNeedFactor: boolean): Stored<void> {
  const set = await rowOf(db, 'select portal.set_sign_in_rule($1::boolean)', String(adminsNeedFactor));
  return set.ok ? ok(undefined) : set;
}

async function rowOf(db: CallerDb, text: string, ...params: Param[]): Stored<Row | undefined> {
  const executed = await db.service([{ text, params }]);
  return executed.ok ? ok(executed.value[0]?.rows[0]) : err(executed.error);
}

async function truth(db: CallerDb, text: string, ...params: Param[]): Stored<boolean> {
  const row = await rowOf(db, text, ...params);
  return row.ok ? ok(row.value?.[0]?.toString() === 't') : row;
}
