// Mail by SMTP (nodemailer), from a bounded queue: a server that is slow or away costs memory for a few letters and nothing else. Each is tried
// a few times, then given up and said so.

import nodemailer from 'nodemailer';
import type { Observe } from '../../kernel/observation.ts';
import type { Mail, Mailer } from './mailer.ts';

export type SmtpSettings = {
  /** `smtp://user:password@host:587`, `smtps://…`. */
  readonly url: string;
  readonly from: string;
  readonly observe: Observe;
  /** Between tries; tests do not wait. */
  readonly retryMs?: readonly number[];
};

const MAX_QUEUED = 1000;
const CONNECTIONS = 2;
const PATIENCE_MS = 20_000;
const RETRY_MS = [2000, 15_000, 60_000] as const;

export function makeSmtpMailer({ url, from, observe, retryMs = RETRY_MS }: SmtpSettings): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    // Letters are text of ours: nothing is read from a file or fetched for them.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const underWay = new Set<Promise<void>>();
  let isClosing = false;
  let hurry: (() => void)[] = [];

  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      hurry.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });

  const deliver = async (mail: Mail): Promise<void> => {
    for (const [tried, waitMs] of [...retryMs, undefined].entries()) {
      try {
        await transport.sendMail({ from, to: mail.to, subject: mail.subject, text: mail.text });
        observe({ kind: 'mail-sent' });
        return;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        observe({ kind: 'mail-failed', message, attempt: tried + 1, retryInMs: isClosing ? undefined : waitMs });
        if (waitMs === undefined || isClosing) return;
        await rest(waitMs);
      }
    }
  };

  return {
    post(mail) {
      if (underWay.size >= MAX_QUEUED || isClosing) {
        observe({ kind: 'mail-failed', message: 'too many letters wait already', attempt: 0, retryInMs: undefined });
        return;
      }
      const delivery = deliver(mail).finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    },
    async close() {
      isClosing = true;
      for (const now of hurry) now();
      hurry = [];
      await Promise.all(underWay);
      transport.close();
    },
  };
}
