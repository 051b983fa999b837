// Letters to administrators: a new account waits for them to switch it on. Whom to write to is for the database to say; a letter that cannot be written
// leaves the account waiting, where administrators see it.

import type { CallerDb } from '../../auth/caller-db.ts';
import { mailLanguage, writeLetter } from '../mail/letters.ts';
import type { Mailer } from '../mail/mailer.ts';

/** Undefined: no letters are sent. */
export type ApprovalMail = { readonly mailer: Mailer; readonly publicUrl: string } | undefined;

export async function tellApprovers(db: CallerDb, mail: ApprovalMail, account: number): Promise<void> {
  if (mail === undefined) return;
  const found = await db.service([
    {
      text: 'select username, email, language, waiting from portal.approval_letters($1::integer)',
      params: [String(account)],
    },
  ]);
  for (const row of found.ok ? (found.value[0]?.rows ?? []) : []) {
    const [username = '', email = '', language, waiting = ''] = row.map((cell) => cell?.toString());
    const link = `${mail.publicUrl}/admin?tab=users`;
    mail.mailer.post(writeLetter(email, { kind: 'account-waits', username, waiting, link }, mailLanguage(language)));
  }
}
