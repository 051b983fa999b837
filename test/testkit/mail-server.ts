// An SMTP server in this process that keeps the letters it takes.

import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type Letter = {
  readonly to: readonly string[];
  readonly subject: string;
  /** Decoded. */
  readonly text: string;
};

export type MailServer = {
  readonly url: string;
  readonly letters: Letter[];
  /** The next one that comes, or has come and was not yet taken. */
  next(): Promise<Letter>;
  /** How many of the next letters are refused. */
  refuse(count: number): void;
  close(): Promise<void>;
};

export async function startMailServer(): Promise<MailServer> {
  const letters: Letter[] = [];
  const waiting: ((letter: Letter) => void)[] = [];
  let refused = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        if (refused > 0) {
          refused -= 1;
          done(new Error('come back later'));
          return;
        }
        const letter = read(Buffer.concat(parts).toString('utf8'), session.envelope.rcptTo);
        const first = waiting.shift();
        if (first === undefined) letters.push(letter);
        else first(letter);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    next: () =>
      new Promise((resolve) => {
        const kept = letters.shift();
        if (kept === undefined) waiting.push(resolve);
        else resolve(kept);
      }),
    refuse(count) {
      refused = count;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  };
}

function read(raw: string, recipients: readonly { readonly address: string }[]): Letter {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, end).replace(/\r\n[ \t]+/g, ' ');
  const [, subject = ''] = /^Subject: (.*)$/im.exec(head) ?? [];
  const [, encoding = '7bit'] = /^Content-Transfer-Encoding: (\S+)/im.exec(head) ?? [];
  return {
    to: recipients.map(({ address }) => address),
    subject: subject.replace(/=\?UTF-8\?Q\?(.*?)\?=\s*/gi, (_, word: string) =>
      Buffer.from(
        word
          .replaceAll('_', ' ')
          .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString(),
    ),
    text: decoded(raw.slice(end + 4), encoding.toLowerCase()),
  };
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
