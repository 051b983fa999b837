// A periodic job that sends notifications by mail to who wants them so: one letter for what has come together since the last one. The
// database hands each of them out once, whatever number of copies of the program ask.

import type { CallerDb } from '../../auth/caller-db.ts';
import { type MailLanguage, mailLanguage, type ToldThing, writeLetter } from '../mail/letters.ts';
import type { Mailer } from '../mail/mailer.ts';
import { sendAccountLetters } from './send-account-letters.ts';

const EVERY_MS = 60_000;
/** Of one run; the next goes on with the others. */
const MAX_LETTERS = 100;

type Item = {
  readonly kind: ToldThing['kind'];
  readonly actor: { readonly username: string } | null;
  readonly resource: { readonly pk: string; readonly resource_type: string; readonly title: string };
  readonly comment: string | null;
};

/** Sends what is due; how many letters that were. A failure is made up for by the next run. */
export async function sendLetters(db: CallerDb, mailer: Mailer, publicUrl: string): Promise<number> {
  const executed = await db.service([
    {
      text: 'select username, email, language, items from portal.take_letters($1::integer)',
      params: [String(MAX_LETTERS)],
    },
  ]);
  if (!executed.ok) return 0;
  const rows = executed.value[0]?.rows ?? [];
  for (const row of rows) {
    const [username = '', email = '', spoken = 'en', items = '[]'] = row.map((cell) => cell?.toString());
    const language: MailLanguage = mailLanguage(spoken);
    const things = (JSON.parse(items) as readonly Item[]).map(
      ({ kind, actor, resource, comment }): ToldThing => ({
        kind,
        by: actor?.username,
        title: resource.title,
        comment: comment ?? undefined,
        link: kind === 'deleted' ? undefined : publicUrl + pathOfItem(resource) + (comment === null ? '' : '#comments'),
      }),
    );
    mailer.post(
      writeLetter(email, { kind: 'notifications', username, things, link: `${publicUrl}/notifications` }, language),
    );
  }
  return rows.length;
}

/** The page of an item; the pages have the same list (`pathOfResource`). */
function pathOfItem({ pk, resource_type: type }: Item['resource']): string {
  return type === 'layer' || type === 'map' || type === 'document' ? `/${type}s/${pk}` : `/apps/preview/${pk}`;
}

/** Returns how to stop. */
export function startSendingLetters(db: CallerDb, mailer: Mailer, publicUrl: string): () => void {
  let isRunning = false;
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      await sendAccountLetters(db, mailer, publicUrl);
      await sendLetters(db, mailer, publicUrl);
    } finally {
      isRunning = false;
    }
  };
  const timer = setInterval(() => void run(), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
