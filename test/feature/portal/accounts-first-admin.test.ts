// The first administrator of a portal, and the program that makes one when it starts.

import { type ChildProcess, spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { makeCallerDb } from '../../../src/auth/caller-db.ts';
import { verifyPassword } from '../../../src/auth/password.ts';
import { ensureFirstAdmin } from '../../../src/portal/accounts/first-admin.ts';
import { loadSigningKeys, publicJwks } from '../../../src/portal/oidc/signing-keys.ts';
import { MAIN } from '../../blackbox/built-program.ts';
import { onEachEngine, type TestDatabase } from '../../testkit/database.ts';
import { PORTAL_SCHEMA } from '../../testkit/portal-schema.ts';

onEachEngine('the first administrator', { fixtures: PORTAL_SCHEMA }, (db) => {
  test('is made once, however many copies start at the same time, and is a superuser', async () => {
    const callerDb = makeCallerDb(db().driver);
    const made = await Promise.all([1, 2, 3].map(() => ensureFirstAdmin(callerDb)));
    const created = made.flatMap((one) => (one.ok && one.value.kind === 'created' ? [one.value] : []));
    expect(made.every((one) => one.ok)).toBe(true);
    expect(created).toHaveLength(1);
    expect(created[0]?.madeUp).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    const [stored] = await db().query<{ username: string; is_superuser: boolean; hash: string }>(
      `select a.username, d.is_superuser, c.password_hash as hash from portal.account a
         join portal.account_detail d on d.account_id = a.id join portal_private.credential c on c.account_id = a.id`,
    );
    expect(stored).toMatchObject({ username: 'admin', is_superuser: true });
    expect(await verifyPassword(stored?.hash, created[0]?.madeUp ?? '')).toBe(true);
    expect(await ensureFirstAdmin(callerDb, { password: 'another' })).toEqual({
      ok: true,
      value: { kind: 'not-needed' },
    });
  });

  test('every copy has the same keys, and shows only their public halves', async () => {
    const callerDb = makeCallerDb(db().driver);
    const [one, two] = await Promise.all([loadSigningKeys(callerDb), loadSigningKeys(callerDb)]);
    if (!one.ok || !two.ok) throw new Error('no keys');
    expect(one.value.keys).toEqual(two.value.keys);
    const shown = publicJwks(one.value);
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi'] as const) expect(shown).not.toContain(`"${secret}":`);
    expect(JSON.parse(shown).keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' });
  });
});

onEachEngine('survest, started over an empty database', { engines: ['postgres'] }, (db) => {
  test('shows the password it made up once, and it works on both services', async () => {
    const first = await start(db());
    const password = /^Its password, shown only now: (\S+)$/m.exec(first.out())?.[1] ?? '';
    expect(password).not.toBe('');
    const credentials = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
    const token = await fetch(`${first.portal}/account/token/`, {
      method: 'POST',
      headers: { authorization: credentials },
    });
    const { access_token } = (await token.json()) as { access_token: string };
    for (const authorization of [credentials, `Bearer ${access_token}`]) {
      const who = await fetch(`${first.portal}/o/userinfo/`, { headers: { authorization } });
      expect(await who.json()).toMatchObject({ preferred_username: 'admin' });
    }
    const me = await fetch(`${first.rest}/rpc/is_admin`, { headers: { authorization: `Bearer ${access_token}` } });
    expect(await me.text()).toBe('true');
    const { issuer } = (await (await fetch(`${first.portal}/o/.well-known/openid-configuration`)).json()) as {
      issuer: string;
    };
    expect(issuer).toBe(`${first.portal}/o`);
    expect(await first.stop()).toBe(0);
    expect(first.err()).not.toContain(password);
    expect(first.err()).not.toMatch(/warning|error|unexpected/i);

    const second = await start(db());
    expect(second.out()).not.toContain('Its password');
    expect(await second.stop()).toBe(0);
  });
});

type Running = {
  readonly portal: string;
  readonly rest: string;
  out(): string;
  err(): string;
  stop(): Promise<number | null>;
};

async function start(db: TestDatabase): Promise<Running> {
  const child: ChildProcess = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'] ?? '',
      SVRST_DB_URI: db.uri ?? '',
      SVRST_DB_SCHEMAS: 'portal',
      SVRST_DB_ANON_ROLE: 'survest_anon',
      SVRST_PORTAL_HOST: '127.0.0.1',
      SVRST_PORTAL_PORT: '0',
      SVRST_SERVER_HOST: '127.0.0.1',
      SVRST_SERVER_PORT: '0',
    },
  });
  const said = { out: '', err: '' };
  const exited = new Promise<number | null>((done) => child.on('exit', done));
  const addresses = await new Promise<Record<string, string>>((done, fail) => {
    child.on('exit', () => fail(new Error(`it ended: ${said.out}${said.err}`)));
    for (const name of ['out', 'err'] as const) {
      child[name === 'out' ? 'stdout' : 'stderr']?.setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
        const found = [...said.err.matchAll(/(Portal|REST service) listens on (\S+)/g)];
        const loaded = said.err.includes('Schema cache loaded');
        if (found.length === 2 && loaded)
          done(Object.fromEntries(found.map(([, service, address]) => [service, address])));
      });
    }
  });
  return {
    portal: addresses['Portal'] ?? '',
    rest: addresses['REST service'] ?? '',
    out: () => said.out,
    err: () => said.err,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
