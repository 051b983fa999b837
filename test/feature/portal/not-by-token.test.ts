// What a token may never do, whoever holds it: change the ways into an account. Every address of accounts is asked of the router and every field of the
// record type, so that what is added tomorrow is tried tomorrow.

import { createPrivateKey, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { user } from '../../../src/portal/kinds/people/user-fields.ts';
import { AUDIENCE } from '../../../src/portal/oidc/access-token.ts';
import { routesOf } from '../../attacks/route-table.ts';
import { type AccountName, PASSWORD, type Portal, type PortalClient } from '../../testkit/portal-client.ts';
import { textOf } from '../../testkit/reply-matcher.ts';
import { onCatalogue } from './on-catalogue.ts';

/** Letters go nowhere here: none of these requests gets as far. */
const mail = {
  mailer: { post: () => undefined, close: async () => undefined },
  publicUrl: 'http://localhost',
  registration: 'open',
} as const;

/** Nobody is asked who they are: a link, a password or a passkey in the body says it. */
const ASKS_NOBODY = new Set([
  '/account/login',
  '/account/login/second',
  '/account/login/passkey',
  '/account/login/passkey/options',
  '/account/password/forgotten',
  '/account/register',
  '/account/link',
  '/account/link/use',
]);

/** Of an account, and no way into it. */
const ALLOWED = new Set([
  'POST /api/v2/users/:id/follow',
  'DELETE /api/v2/users/:id/follow',
  // Many records at once: as for each of them, see below.
  'PATCH /api/v2/users',
  'DELETE /api/v2/users',
  'PUT /api/v2/users/:id/quota',
  'POST /api/v2/users/:id/hand_over',
  'POST /api/v2/users',
  'PUT /api/v2/users/:id',
  'PATCH /api/v2/users/:id',
]);

/** Something that each of the addresses would take from the owner. */
const BODY = {
  email: 'thief@example.org',
  password: 'a thieving magpie',
  old_password: PASSWORD,
  new_password: 'a thieving magpie',
  code: '123456',
  name: 'Another',
  scope: 'write',
  client_name: 'Another',
  redirect_uris: ['https://thief.example.org/back'],
  sql: 'select 1',
};

const WAYS_IN = ['credential', 'session', 'passkey', 'totp', 'recovery_code', 'provider_identity', 'confirmed_email'];

onCatalogue('what no token may do', { portal: { mail } }, (portal) => {
  const tokens = new Map<string, PortalClient>();

  const apiToken = async (account: AccountName, scope: 'read' | 'write'): Promise<PortalClient> => {
    const reply = await portal().as(account).post('/api/v2/access-tokens/', { name: 'Robot', scope });
    return portal().bearer(JSON.parse(textOf(reply.body)).token);
  };
  beforeAll(async () => {
    for (const account of ['mia', 'admin'] as const) {
      for (const scope of ['read', 'write'] as const)
        tokens.set(`an API token of ${account} to ${scope}`, await apiToken(account, scope));
      tokens.set(`a token of ${account}’s session`, portal().bearer(await portal().tokenOf(account)));
      tokens.set(
        `an application of ${account}`,
        portal().bearer(await applicationToken(portal(), account, 'openid read write')),
      );
    }
  });
  const tokenOf = (name: string): PortalClient => {
    const found = tokens.get(name);
    if (found === undefined) throw new Error(name);
    return found;
  };

  /** All that says how somebody gets into which account. */
  const waysIn = async (): Promise<unknown> => {
    const rows: unknown[] = [await portal().db.query('select * from portal.account_detail order by account_id')];
    rows.push(await portal().db.query('select id, username from portal.account order by id'));
    for (const table of WAYS_IN)
      rows.push(
        await portal().db.query(`select t::text from portal_private.${table} t where t::text !~ 'script' order by 1`),
      );
    rows.push(await portal().db.query(`select id from portal_private.oidc_state where kind = 'Client' order by 1`));
    return rows;
  };

  test('no address changes a way into an account by a token', async () => {
    const routes = routesOf(portal().app).filter(
      ({ method, path }) =>
        !['GET', 'HEAD', 'OPTIONS'].includes(method) &&
        /^\/(?:account|api\/v2\/(?:users|sessions|access-tokens|sql))(?:\/|$)/.test(path) &&
        !ASKS_NOBODY.has(path) &&
        !ALLOWED.has(`${method} ${path}`),
    );
    expect(routes.length).toBeGreaterThan(15);
    const before = await waysIn();
    const wrong: string[] = [];
    for (const [name, client] of tokens) {
      const own = portal().ids[name.includes('mia') ? 'mia' : 'admin'];
      for (const { method, path } of routes) {
        const reply = await client.request(method, path.replace(':id', String(own)), { body: BODY });
        if (reply.status !== 403) wrong.push(`${name}: ${method} ${path} ${reply.status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(await waysIn()).toEqual(before);
  });

  describe('fields of an account', () => {
    const VALUES: Readonly<Record<string, unknown>> = {
      username: 'magpie',
      email: 'thief@example.org',
      password: 'a thieving magpie',
      is_superuser: true,
      is_staff: true,
      is_active: false,
    };
    /** Names of a person are no way into an account. */
    const HARMLESS = new Set(['first_name', 'last_name']);
    const written = user.fields.filter(({ write }) => write.kind !== 'read-only').map(({ name }) => name);

    test.each(written)('%s: a token changes none of its owner’s that lets somebody in', async (field) => {
      if (HARMLESS.has(field)) return;
      expect(VALUES).toHaveProperty(field);
      const before = await waysIn();
      for (const [name, client] of tokens) {
        const own = portal().ids[name.includes('mia') ? 'mia' : 'admin'];
        // An administrator is one already.
        const value = name.includes('admin') && field === 'is_superuser' ? false : VALUES[field];
        const reply = await client.patch(`/api/v2/users/${own}/`, { [field]: value });
        expect([name, field, reply.status]).toEqual([name, field, 403]);
      }
      expect(await waysIn()).toEqual(before);
    });

    test('many accounts at once are changed no further', async () => {
      const before = await waysIn();
      for (const name of ['an API token of mia to write', 'an application of admin']) {
        const own = portal().ids[name.includes('mia') ? 'mia' : 'admin'];
        const reply = await tokenOf(name).patch('/api/v2/users/', [{ id: own, email: 'thief@example.org' }]);
        expect(reply.status).toBeGreaterThanOrEqual(400);
      }
      expect(await waysIn()).toEqual(before);
    });

    test('a record that is sent back as it was read is taken', async () => {
      const robot = tokenOf('an API token of mia to write');
      const path = `/api/v2/users/${portal().ids.mia}/`;
      const reply = await robot.patch(path, { first_name: 'Mia', email: 'mia@example.org', is_staff: false });
      expect(reply.status).toBe(200);
    });

    test('a session changes its own address by the link that confirms it, and not otherwise', async () => {
      const mia = await portal().session('mia');
      expect(await mia.patch(`/api/v2/users/${portal().ids.mia}/`, { email: 'new@example.org' })).toMatchReply({
        status: 403,
        json: { detail: expect.stringContaining('/account/email/') },
      });
    });

    test('administrators make no others by a token, and let nobody into their accounts', async () => {
      const robot = tokenOf('an API token of admin to write');
      const before = await waysIn();
      const ada = `/api/v2/users/${portal().ids.ada}/`;
      expect((await robot.patch(ada, { is_superuser: true })).status).toBe(403);
      expect((await robot.patch(ada, { is_staff: true })).status).toBe(403);
      const admin = { username: 'second', password: 'a thieving magpie', is_superuser: true };
      expect((await robot.post('/api/v2/users/', admin)).status).toBe(403);
      const [staff] = await portal().db.query<{ id: number }>(
        `select portal.create_account('steve', email => 'steve@example.org', is_staff => true) as id`,
      );
      for (const change of [{ email: 'thief@example.org' }, { password: 'a thieving magpie' }, { is_active: false }])
        expect((await robot.patch(`/api/v2/users/${staff?.id}/`, change)).status).toBe(403);
      expect((await robot.put(`/api/v2/users/${staff?.id}/password/`, { password: 'a magpie' })).status).toBe(403);
      expect((await robot.delete(`/api/v2/users/${staff?.id}/`)).status).toBe(403);
      expect((await portal().as('admin').delete(`/api/v2/users/${staff?.id}/`)).status).toBe(204);
      expect(await waysIn()).toEqual(before);
    });

    test('administrators set the address of others, with a session and with a token', async () => {
      const bob = `/api/v2/users/${portal().ids.bob}/`;
      const robot = tokenOf('an API token of admin to write');
      expect((await robot.patch(bob, { email: 'bob@new.example.org' })).status).toBe(200);
      expect((await (await portal().session('admin')).patch(bob, { email: 'bob@example.org' })).status).toBe(200);
    });

    test('nobody gets an address that another account has, in whatever spelling', async () => {
      const admin = portal().as('admin');
      const taken = { status: 400, json: { email: ['Another account has this mail address.'] } };
      expect(await admin.patch(`/api/v2/users/${portal().ids.bob}/`, { email: 'ADA@Example.org' })).toMatchReply(taken);
      expect(await admin.post('/api/v2/users/', { username: 'copy', email: 'ada@example.org' })).toMatchReply(taken);
      const own = await admin.patch(`/api/v2/users/${portal().ids.ada}/`, { email: 'Ada@example.org' });
      expect(own.status).toBe(200);
      await admin.patch(`/api/v2/users/${portal().ids.ada}/`, { email: 'ada@example.org' });
    });
  });

  test('every table that is a way in is guarded, and every other one of accounts is known', async () => {
    const rows = await portal().db.query<{ name: string; guarded: boolean }>(
      `select c.relname::text as name,
              exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'not_by_token') as guarded
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
        where c.relnamespace = 'portal_private'::regnamespace and c.relkind = 'r' order by 1`,
    );
    expect(rows.filter(({ guarded }) => guarded).map(({ name }) => name)).toEqual(
      [...WAYS_IN, 'code_try', 'mail_link'].sort(),
    );
    expect(rows.filter(({ guarded }) => !guarded).map(({ name }) => name)).toEqual([
      'account_letter',
      'approval_letter',
      'bin',
      'comment',
      'follow',
      'follow_group',
      'follow_owner',
      'layer_edit',
      'layer_source',
      'notification',
      'notification_choice',
      'rating',
      'sent_file',
      'sql_query',
      'storage_quota',
      'version',
    ]);
  });

  describe('the mail address', () => {
    const shown = async (client: PortalClient, account: AccountName): Promise<readonly string[]> => {
      const own = `/api/v2/users/${portal().ids[account]}/`;
      const replies = [
        await client.get('/account/session/'),
        await client.get('/o/userinfo/'),
        await client.get('/api/o/v4/userinfo/'),
        await client.get(`${own}?include[]=email`),
        await client.get('/api/v2/users/?include[]=email'),
      ];
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      return replies.map(({ body }) => textOf(body)).filter((text) => text.includes('@example.org'));
    };

    test('is not told to a token that may only read, nor guessed with it', async () => {
      for (const account of ['mia', 'admin'] as const) {
        const reader = tokenOf(`an API token of ${account} to read`);
        expect(await shown(reader, account)).toEqual([]);
        const found = await reader.get('/api/v2/users/?filter{email}=mia@example.org');
        expect(JSON.parse(textOf(found.body)).users ?? []).toEqual([]);
      }
      expect(await shown(portal().bearer(await applicationToken(portal(), 'mia', 'openid read')), 'mia')).toEqual([]);
    });

    test('is told to one that may write, or that was given it', async () => {
      expect(await shown(tokenOf('an API token of mia to write'), 'mia')).toHaveLength(5);
      const given = portal().bearer(await applicationToken(portal(), 'mia', 'openid email read'));
      expect(await shown(given, 'mia')).toHaveLength(5);
    });
  });
});

/** A token as an application has it, under a grant that the person gave. */
async function applicationToken(portal: Portal, account: AccountName, scope: string): Promise<string> {
  const [key] = portal.keys.keys;
  const grant = randomUUID();
  await portal.db.query(`insert into portal_private.oidc_state (kind, id, payload) values ('Grant', $1, $2::jsonb)`, [
    grant,
    JSON.stringify({ accountId: String(portal.ids[account]), clientId: 'app' }),
  ]);
  return new SignJWT({
    scope,
    client_id: 'app',
    gid: grant,
    preferred_username: account,
    ...(scope.includes('write') ? { role: account === 'admin' ? 'survest_admin' : 'survest_user' } : {}),
  })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt' })
    .setIssuer('http://localhost/o')
    .setAudience(AUDIENCE)
    .setSubject(String(portal.ids[account]))
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(createPrivateKey({ key, format: 'jwk' }));
}
