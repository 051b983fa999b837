// An address of the REST service that somebody opens in the browser they are signed in with.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { PORTAL_SCHEMA } from '../testkit/portal-schema.ts';
import { ask, environment, eventually, type HttpAnswer, type Program, start } from './program.ts';

const PASSWORD = 'correct horse battery';

onEachEngine('an address below /rest/v1 on the portal', { fixtures: PORTAL_SCHEMA }, (db) => {
  let folder: string;
  let program: Program;
  let url: string;
  let rest: string;
  let cookie: string;
  const basic = { Authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}` };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'survest-session-'));
    program = start(
      [],
      environment({
        ...(db().uri === undefined ? {} : { 'db-uri': db().uri ?? '' }),
        'data-dir': folder,
        'admin-password': PASSWORD,
        'portal-host': '127.0.0.1',
        'portal-port': '0',
        'server-host': '127.0.0.1',
        'server-port': '0',
        demo: 'false',
      }),
    );
    await program.told('REST service listens on');
    await program.told('Schema cache loaded');
    url = /Portal listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';
    rest = /REST service listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';
    const made = await ask(url, '/api/v2/layers/empty/', {
      method: 'POST',
      headers: { ...basic, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        title: 'Wells',
        geometry: 'point',
        crs: 'EPSG:4326',
        columns: [{ name: 'depth', type: 'integer' }],
        permissions: { users: {}, groups: {} },
      }),
    });
    expect(made.status, made.text).toBe(201);
    const login = await ask(url, '/account/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
    });
    cookie = [login.headers['set-cookie'] ?? []]
      .flat()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
    // The service hears of the new table a moment later.
    await eventually(
      () => open({ cookie }),
      ({ status }) => status === 200,
    );
  }, 300_000);
  afterAll(async () => {
    await program?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (headers: Record<string, string>, method = 'GET', body?: string): Promise<HttpAnswer> =>
    ask(url, '/rest/v1/wells', { method, headers, ...(body === undefined ? {} : { body }) });

  test('answers as the person whose session the cookie is of', async () => {
    expect(await open({ cookie })).toMatchObject({ status: 200, text: '[]' });
    expect(await open({ cookie, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' })).toMatchObject({
      status: 200,
    });
    expect((await open({ cookie })).headers['vary']).toContain('Cookie');
  });

  test.each([
    ['nobody', {}],
    ['a session that is none', { cookie: `sessionid=${'a'.repeat(43)}` }],
    ['a page of another origin', { origin: 'https://elsewhere.example' }],
    ['a frame or script of another origin', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' }],
  ])('is a visitor’s for %s', async (_who, headers) => {
    const sent: Record<string, string> = Object.keys(headers).length === 0 ? {} : { cookie, ...headers };
    expect(await open(sent)).toMatchObject({ status: 404 });
  });

  test('writes nothing for a cookie, which any form could send', async () => {
    const sent = await open({ cookie, 'Content-Type': 'application/json' }, 'POST', '{"depth":1}');
    expect(sent.status).toBe(404);
    expect(await open({ cookie })).toMatchObject({ text: '[]' });
  });

  test('is the first schema’s on the REST service’s own port, too, for clients that always name public', async () => {
    const { access_token: token } = JSON.parse(
      (await ask(url, '/account/token', { method: 'POST', headers: basic })).text,
    ) as { access_token: string };
    const headers = { Authorization: `Bearer ${token}`, 'Accept-Profile': 'public', 'Content-Profile': 'public' };
    expect(await ask(rest, '/wells', { headers })).toMatchObject({ status: 200, text: '[]' });
    const json = { ...headers, 'Content-Type': 'application/json', Prefer: 'tx=rollback' };
    expect(
      (await ask(rest, '/wells?depth=eq.-1', { method: 'PATCH', headers: json, body: '{"depth":1}' })).status,
    ).toBe(204);
    expect((await ask(rest, '/wells', { headers: { ...headers, 'Accept-Profile': 'private' } })).status).toBe(406);
  });

  test('is not known by cookies on the REST service’s own port', async () => {
    expect(await ask(rest, '/wells', { headers: { cookie } })).toMatchObject({ status: 404 });
  });

  test('is a visitor’s again when the session has ended', async () => {
    const csrf = /csrftoken=([^;]+)/.exec(cookie)?.[1] ?? '';
    const ended = await ask(url, '/account/logout', { method: 'POST', headers: { cookie, 'X-CSRFToken': csrf } });
    expect(ended.status).toBe(204);
    expect(await open({ cookie })).toMatchObject({ status: 404 });
  });
});
