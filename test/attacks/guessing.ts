// Guessing of passwords and names: every door counts into one book, whatever address the guesser says to come from, and no answer tells an
// account that exists from one that does not.

import { expect, test } from 'vitest';
import { PASSWORD, type PortalClient } from '../testkit/portal-client.ts';
import type { Reply } from '../testkit/reply-matcher.ts';
import type { BuiltPortal } from './built-portal.ts';

type Door = (portal: BuiltPortal, username: string, password: string, n: number) => Promise<Reply>;

const from = (n: number): Record<string, string> => ({
  'x-forwarded-for': `203.0.113.${n}`,
  'x-real-ip': `203.0.113.${n}`,
  forwarded: `for=203.0.113.${n}`,
});
const named = (portal: BuiltPortal, username: string, password: string): PortalClient =>
  portal.basic(username, password);

const DOORS: readonly Door[] = [
  ({ visitor }, username, password, n) => visitor.post('/account/login/', { username, password }, from(n)),
  ({ visitor }, username, password, n) =>
    visitor.post('/account/login/', new URLSearchParams({ login: username, password }).toString(), {
      ...from(n),
      'content-type': 'application/x-www-form-urlencoded',
      // Of the guesser's own making: the form wants it twice.
      cookie: 'csrftoken=abcdefgh',
      'x-csrftoken': 'abcdefgh',
    }),
  (portal, username, password, n) => named(portal, username, password).post('/account/token/', undefined, from(n)),
  (portal, username, password, n) => named(portal, username, password).get('/api/v2/resources/', from(n)),
  (portal, username, password, n) => named(portal, username, password).get('/tiles/x/0/0/0.mvt', from(n)),
  (portal, username, password, n) =>
    named(portal, username, password).get('/ows?service=WMS&request=GetCapabilities', from(n)),
];

const MAX = 10;
const TRY_COMES_BACK_MS = 30_000;

export function guessing(portal: () => BuiltPortal): void {
  test('every door counts, and closes with the others', async () => {
    const began = performance.now();
    const statuses: number[] = [];
    for (let n = 0; n < MAX * 2; n++)
      statuses.push((await (DOORS[n % DOORS.length] as Door)(portal(), 'mel', `guess ${n}`, n)).status);
    const comeBack = Math.floor((performance.now() - began) / TRY_COMES_BACK_MS);
    expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(MAX + 1 + comeBack);
    for (const [n, door] of DOORS.entries()) {
      // A try that has come back meanwhile is used up.
      await door(portal(), 'mel', 'wrong again', 100 + n);
      expect((await door(portal(), 'mel', PASSWORD, 200 + n)).status, `door ${n}`).toBe(429);
    }
  });

  test('an account that does not exist is answered like one that does, at every door', async () => {
    for (const [n, door] of DOORS.entries()) {
      const [known, unknown] = [
        await door(portal(), 'bob', `wrong ${n}`, n),
        await door(portal(), 'zed', `wrong ${n}`, n),
      ];
      expect([known.status, String(known.body)], `door ${n}`).toEqual([unknown.status, String(unknown.body)]);
      expect(headersOf(known), `door ${n}`).toEqual(headersOf(unknown));
    }
  });

  test('asking for a letter tells nobody which accounts there are; only their owners are written to', async () => {
    const ask = (path: string, body: object): Promise<Reply> =>
      // Another name and another address to send to, for the letter: neither counts.
      portal().visitor.post(path, body, {
        ...from(1),
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
      });
    for (const [path, field, known, unknown] of [
      ['/account/password/forgotten', 'login', 'mia', 'zed'],
      ['/account/password/forgotten', 'login', 'mia@example.org', 'zed@example.org'],
      ['/account/password/forgotten', 'login', 'mia', 'mia@example.org\r\nBcc: zed@example.org'],
      ['/account/register', 'email', 'mia@example.org', 'nora@example.org'],
    ] as const) {
      const replies = [await ask(path, { [field]: known }), await ask(path, { [field]: unknown })];
      const [one, other] = replies.map(({ status, body, headers }) => ({
        status,
        body: String(body),
        headers: Object.keys(headers),
      }));
      expect(one, unknown).toEqual(other);
      expect(one?.status).toBe(202);
    }
    const letters = [];
    for (let n = 0; n < 5; n += 1) letters.push(await portal().mail.next());
    expect(letters.flatMap(({ to }) => to).sort()).toEqual([...Array(4).fill('mia@example.org'), 'nora@example.org']);
    for (const { text } of letters) expect(text.match(/https?:\/\/[^/\s]+/g)).toEqual([portal().url]);
    expect(portal().mail.letters).toEqual([]);
  });

  test('a link of a letter is not guessed', async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 30; n += 1) {
      const token = Buffer.alloc(32, n).toString('base64url');
      const body = { token, password: 'a new horse battery' };
      statuses.add((await portal().visitor.post('/account/link', body)).status);
      statuses.add((await portal().visitor.post('/account/link/use', body)).status);
    }
    expect([...statuses].every((status) => status === 400 || status === 429)).toBe(true);
  });
}

const OF_THE_REQUEST = new Set(['date', 'x-request-id', 'set-cookie', 'etag', 'content-security-policy']);

function headersOf({ headers }: Reply): readonly string[] {
  return Object.keys(headers).filter((name) => !OF_THE_REQUEST.has(name));
}
