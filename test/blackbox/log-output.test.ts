// Whatever becomes of the log, the program serves: no space, no reader, a reader that no longer reads.

import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, createReadStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import { MAIN } from './built-program.ts';
import { ask, environment, eventually, restSettings, type Settings } from './program.ts';

onEachEngine('a program whose log', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  const started: ChildProcess[] = [];
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'survest-log-'));
  });
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Nothing can be learned from its log, so the port is chosen here. */
  async function startOn(stdio: StdioOptions, more: Settings = {}): Promise<{ child: ChildProcess; url: string }> {
    const port = await freePort();
    const settings = restSettings(db(), { 'server-port': String(port), ...more });
    const child = spawn(process.execPath, [MAIN, 'rest'], { env: environment(settings), stdio });
    started.push(child);
    const url = `http://127.0.0.1:${port}`;
    await eventually(
      () => ask(url, '/items').catch(() => ({ status: 0 })),
      ({ status }) => status === 200,
    );
    return { child, url };
  }

  async function serves(url: string): Promise<void> {
    for (let i = 0; i < 20; i++) expect((await ask(url, `/items?id=eq.${i}`)).status).toBe(200);
  }

  async function stops(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }

  test.each([{ workers: '1' }, { workers: '2' }])(
    'has no space serves and stops when told to, with $workers workers',
    async ({ workers }) => {
      const full = openSync('/dev/full', 'w');
      const { child, url } = await startOn(['ignore', full, full], { 'server-workers': workers });
      closeSync(full);
      await serves(url);
      await stops(child);
    },
  );

  test('has lost its readers serves and stops when told to', async () => {
    const { child, url } = await startOn(['ignore', 'pipe', 'pipe']);
    child.stdout?.destroy();
    child.stderr?.destroy();
    await serves(url);
    await stops(child);
  });

  test('is not read keeps a bound, counts what it loses, and tells when it is read again', async () => {
    const { child, url } = await startOn(['ignore', 'pipe', 'pipe']);
    let err = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    // Of three megabytes one is kept, and some in the pipe.
    const long = Array(3000).fill('1').join();
    for (let i = 0; i < 500; i++) expect((await ask(url, `/items?id=in.(${long})`)).status).toBe(200);
    child.stdout?.resume();
    await eventually(
      async () => {
        await ask(url, '/items');
        return err;
      },
      (text) => /The log of requests has lost \d+ lines: nobody read them/.test(text),
    );
    await stops(child);
  });

  test('is not read when it has to stop does stop', async () => {
    const { child, url } = await startOn(['ignore', 'pipe', 'pipe']);
    child.stderr?.resume();
    const long = Array(3000).fill('1').join();
    for (let i = 0; i < 50; i++) await ask(url, `/items?id=in.(${long})`);
    await stops(child);
  });

  test('gets another reader goes on there, and tells what was lost between the two', async () => {
    const fifo = join(folder, 'access');
    execFileSync('mkfifo', [fifo]);
    const first = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    const out = openSync(fifo, 'w');
    const { child, url } = await startOn(['ignore', out, 'pipe']);
    closeSync(out);
    let err = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    closeSync(first);
    await serves(url);
    const second = createReadStream(fifo, { flags: 'r' });
    let read = '';
    second.setEncoding('utf8').on('data', (text) => {
      read += text;
    });
    await once(second, 'open');
    await eventually(
      async () => {
        await ask(url, '/items?limit=1');
        return err;
      },
      (text) => /The log of requests has lost \d+ lines: write EPIPE/.test(text),
    );
    expect(read).toContain('GET /items?limit=1');
    await stops(child);
    second.destroy();
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
