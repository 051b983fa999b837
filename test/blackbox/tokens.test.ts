// Tokens whose keys live at an address, and tokens in a cookie: the running program, and a real issuer beside it.

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANONYMOUS, AUTHOR, READER, REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import { eventually, type HttpAnswer, type RunningRest, restSettings, startRest, trouble } from './program.ts';

const keys = {
  one: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  two: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  never: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
};
type Kid = keyof typeof keys;
const ALGORITHMS = { one: 'ES256', two: 'RS256', never: 'ES256' } as const satisfies Record<Kid, string>;

const publicJwk = (kid: Kid): object => {
  const key: KeyObject = keys[kid].publicKey;
  return { ...key.export({ format: 'jwk' }), kid, alg: ALGORITHMS[kid], use: 'sig' };
};
const tokenBy = (kid: Kid, role: string): Promise<string> =>
  new SignJWT({ role }).setProtectedHeader({ alg: ALGORITHMS[kid], kid }).sign(keys[kid].privateKey);

onEachEngine('tokens', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  let issuer: Server;
  let published: readonly Kid[] | 'broken' = 'broken';
  let program: RunningRest;

  beforeAll(async () => {
    issuer = createServer((_, response) => {
      if (published === 'broken') response.writeHead(500).end();
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ keys: published.map(publicJwk) }));
    });
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    const { port } = issuer.address() as AddressInfo;
    program = await startRest(
      restSettings(db(), { 'jwt-secret': `http://127.0.0.1:${port}/keys?hush=hush`, 'jwt-cookie': 'session' }),
    );
  });
  afterAll(async () => {
    issuer.closeAllConnections();
    issuer.close();
    await program.stop();
    expect(trouble(program, [/Token keys (loaded|could not be loaded)/])).toEqual([]);
    expect(program.err() + program.out()).not.toContain('hush');
  });

  const whoami = (headers: Record<string, string>): Promise<HttpAnswer> => program.get('/rpc/whoami', headers);
  const bearer = (token: string): Promise<HttpAnswer> => whoami({ authorization: `Bearer ${token}` });
  const roleIn = ({ status, text }: HttpAnswer): unknown =>
    status === 200 ? (JSON.parse(text) as { role: string }).role : { status, ...(JSON.parse(text) as object) };

  // One issuer and its story, told in order.
  describe('with keys at an address', () => {
    test('that fails, nobody with a token is let in or turned away, and who has none is served', async () => {
      const answer = await bearer(await tokenBy('one', AUTHOR));
      expect(roleIn(answer)).toMatchObject({ status: 503, code: 'SVRST390' });
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(roleIn(await whoami({}))).toBe(ANONYMOUS);
      expect(program.err()).toContain('Token keys could not be loaded');
    });

    test('that answers again, tokens count', async () => {
      published = ['one'];
      const token = await tokenBy('one', AUTHOR);
      expect(
        roleIn(
          await eventually(
            () => bearer(token),
            ({ status }) => status === 200,
          ),
        ),
      ).toBe(AUTHOR);
    });

    test('that are exchanged for others, the new ones count at once and the old ones no more', async () => {
      published = ['two'];
      expect(roleIn(await bearer(await tokenBy('two', READER)))).toBe(READER);
      expect(roleIn(await bearer(await tokenBy('one', AUTHOR)))).toMatchObject({ status: 401, code: 'SVRST301' });
    });

    test('that is gone, those at hand stay in use, and no others', async () => {
      issuer.closeAllConnections();
      issuer.close();
      expect(roleIn(await bearer(await tokenBy('two', AUTHOR)))).toBe(AUTHOR);
      expect(roleIn(await bearer(await tokenBy('never', AUTHOR)))).toMatchObject({ status: 401, code: 'SVRST301' });
      expect(roleIn(await bearer(await tokenBy('two', READER)))).toBe(READER);
    });
  });

  describe('in a cookie', () => {
    const cookie = (value: string, more: Record<string, string> = {}): Promise<HttpAnswer> =>
      whoami({ cookie: `theme=dark; session=${value}; other="x"`, ...more });

    test('are as good as in the header', async () => {
      expect(roleIn(await cookie(await tokenBy('two', READER)))).toBe(READER);
    });

    test('come after the header', async () => {
      const authorization = `Bearer ${await tokenBy('two', AUTHOR)}`;
      expect(roleIn(await cookie(await tokenBy('two', READER), { authorization }))).toBe(AUTHOR);
    });

    test('do not count when another site sent the request', async () => {
      const sent = await tokenBy('two', READER);
      expect(roleIn(await cookie(sent, { 'sec-fetch-site': 'cross-site' }))).toBe(ANONYMOUS);
      expect(roleIn(await cookie(sent, { 'sec-fetch-site': 'same-origin' }))).toBe(READER);
    });

    test('write for pages of this server and for programs, not for forms of other sites', async () => {
      const sent = `session=${await tokenBy('two', READER)}`;
      const form = 'application/x-www-form-urlencoded';
      const post = async (headers: Record<string, string>): Promise<unknown> => {
        const reply = await fetch(`${program.url}/rpc/whoami`, {
          method: 'POST',
          headers: { cookie: sent, ...headers },
        });
        return ((await reply.json()) as { role: string }).role;
      };
      expect(await post({ 'content-type': form, origin: 'https://evil.example' })).toBe(ANONYMOUS);
      expect(await post({ 'content-type': form, origin: 'null' })).toBe(ANONYMOUS);
      expect(await post({ 'content-type': form })).toBe(ANONYMOUS);
      expect(await post({ 'content-type': form, origin: program.url })).toBe(READER);
      expect(await post({ 'content-type': 'application/json' })).toBe(READER);
    });

    test('that are empty or named otherwise are none', async () => {
      expect(roleIn(await cookie(''))).toBe(ANONYMOUS);
      expect(roleIn(await whoami({ cookie: `Session=${await tokenBy('two', READER)}` }))).toBe(ANONYMOUS);
    });

    test('that are broken are refused', async () => {
      expect(roleIn(await cookie('a.b'))).toMatchObject({ status: 401, message: 'Expected 3 parts in JWT; got 2' });
    });

    test('are not shown to the database', async () => {
      const seen = await program.get('/rpc/get_setting?name=request.headers', { cookie: 'session=; a=b' });
      expect(seen.text).not.toContain('cookie');
    });
  });
});
