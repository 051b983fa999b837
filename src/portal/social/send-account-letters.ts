// Letters to owners of accounts: a way to sign in has changed. What did is queued by triggers of the database, whichever address of the program it came by; the
// database hands each out once, whatever number of copies of the program ask.

import type { CallerDb } from '../../auth/caller-db.ts';
import { type AccountChange, mailLanguage, writeLetter } from '../mail/letters.ts';
import type { Mailer } from '../mail/mailer.ts';

/** Of one run; the next goes on with the others. */
const MAX_LETTERS = 100;

type Detail = {
  readonly email?: string;
  readonly name?: string;
  readonly issuer?: string;
  readonly factor?: 'totp' | 'passkey' | 'recovery' | 'all';
};

/** How many letters that were. A failure of the database is made up for by the next run. */
export async function sendAccountLetters(db: CallerDb, mailer: Mailer, publicUrl: string): Promise<number> {
  const taken = await db.service([
    {
      text: 'select username, email, language, act, detail, extract(epoch from at) from portal.take_account_letters($1::integer)',
      params: [String(MAX_LETTERS)],
    },
  ]);
  const rows = taken.ok ? (taken.value[0]?.rows ?? []) : [];
  for (const row of rows) {
    const [username = '', email = '', language, act = '', detail = '{}', seconds] = row.map((cell) => cell?.toString());
    const change = changeOf(act, JSON.parse(detail) as Detail);
    if (change === undefined) continue;
    const at = new Date(Number(seconds) * 1000);
    const link = `${publicUrl}/account?tab=access`;
    mailer.post(writeLetter(email, { kind: 'account-changed', username, change, at, link }, mailLanguage(language)));
  }
  return rows.length;
}

/** Undefined: an act that a newer program has queued. */
function changeOf(act: string, { email = '', name = '', issuer = '', factor }: Detail): AccountChange | undefined {
  switch (act) {
    case 'email-changed':
      return { act, email };
    case 'token-made':
      return { act, name };
    case 'identity-linked':
      return { act, issuer };
    case 'factor-added':
      return { act: factor === 'passkey' ? 'passkey-added' : 'code-added' };
    case 'factor-removed':
      return { act: factor === 'passkey' ? 'passkey-removed' : 'code-removed' };
    case 'factor-reset':
      return { act: 'factors-removed' };
    case 'password-changed':
    case 'recovery-code-used':
      return { act };
    default:
      return undefined;
  }
}
