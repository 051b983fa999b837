// `database = local`: a private PostgreSQL server in the data folder, which lives and ends with the program.

import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeNeeding } from '../testkit/describe-needing.ts';
import { findPostgres } from '../testkit/postgres-binaries.ts';
import { ask, environment, eventually, type Program, runProgram, type Settings, start, startRest } from './program.ts';

const missing =
  findPostgres(process.env) !== undefined ? undefined : 'PostgreSQL with PostGIS: apt install postgresql postgis';

describeNeeding(missing, 'a private PostgreSQL server', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'survest-local-'));
    // As root, PostgreSQL runs under another account, which has to get there.
    chmodSync(folder, 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const restOn = (name: string, more: Settings = {}): Settings => ({
    'data-dir': join(folder, name),
    'db-schemas': 'public',
    'db-anon-role': 'survest',
    'server-host': '127.0.0.1',
    'server-port': '0',
    ...more,
  });
  const portalOn = (name: string, more: Settings = {}): Settings => ({
    'data-dir': join(folder, name),
    'admin-password': 'correct horse',
    demo: 'false',
    'portal-host': '127.0.0.1',
    'portal-port': '0',
    'server-host': '127.0.0.1',
    'server-port': '0',
    ...more,
  });
  const serverPid = (name: string): number | undefined => {
    try {
      return Number.parseInt(readFileSync(join(folder, name, 'postgres/postmaster.pid'), 'utf8'), 10);
    } catch {
      return undefined;
    }
  };
  const runs = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  const restUrl = (program: Program): string => /REST service listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';

  test('survest rest makes it, survives its crash, and takes over what a kill has left', async () => {
    const first = await startRest(restOn('kept', { database: 'local' }));
    const pid = serverPid('kept') ?? 0;
    expect(runs(pid)).toBe(true);
    expect(readdirSync(join(folder, 'kept'))).not.toContain('database');

    process.kill(pid, 'SIGKILL');
    await eventually(
      async () => serverPid('kept'),
      (now) => now !== undefined && now !== pid,
    );
    await eventually(
      () => first.get('/'),
      ({ status }) => status === 200,
    );
    expect(first.err()).toContain('the local PostgreSQL server ended and is started again');

    const second = serverPid('kept') ?? 0;
    first.child.kill('SIGKILL');
    await first.ended;
    // Found by what the folder holds, and at once: the server may still be writing its last.
    const again = await startRest(restOn('kept'));
    expect(runs(second)).toBe(false);
    expect((await again.get('/')).status).toBe(200);
    const last = serverPid('kept') ?? 0;
    expect(await again.stop()).toBe(0);
    expect(runs(last)).toBe(false);
    expect(serverPid('kept')).toBeUndefined();
  });

  test('a program that is killed leaves no server behind', async () => {
    const program = await startRest(restOn('killed', { database: 'local' }));
    const pid = serverPid('killed') ?? 0;
    program.child.kill('SIGKILL');
    await program.ended;
    await eventually(
      async () => !runs(pid),
      (isGone) => isGone,
    );
  });

  test('several processes share one server', async () => {
    const program = start(['rest'], environment(restOn('workers', { database: 'local', 'server-workers': '2' })));
    await program.told(/REST service listens on[\s\S]*REST service listens on/);
    const answer = await eventually(
      () => ask(restUrl(program), '/'),
      ({ status }) => status === 200,
    );
    expect(answer.status).toBe(200);
    expect(await program.stop()).toBe(0);
    expect(serverPid('workers')).toBeUndefined();
  });

  test('a portal moves from the embedded engine to it and back, in one data folder', async () => {
    const settings = environment(portalOn('moved'));
    const embedded = start([], settings);
    await embedded.told(/REST service listens on/);
    expect(await embedded.stop()).toBe(0);

    const refused = await runProgram([], environment(portalOn('moved', { database: 'local' })));
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('survest move --to local') });

    const there = await runProgram(['move', '--to', 'local'], settings);
    expect(there).toMatchObject({ code: 0, out: expect.stringMatching(/moved \d+ tables/) });
    expect(there.err).toContain('database.moved');
    expect(existsSync(join(folder, 'moved/database'))).toBe(false);

    const local = start([], settings);
    await local.told(/REST service listens on/);
    expect(serverPid('moved')).toBeDefined();
    // Beside the running program, over its server.
    const listed = await runProgram(['user', 'list'], settings);
    expect(listed).toMatchObject({ code: 0, out: expect.stringContaining('admin') });
    expect(await local.stop()).toBe(0);

    const newest = await runProgram(['move', '--to', 'local'], settings);
    expect(newest).toMatchObject({ code: 0 });
    expect(newest.err).toContain('postgres.moved');

    const back = await runProgram(['move', '--to', 'embedded'], settings);
    expect(back).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'moved/postgres'))).toBe(false);
    const accounts = await runProgram(['user', 'list'], settings);
    expect(accounts).toMatchObject({ code: 0, out: expect.stringContaining('admin') });
  }, 300_000);

  test('what cannot be is refused in words, and nothing is made', async () => {
    const refused = async (settings: Settings): Promise<string> => {
      const { code, err } = await runProgram(['rest'], environment(settings));
      expect(code).toBe(1);
      return err;
    };
    expect(await refused(restOn('none', { database: 'local', 'pg-bin': folder }))).toContain('there is none in pg-bin');
    expect(await refused(restOn('none', { database: 'local', 'db-uri': 'postgresql://x/y' }))).toContain(
      'database and db-uri name two databases',
    );
    expect(existsSync(join(folder, 'none/postgres'))).toBe(false);
    expect(await refused(restOn('kept', { database: 'embedded' }))).toContain('survest move --to embedded');
  });
});
