// The program in the place of PostgREST: its files, its variables, its settings in the database, its command line.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUTHENTICATOR, EXPOSED_SCHEMAS, REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import { SECRET, tokenFor } from '../testkit/rest-client.ts';
import {
  asAuthenticator,
  ask,
  environment,
  eventually,
  restSettings,
  runProgram,
  start,
  startRest,
  trouble,
} from './program.ts';

onEachEngine('drop-in', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'survest-drop-in-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function file(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  }

  test("a file of PostgREST's as the last argument, with old names of settings and @file values", async () => {
    file('uri', `${asAuthenticator(db())}\n`);
    file('secret', SECRET);
    const path = file(
      'postgrest.conf',
      `# written for another program
db-uri = "@${join(folder, 'uri')}"
db-schema = "test"
db-anon-role = "rest_anon"
jwt-secret = "@${join(folder, 'secret')}"
max-rows = 2
server-host = "127.0.0.1"
server-port = 0
app.settings.color = "green"
log-level = "info"
`,
    );
    const program = await startRest({}, { args: [path] });
    const reply = await program.get('/items?select=id&order=id');
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text)).toEqual([{ id: 1 }, { id: 2 }]);
    expect(reply.headers['server']).toMatch(/^survest\//);
    const authored = await program.get('/authors_only', {
      authorization: `Bearer ${tokenFor({ role: 'rest_author' })}`,
    });
    expect(authored.status).toBe(200);
    expect(await program.stop()).toBe(0);
    expect(program.out()).toMatch(
      /^127\.0\.0\.1 - rest_anon \[.*\] "GET \/items\?select=id&order=id HTTP\/1\.1" 200 \d+ "" "" "[\w-]+"$/m,
    );
    expect(trouble(program)).toEqual([]);
  });

  test('PGRST_ variables alone, and SVRST_ ones before them', async () => {
    const settings = restSettings(db());
    const env = { ...environment(settings, 'PGRST_'), PGRST_DB_MAX_ROWS: '1', SVRST_DB_MAX_ROWS: '3' };
    const program = start(['rest'], env);
    await program.told(/Schema cache loaded/);
    const url = /REST service listens on (\S+)/.exec(program.err())?.[1] ?? '';
    expect(JSON.parse((await ask(url, '/items')).text)).toHaveLength(3);
    expect(await program.stop()).toBe(0);
    expect(trouble(program)).toEqual([]);
  });

  describe('settings in the database', () => {
    // The role belongs to the whole server; what is set for it in this database is nobody else's.
    beforeAll(() =>
      db().script(`do $$ begin
        execute format('alter role ${AUTHENTICATOR} in database %I set pgrst.db_max_rows = %L', current_database(), '2');
        execute format('alter role ${AUTHENTICATOR} in database %I set pgrst.server_trace_header = %L', current_database(), 'X-Trace');
      end $$`),
    );
    afterAll(() =>
      db().script(
        `do $$ begin execute format('alter role ${AUTHENTICATOR} in database %I reset all', current_database()); end $$`,
      ),
    );

    test('are in force, over file and environment', async () => {
      const program = await startRest(restSettings(db(), { 'db-max-rows': '5' }));
      const reply = await program.get('/items', { 'x-trace': 'abc' });
      expect(JSON.parse(reply.text)).toHaveLength(2);
      expect(reply.headers['x-trace']).toBe('abc');
      await program.stop();
      expect(trouble(program)).toEqual([]);
    });

    test('are dumped, and the dump of a dump is the same', async () => {
      const first = await runProgram(['rest', '--dump-config'], environment(restSettings(db())));
      expect(first.err).toBe('');
      expect(first.code).toBe(0);
      expect(first.out).toContain('db-max-rows = 2\n');
      expect(first.out).toContain('server-trace-header = "X-Trace"\n');
      const path = file('dumped.conf', first.out);
      const second = await runProgram(['rest', '--dump-config', path], environment({}));
      expect(second).toEqual(first);
    });

    test('are left out when they are not wanted', async () => {
      const env = environment(restSettings(db(), { 'db-config': 'false' }));
      const dumped = await runProgram(['rest', '--dump-config'], env);
      expect(dumped.out).toContain('db-max-rows = ""\n');
    });

    test('with a mistake keep the program from starting', async () => {
      const settings = restSettings(db(), { 'db-pre-config': 'test.blackbox_bad_settings' });
      await db().script(`create function test.blackbox_bad_settings() returns void language sql as
        $$ select set_config('pgrst.openapi_mode', 'nonsense', true) $$;
        grant execute on function test.blackbox_bad_settings() to ${AUTHENTICATOR};
        grant usage on schema test to ${AUTHENTICATOR};`);
      const ended = await runProgram(['rest'], environment(settings));
      expect(ended.code).toBe(1);
      expect(ended.err).toContain('Invalid openapi-mode. Check your configuration.');
      await db().script('drop function test.blackbox_bad_settings()');
    });
  });

  test('a dump without a reachable database has what file and environment say', async () => {
    const settings = restSettings(db(), { 'db-uri': 'postgresql://nobody@127.0.0.1:1/none' });
    const dumped = await runProgram(['rest', '--dump-config'], environment(settings));
    expect(dumped.code).toBe(0);
    expect(dumped.err).toContain('the settings in the database could not be read');
    expect(dumped.out).toContain('db-anon-role = "rest_anon"');
  });

  test('the schema cache is printed as JSON', async () => {
    const dumped = await runProgram(['rest', '--dump-schema'], environment(restSettings(db())));
    expect(dumped.code).toBe(0);
    const parts = Object.keys(JSON.parse(dumped.out) as object);
    expect(parts).toEqual(expect.arrayContaining(['dbTables', 'dbRelationships', 'dbRoutines', 'dbTimezones']));
  });

  test.each<[string, readonly string[], Record<string, string>, RegExp]>([
    ['no such file', ['rest', '/nowhere/at/all.conf'], {}, /nowhere/],
    ['a wrong word', ['rest'], { 'log-level': 'loud' }, /Invalid logging level\. Check your configuration\./],
    ['a secret that is too short', ['rest'], { 'jwt-secret': 'short' }, /jwt-secret|secret/i],
    [
      'one port for two',
      ['rest'],
      { 'server-port': '4000', 'admin-server-port': '4000' },
      /admin-server-port cannot be the same as server-port/,
    ],
    ['an address of no machine', ['rest'], { 'server-host': '203.0.113.7' }, /is no address of this machine/],
    [
      'a dump of a schema that cannot be read',
      ['rest', '--dump-schema'],
      { 'db-uri': 'postgresql://nobody@127.0.0.1:1/none' },
      /could not be read/,
    ],
    ['a flag nobody knows', ['rest', '--db-schemass', 'x'], {}, /--db-schemas/],
    ['nobody to ask whether it is ready', ['rest', '--ready'], { 'admin-server-port': '1' }, /nobody answers/],
  ])('%s: exit code 1 and a sentence, no stack', async (_, args, more, words) => {
    const ended = await runProgram(args, environment(restSettings(db(), more)));
    expect(ended.code).toBe(1);
    expect(ended.err).toMatch(words);
    expect(ended.err).not.toMatch(/^\s+at /m);
  });

  test('a sample file can be read back', async () => {
    const sample = await runProgram(['rest', '--example'], environment({}));
    expect(sample.code).toBe(0);
    const path = file('sample.conf', sample.out);
    const dumped = await runProgram(['rest', '--dump-config', path], environment({}));
    expect(dumped).toMatchObject({ code: 0, err: '' });
  });

  test('a socket file with its mode, in the place of one left behind', async () => {
    const path = join(folder, 'rest.sock');
    // As after a crash: the file is there and nobody listens.
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`;
    const left = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(left.stdout, 'data');
    const taken = await runProgram(['rest'], environment(restSettings(db(), { 'server-unix-socket': path })));
    expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('is in use by another program') });
    left.kill('SIGKILL');
    await once(left, 'exit');
    chmodSync(path, 0o600);
    const program = await startRest(
      restSettings(db(), { 'server-unix-socket': path, 'server-unix-socket-mode': '666' }),
    );
    expect(statSync(path).mode & 0o777).toBe(0o666);
    const reply = await ask('http://localhost', '/items?limit=1&select=id', { socketPath: path });
    expect(reply).toMatchObject({ status: 200, text: '[{"id":1}]' });
    expect(await program.stop()).toBe(0);
    expect(program.out()).toMatch(/^- - rest_anon \[/m);
    expect(trouble(program)).toEqual([]);
  });

  test.each(['*', '*4', '!4', '*6', '!6', 'localhost'])('server-host %s', async (host) => {
    const program = await startRest(restSettings(db(), { 'server-host': host }));
    const port = /:(\d+)$/.exec(program.url)?.[1];
    const at = host === '!6' || host === '*6' ? '[::1]' : host === 'localhost' ? 'localhost' : '127.0.0.1';
    expect((await ask(`http://${at}:${port}`, '/items?limit=1')).status).toBe(200);
    await program.stop();
    expect(trouble(program)).toEqual([]);
  });

  describe('a database that is not there at the start', () => {
    test('is waited for: 503 with Retry-After meanwhile, service after it', async () => {
      const away = await closedPort();
      const uri = new URL(asAuthenticator(db()));
      const real = { host: uri.hostname, port: Number(uri.port) };
      uri.port = String(away);
      const program = await startRest(restSettings(db(), { 'db-uri': uri.href }), { until: 'could not be loaded' });
      const reply = await program.get('/items');
      expect(reply.status).toBe(503);
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      expect(JSON.parse(reply.text)).toMatchObject({ code: 'SVRST002' });
      const proxy = await forward(away, real);
      await eventually(
        () => program.get('/items?limit=1'),
        ({ status }) => status === 200,
      );
      expect(await program.stop()).toBe(0);
      proxy.close();
      expect(
        trouble(program, [/could not be loaded: connection to server/, /No longer listening/, /connection was lost/]),
      ).toEqual([]);
    });

    test('ends the program where it is told not to wait', async () => {
      const settings = restSettings(db(), {
        'db-uri': 'postgresql://nobody@127.0.0.1:1/none',
        'db-pool-automatic-recovery': 'false',
      });
      expect((await runProgram(['rest'], environment(settings))).code).toBe(1);
    });
  });

  test('a database that does not exist ends the program, and no password is told', async () => {
    const uri = new URL(asAuthenticator(db()));
    uri.pathname = '/there_is_no_such_database';
    uri.password = 'hidden-word';
    const ended = await runProgram(['rest'], environment(restSettings(db(), { 'db-uri': uri.href })));
    expect(ended.code).toBe(1);
    expect(ended.err).toContain('there_is_no_such_database');
    expect(ended.err).not.toContain('hidden-word');
  });

  test('the schemas of the fixture are all there', async () => {
    const program = await startRest(restSettings(db()));
    for (const schema of EXPOSED_SCHEMAS.slice(0, 3))
      expect((await program.get('/', { 'accept-profile': schema })).status).toBe(200);
    await program.stop();
    expect(trouble(program)).toEqual([]);
  });
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function forward(port: number, to: { host: string; port: number }): Promise<{ close(): void }> {
  const { connect } = await import('node:net');
  const server = createServer((inner) => {
    const outer = connect(to);
    inner.pipe(outer).pipe(inner);
    inner.on('error', () => outer.destroy());
    outer.on('error', () => inner.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { close: () => server.close() };
}
