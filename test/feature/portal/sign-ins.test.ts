// Where an account is signed in and what its scripts sign in with: listed and ended by the account, and by nobody else.

import { describe, expect, test } from 'vitest';
import { onPortal, PASSWORD, type PortalClient } from '../../testkit/portal-client.ts';
import { textOf } from '../../testkit/reply-matcher.ts';

const SESSIONS = '/api/v2/sessions/';
const TOKENS = '/api/v2/access-tokens/';
const WHO = '/account/session/';

type Session = { readonly id: number; readonly agent: string; readonly is_current: boolean };
type Token = { readonly id: number; readonly name: string; readonly scope: string; readonly token: string };

onPortal('sign-ins', {}, (portal) => {
  const sessionsOf = async (client: PortalClient): Promise<readonly Session[]> =>
    JSON.parse(textOf((await client.get(SESSIONS)).body)).sessions;
  const tokensOf = async (client: PortalClient): Promise<readonly Token[]> =>
    JSON.parse(textOf((await client.get(TOKENS)).body)).access_tokens;
  const make = async (client: PortalClient, body: object): Promise<Token> => {
    const reply = await client.post(TOKENS, body);
    expect(reply).toMatchReply({ status: 201, headers: { 'cache-control': 'no-store' } });
    return JSON.parse(textOf(reply.body));
  };

  describe('browsers', () => {
    test('are listed with what they call themselves, and are signed out one by one', async () => {
      const here = await portal().session('bob');
      const there = portal().browser();
      await there.post(
        '/account/login/',
        { username: 'bob', password: PASSWORD },
        { 'user-agent': `Other ${'x'.repeat(400)}` },
      );
      const listed = await sessionsOf(here);
      expect(listed.map(({ is_current }) => is_current)).toEqual([false, true]);
      expect(listed[0]?.agent).toBe(`Other ${'x'.repeat(294)}`);
      expect((await here.delete(`${SESSIONS}${listed[0]?.id}/`)).status).toBe(204);
      expect(JSON.parse(textOf((await there.get(WHO)).body)).user).toBeNull();
      expect(await sessionsOf(here)).toHaveLength(1);
      expect((await here.delete(`${SESSIONS}${listed[0]?.id}/`)).status).toBe(404);
    });

    test('are signed out all at once, but for the one that asks', async () => {
      const here = await portal().session('mia');
      const others = [await portal().session('mia'), await portal().session('mia')];
      const script = await make(portal().as('mia'), { name: 'Stays' });
      expect((await here.delete(SESSIONS)).status).toBe(204);
      expect(await sessionsOf(here)).toHaveLength(1);
      for (const other of others) expect(JSON.parse(textOf((await other.get(WHO)).body)).user).toBeNull();
      expect((await portal().bearer(script.token).get(WHO)).status).toBe(200);
    });

    test('of somebody else are nobody’s business', async () => {
      const ada = await portal().session('ada');
      const [hers] = await sessionsOf(ada);
      for (const name of ['bob', 'admin'] as const) {
        expect((await sessionsOf(portal().as(name))).map(({ id }) => id)).not.toContain(hers?.id);
        expect((await portal().as(name).delete(`${SESSIONS}${hers?.id}/`)).status).toBe(404);
      }
      expect((await portal().visitor.get(SESSIONS)).status).toBe(401);
      expect((await portal().visitor.delete(`${SESSIONS}${hers?.id}/`)).status).toBe(401);
      expect(await sessionsOf(ada)).toContainEqual(expect.objectContaining({ id: hers?.id }));
    });
  });

  describe('access tokens', () => {
    test('read by default, for ninety days, and are told once', async () => {
      const ada = await portal().session('ada');
      const { token, ...made } = await make(ada, { name: '  Nightly report ' });
      expect(made).toMatchObject({ name: 'Nightly report', scope: 'read' });
      expect(await tokensOf(ada)).toContainEqual({ ...made, created: expect.any(String), expires: expect.any(String) });
      const reader = portal().bearer(token);
      expect(JSON.parse(textOf((await reader.get(WHO)).body)).user.username).toBe('ada');
      const members = `/api/v2/groups/${portal().ids.surveyors}/members/`;
      expect(await reader.post(members, { username: 'bob' })).toMatchReply({
        status: 403,
        headers: { 'www-authenticate': expect.stringContaining('insufficient_scope') },
      });
      portal().clock.advance(90 * 24 * 3600 * 1000 + 31_000);
      expect((await reader.get(WHO)).status).toBe(401);
      portal().clock.advance(-(90 * 24 * 3600 * 1000 + 31_000));
      expect((await ada.delete(`${TOKENS}${made.id}/`)).status).toBe(204);
      expect((await reader.get(WHO)).status).toBe(401);
      expect((await tokensOf(ada)).map(({ id }) => id)).not.toContain(made.id);
    });

    test('that may write neither make tokens nor end what somebody is signed in with', async () => {
      const ada = await portal().session('ada');
      const { id, token } = await make(ada, { name: 'Robot', scope: 'write', days: 1 });
      const robot = portal().bearer(token);
      expect((await robot.get(TOKENS)).status).toBe(200);
      expect((await robot.post(TOKENS, { name: 'Another' })).status).toBe(403);
      expect((await robot.delete(`${TOKENS}${id}/`)).status).toBe(403);
      expect((await robot.delete(SESSIONS)).status).toBe(403);
      expect((await robot.post('/account/token/')).status).toBe(403);
      // A session is no token, nor the other way round.
      expect((await ada.delete(`${SESSIONS}${id}/`)).status).toBe(404);
    });

    test('go with the password', async () => {
      const mel = portal().as('mel');
      const { token } = await make(mel, { name: 'Old', scope: 'write' });
      const body = { old_password: PASSWORD, password: 'another horse' };
      expect((await mel.put(`/api/v2/users/${portal().ids.mel}/password/`, body)).status).toBe(200);
      expect((await portal().bearer(token).get(WHO)).status).toBe(401);
    });

    test.each([
      [{}, 'name'],
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ name: 'x\u0000' }, 'name'],
      [{ name: 'x', scope: 'admin' }, 'scope'],
      [{ name: 'x', days: 0 }, 'days'],
      [{ name: 'x', days: 367 }, 'days'],
      [{ name: 'x', days: 1.5 }, 'days'],
      [{ name: 'x', days: '9' }, 'days'],
    ])('%j is refused by name', async (body, field) => {
      const reply = await portal().as('ada').post(TOKENS, body);
      expect(reply.status).toBe(400);
      expect(Object.keys(JSON.parse(textOf(reply.body)))).toEqual([field]);
    });

    test('are at most a hundred for an account', async () => {
      const bob = portal().as('bob');
      await portal().db.query(
        `insert into portal_private.session (token_hash, account_id, expires, data)
         select decode(md5(n::text), 'hex'), $1, now() + interval '1 day', '{"kind": "token", "name": "n", "scope": "read"}' from generate_series(1, 99) n`,
        [portal().ids.bob],
      );
      await make(bob, { name: 'The last' });
      expect(await bob.post(TOKENS, { name: 'One more' })).toMatchReply({ status: 400 });
      expect(await tokensOf(bob)).toHaveLength(100);
    });

    test('are in the audit log, made and revoked, without their text', async () => {
      const { id, token } = await make(portal().as('mia'), { name: 'Noted', scope: 'write' });
      await portal().as('mia').delete(`${TOKENS}${id}/`);
      const entries = await portal().db.query<{ act: string; detail: unknown }>(
        `select act, detail from portal_private.audit where detail ->> 'name' = 'Noted' order by id`,
      );
      expect(entries.map(({ act }) => act)).toEqual(['token-made', 'token-revoked']);
      expect(JSON.stringify(entries)).not.toContain(token);
    });
  });
});
