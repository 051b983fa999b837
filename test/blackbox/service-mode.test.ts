// Operating the built program: health checks, modes that a command sets, and stopping without cutting anyone off.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { PORTAL_SCHEMA } from '../testkit/portal-schema.ts';
import { ask, environment, eventually, type HttpAnswer, type Program, start } from './program.ts';

const PASSWORD = 'correct horse battery';

onEachEngine('a portal in operation', { fixtures: PORTAL_SCHEMA }, (db) => {
  let folder: string;
  let program: Program;
  let url: string;
  let rest: string;
  let admin: string;
  const env = (): Record<string, string> =>
    environment({
      ...(db().uri === undefined ? {} : { 'db-uri': db().uri ?? '' }),
      'data-dir': folder,
      'admin-password': PASSWORD,
      'portal-host': '127.0.0.1',
      'portal-port': '0',
      'server-host': '127.0.0.1',
      'server-port': '0',
      // Two requests are answered in this time, on a slow machine too.
      'server-drain-delay': '6',
      'admin-server-port': '0',
      demo: 'false',
    });
  const command = async (...args: string[]): Promise<string> => {
    const ran = start(args, env());
    expect([await ran.ended, ran.err()]).toEqual([0, '']);
    return ran.out();
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'survest-operation-'));
    program = start([], env());
    await program.told('REST service listens on');
    await program.told('Schema cache loaded');
    url = /Portal listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';
    await program.told('Admin server listens on');
    admin = /Admin server listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';
    rest = /REST service listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';
  }, 300_000);
  afterAll(async () => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('says that it lives, and that it is ready, with what was looked at', async () => {
    expect(await ask(url, '/live')).toMatchObject({ status: 200, text: '{"status":"live"}' });
    const ready = await ask(url, '/ready');
    expect([ready.status, JSON.parse(ready.text)]).toMatchObject([
      200,
      { status: 'ready', checks: { database: 'ok', migrations: 'ok', files: 'ok', running: 'ok' } },
    ]);
    expect(await ask(url, '/ready', { method: 'POST' })).toMatchObject({ status: 405 });
  });

  test('is followed by a REST service beside it on a server; an embedded database it has to itself, and says so', async () => {
    if (db().uri === undefined) return refuseOthers();
    const alone = start(['rest'], { ...env(), SVRST_DB_ANON_ROLE: 'survest_anon' });
    await alone.told('Schema cache loaded');
    const address = /REST service listens on ([^\s"]+)/.exec(alone.err())?.[1] ?? '';
    const remove = (): Promise<HttpAnswer> => ask(address, '/nothing', { method: 'DELETE' });
    expect(await ask(address, '/')).toMatchObject({ status: 200 });
    await command('maintenance', 'read-only', '--message', 'Moving.');
    const refused = await eventually(remove, ({ status }) => status === 503);
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'SVRST197', message: 'Moving.' });
    expect(await ask(address, '/')).toMatchObject({ status: 200 });
    await command('maintenance', 'off');
    await eventually(remove, ({ status }) => status !== 503);
    await alone.stop();
  });

  /** Another program, workers, and two sections of one program. */
  async function refuseOthers(): Promise<void> {
    const second = start([], { ...env(), SVRST_DATA_DIR_WAIT: '0' });
    expect(await second.ended).toBe(1);
    expect(second.err()).toContain(`"${folder}" is in use by process ${program.pid} `);
    expect(second.err()).toContain('stop that one, choose another data-dir, or move to a PostgreSQL server');
    const workers = start(['rest'], { ...env(), SVRST_SERVER_WORKERS: '2' });
    expect(await workers.ended).toBe(1);
    expect(workers.err()).toContain('the embedded database is open in one process at a time');
    const file = join(folder, 'two.conf');
    writeFileSync(file, `[a]\ndata-dir = "${folder}"\n[b]\ndata-dir = "${folder}/../${basename(folder)}/"\n`);
    const sections = start(['rest', file], environment({}));
    expect(await sections.ended).toBe(1);
    expect(sections.err()).toContain('the sections [a] and [b] have the same');
  }

  test('follows the mode that a command sets, REST service included, and stays healthy', async () => {
    expect(await command('maintenance', 'read-only', '--message', 'Moving.')).toContain('people are told: Moving.');
    const refused = await eventually(
      () => ask(url, '/rest/v1/nothing', { method: 'POST', headers: { 'content-type': 'application/json' } }),
      ({ status }) => status === 503,
    );
    expect([refused.headers['retry-after'], JSON.parse(refused.text)]).toMatchObject([
      '60',
      { code: 'SVRST197', message: 'Moving.' },
    ]);
    expect(await ask(rest, '/nothing', { method: 'DELETE' })).toMatchObject({ status: 503 });
    expect(await ask(rest, '/')).toMatchObject({ status: 200 });
    await command('maintenance', 'on');
    await eventually(
      () => ask(rest, '/'),
      ({ status }) => status === 503,
    );
    expect(await ask(url, '/api/v2/maps/')).toMatchObject({ status: 503 });
    expect(await ask(url, '/ready')).toMatchObject({ status: 200 });
    await command('maintenance', 'off');
    await eventually(
      () => ask(rest, '/'),
      ({ status }) => status === 200,
    );
    await eventually(
      () => ask(url, '/api/v2/maps/'),
      ({ status }) => status === 200,
    );
  });

  test('a command shows how it runs; jobs, queues and the mode are among its metrics', async () => {
    const status = JSON.parse(await command('status', '--json'));
    expect(status).toMatchObject({ mode: { mode: 'normal' }, concerns: [], disk: { folder } });
    expect(status.copies).toMatchObject([{ pid: program.pid, services: 'all', state: 'alive' }]);
    expect(await command('status')).toMatch(/^mode {6}normal\ncopies {4}\S+ pid \d+, /);
    const { text } = await ask(admin, '/metrics');
    expect(text).toContain('svrst_service_mode{mode="normal"} 1');
    expect(text).toMatch(/svrst_requests_total\{route="portal api",status="200"\} \d+/);
    expect(text).toContain('svrst_uploads');
  });

  test('when told to stop, it is not ready first, and answers until balancers have heard of it', async () => {
    program.child.kill('SIGTERM');
    await program.told('received SIGTERM');
    const ready = await ask(url, '/ready');
    expect([ready.status, JSON.parse(ready.text).checks.running]).toEqual([503, 'stopping']);
    const answered = await ask(url, '/api/v2/maps/');
    expect([answered.status, answered.headers['connection']]).toEqual([200, 'close']);
    expect(await program.ended).toBe(0);
  });
});
