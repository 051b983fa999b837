// A portal without accounts gets its first administrator: `admin`, with the password of the settings or one made up here.

import { randomInt } from 'node:crypto';
import type { CallerDb } from '../../auth/caller-db.ts';
import { hashPassword } from '../../auth/password.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { serviceAsAdmin } from './account-store.ts';

export const FIRST_ADMIN = 'admin';

export type FirstAdmin =
  | { readonly kind: 'not-needed' }
  | {
      readonly kind: 'created';
      /** The password that was made up, to be shown once; undefined: the given one. */
      readonly madeUp: string | undefined;
    };

export async function ensureFirstAdmin(
  db: CallerDb,
  { password }: { readonly password?: string | undefined } = {},
): Promise<Result<FirstAdmin, DbError>> {
  const found = await serviceAsAdmin(db, [{ text: `select exists (${ANY_ACCOUNT})`, params: [] }]);
  if (!found.ok) return found;
  if (found.value[0]?.rows[0]?.[0]?.toString() === 't') return ok({ kind: 'not-needed' });

  const madeUp = password === undefined ? makeUpPassword() : undefined;
  const made = await serviceAsAdmin(db, [
    {
      // Asked again here: another copy of the program may be starting at the same time.
      text: `select portal.create_account($1, $2, is_superuser => true) where not exists (${ANY_ACCOUNT})`,
      params: [FIRST_ADMIN, await hashPassword(password ?? madeUp ?? '')],
    },
  ]);
  if (made.ok) return ok(made.value[0]?.rows.length === 0 ? { kind: 'not-needed' } : { kind: 'created', madeUp });
  return made.error.kind === 'sql' && made.error.sqlstate === '23505' ? ok({ kind: 'not-needed' }) : made;
}

const ANY_ACCOUNT = 'select from portal.account where id > 0';

// No letters that look alike: somebody will type this from a screen.
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Four groups of five, 99 bits. */
function makeUpPassword(): string {
  const group = (): string => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}
