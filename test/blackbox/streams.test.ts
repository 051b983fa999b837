// Memory of the built program while a large answer leaves: it stays flat, whether its client is quick or slow.

import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import { eventually, type RunningRest, restSettings, startRest } from './program.ts';

const MB = 1024 * 1024;
const ROWS = 100_000;

onEachEngine('a hundred megabytes', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  let program: RunningRest;
  beforeAll(async () => {
    await db().script(`
      create view test.large as select n as id, repeat(md5(n::text), 32) as body from generate_series(1, ${ROWS}) n;
      grant select on test.large to rest_anon`);
    program = await startRest(restSettings(db(), { 'db-pool': '2', 'admin-server-port': '0' }));
  });
  afterAll(() => program.stop());

  function open(target: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      get(`${program.url}${target}`, { agent: false }, resolve).on('error', reject);
    });
  }

  async function resident(): Promise<number> {
    const status = await readFile(`/proc/${program.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  test('are read with less than 64 of them in memory, and a slow client holds no connection', async () => {
    for await (const _ of await open('/large?limit=6000')); // what is compiled and opened once
    const before = await resident();
    let most = before;
    let bytes = 0;
    let next = 0;
    for await (const chunk of await open('/large')) {
      bytes += (chunk as Buffer).length;
      if (bytes < next) continue;
      next = bytes + 4 * MB;
      most = Math.max(most, await resident());
    }
    expect(bytes).toBeGreaterThan(100 * MB);
    expect(most - before).toBeLessThan(64);

    const slow = await open('/large?limit=20000');
    await new Promise((resolve) => slow.once('data', resolve));
    slow.pause();
    // All rows are made and lie on disk, though nobody takes them.
    const busy = (): Promise<readonly unknown[]> =>
      db().query(
        `select 1 from pg_stat_activity where datname = current_database() and state <> 'idle' and usename = 'rest_authenticator'`,
      );
    await eventually(busy, (found) => found.length === 0);
    expect((await resident()) - before).toBeLessThan(64);
    slow.destroy();
  });
});
