// A start that cannot work says so early and in words: all that is missing, and before a database or an account is made.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { MAIN } from './built-program.ts';
import { environment, runProgram, startRest } from './program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'survest-start-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const settings = (more: Readonly<Record<string, string>> = {}): Record<string, string> =>
  environment({
    'data-dir': join(folder, 'data'),
    'portal-host': '127.0.0.1',
    'portal-port': '0',
    'server-host': '127.0.0.1',
    'server-port': '0',
    demo: 'false',
    ...more,
  });

const takePort = async (): Promise<Server & { readonly port: string }> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(server, { port: String((server.address() as { port: number }).port) });
};

describe('a start', () => {
  test('names both ports that are taken, and makes no database', async () => {
    const [one, two] = [await takePort(), await takePort()];
    const ended = await runProgram([], settings({ 'portal-port': one.port, 'server-port': two.port }));
    one.close();
    two.close();
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toContain(`portal-port: port ${one.port} of 127.0.0.1 is in use by another program`);
    expect(ended.err).toContain(`server-port: port ${two.port} of 127.0.0.1 is in use by another program`);
    expect(existsSync(join(folder, 'data/database'))).toBe(false);
  });

  test('names folders that cannot be written to, with what to do', async () => {
    writeFileSync(join(folder, 'file'), '');
    const env = { ...settings({ 'data-dir': join(folder, 'file') }), TMPDIR: join(folder, 'nowhere') };
    const ended = await runProgram([], env);
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toContain(`data-dir: the folder "${join(folder, 'file')}" is not a folder: choose another`);
    expect(ended.err).toContain(`TMPDIR: the folder "${join(folder, 'nowhere')}" for temporary files does not exist`);
    expect(ended.err).not.toMatch(/^\s+at /m);
  });

  test('without WebAssembly is refused in words', () => {
    const ended = spawnSync(process.execPath, ['--jitless', MAIN, '--version'], { encoding: 'utf8', env: settings() });
    expect(ended).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('runs without WebAssembly') });
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });
});

onEachEngine('a role that may not make the portal', { engines: ['postgres'] }, (db) => {
  const ROLE = 'survest_test_without_rights';
  afterAll(() => db().script(`drop role ${ROLE}`));

  test('is told the statements that give it the rights, and nothing was changed', async () => {
    await db().script(`create role ${ROLE} login password '${ROLE}'`);
    const uri = new URL(db().uri ?? '');
    uri.username = ROLE;
    uri.password = ROLE;
    const ended = await runProgram([], settings({ 'db-uri': uri.href }));
    expect(ended).toMatchObject({ code: 1, out: '' });
    const [, database] = uri.pathname.split('/');
    expect(ended.err).toContain(`the role "${ROLE}" of db-uri may not make what the portal needs`);
    expect(ended.err).toMatch(new RegExp(`^ {2}grant create on database "?${database}"? to ${ROLE};$`, 'm'));
    const [found] = await db().query<{ n: string }>(`select count(*) as n from pg_namespace where nspname = 'portal'`);
    expect(found?.n).toBe('0');
  });
});

onEachEngine('survest rest, as a role that may not switch to db-anon-role', { engines: ['postgres'] }, (db) => {
  const [CONNECTS, ANONYMOUS] = ['survest_test_connects', 'survest_test_Anonymous'];
  afterAll(() => db().script(`drop role ${CONNECTS}; drop role "${ANONYMOUS}"`));

  test('says so when it starts, with the statement that helps, which does help', async () => {
    await db().script(
      `create role ${CONNECTS} login noinherit password '${CONNECTS}'; create role "${ANONYMOUS}" nologin`,
    );
    const uri = new URL(db().uri ?? '');
    uri.username = CONNECTS;
    uri.password = CONNECTS;
    const env = { 'db-uri': uri.href, 'db-anon-role': ANONYMOUS, 'server-host': '127.0.0.1', 'server-port': '0' };
    const grant = `grant "${ANONYMOUS}" to "${CONNECTS}";`;
    const refused = await startRest(env);
    await refused.stop();
    expect(refused.err()).toContain(`the role "${CONNECTS}" of db-uri may not switch to "${ANONYMOUS}"`);
    expect(refused.err()).toContain(`Run: ${grant}`);
    await db().script(grant);
    const taken = await startRest(env);
    expect((await taken.get('/')).status).toBe(200);
    await taken.stop();
    expect(taken.err()).not.toContain('db-anon-role');
  });
});
