// Recovery codes: eighty random bits each, shown once, kept as hashes. Nobody guesses one, so a plain hash is enough.

import { createHash, randomBytes } from 'node:crypto';
import type { CallerDb } from '../../../auth/caller-db.ts';
import { base32 } from '../../../auth/totp.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { recoveryCodesLeft, setRecoveryCodes } from './factor-store.ts';

const COUNT = 10;

/** `abcd-efgh-ijkl-mnop`. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: COUNT }, () => (base32(randomBytes(10)).toLowerCase().match(/.{4}/g) ?? []).join('-'));
}

/** For an account that has none yet; undefined: it has some. */
export async function firstRecoveryCodes(
  db: CallerDb,
  account: number,
): Promise<Result<readonly string[] | undefined, PortalError>> {
  const left = await recoveryCodesLeft(db, account);
  if (!left.ok) return err({ kind: 'database', error: left.error });
  if (left.value > 0) return ok(undefined);
  const codes = newRecoveryCodes();
  const set = await setRecoveryCodes(
    db,
    account,
    codes.flatMap((code) => recoveryHash(code) ?? []),
  );
  return set.ok ? ok(codes) : err({ kind: 'database', error: set.error });
}

/** However it was typed; undefined: no text of ours. */
export function recoveryHash(typed: string): Buffer | undefined {
  const plain = typed.slice(0, 100).toLowerCase().replace(/[\s-]/g, '');
  return /^[a-z2-7]{16}$/.test(plain) ? createHash('sha256').update(`recovery ${plain}`).digest() : undefined;
}
