// The access log of the portal: every request, whoever answers it, with the account, without secrets; failures with their cause.

import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { PORTAL_SCHEMA } from '../testkit/portal-schema.ts';
import { ask, environment, eventually, type Program, start } from './program.ts';

const PASSWORD = 'correct horse battery';

type Line = {
  readonly service: string;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly account?: { readonly name: string };
};

onEachEngine('the log of a portal', { fixtures: PORTAL_SCHEMA, engines: ['postgres'] }, (db) => {
  let folder: string;
  let program: Program;
  let url: string;
  const basic = { authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}` };
  const lines = (): Line[] =>
    program
      .out()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
  const logged = (wanted: (line: Line) => boolean): Promise<Line | undefined> =>
    eventually(
      async () => lines().find(wanted),
      (found) => found !== undefined,
    );

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'survest-portal-log-'));
    program = start(
      [],
      environment({
        'db-uri': db().uri ?? '',
        'data-dir': folder,
        'admin-password': PASSWORD,
        'portal-host': '127.0.0.1',
        'portal-port': '0',
        'server-host': '127.0.0.1',
        'server-port': '0',
        'log-level': 'info',
        'log-format': 'json',
      }),
    );
    await program.told('REST service listens on');
    url = /Portal listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';
  }, 300_000);
  afterAll(async () => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ['the API', '/api/v2/datasets'],
    ['pages', '/catalogue'],
    ['map services', '/wms?service=WMS&request=GetCapabilities'],
    ['features', '/ogc/collections'],
    ['the provider of identities', '/o/jwks'],
    ['what is not there', '/api/v2/nothing'],
  ])('has requests to %s', async (_, target) => {
    const { status, headers } = await ask(url, target, { headers: basic });
    const id = headers['x-request-id'];
    expect(id).toMatch(/^\w+-\w+$/);
    expect(await logged((line) => line.target === target)).toMatchObject({
      id,
      service: 'portal',
      method: 'GET',
      status,
    });
  });

  test('names the account, also of who has just signed in', async () => {
    await ask(url, '/api/v2/users?named', { headers: basic });
    expect(await logged((line) => line.target === '/api/v2/users?named')).toMatchObject({
      account: { id: expect.any(Number), name: 'admin' },
      role: 'survest_admin',
    });
    await ask(url, '/account/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
    });
    expect(await logged((line) => line.target === '/account/login')).toMatchObject({ account: { name: 'admin' } });
  });

  test('has no secret of an address', async () => {
    await ask(url, '/o/authorize?code=SECRET1&state=SECRET2&client_id=x', {});
    await ask(url, '/api/v2/maps?access_token=SECRET3', { headers: { referer: 'http://x/?token=SECRET4' } });
    await logged((line) => line.target === '/api/v2/maps?access_token=***');
    expect(program.out() + program.err()).not.toMatch(/SECRET\d|correct horse/);
  });

  test('tells who left as such, and no unexpected failure', async () => {
    const leaving = httpRequest(`${url}/api/v2/uploads/upload`, {
      method: 'POST',
      headers: { ...basic, 'content-type': 'multipart/form-data; boundary=x', 'content-length': '1000000' },
    }).on('error', () => {});
    const part = '--x\r\nContent-Disposition: form-data; name="base_file"; filename="a.geojson"\r\n\r\n{';
    await new Promise<unknown>((sent) => leaving.write(part, sent));
    leaving.destroy();
    expect(await logged((line) => line.target === '/api/v2/uploads/upload')).toMatchObject({ status: 499 });
    expect(program.err()).not.toContain('Unexpected failure');
  });

  test('tells why the portal could not answer', async () => {
    await db().script('alter table portal.resource rename to resource_away');
    const { status } = await ask(url, '/api/v2/resources?broken', { headers: basic });
    await db().script('alter table portal.resource_away rename to resource');
    expect(status).toBe(500);
    await program.told(/The portal answered 500 to \/api\/v2\/resources\?broken: unexpected failure/);
  });
});
