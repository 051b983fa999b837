// Several processes behind one address: they share the work, hear of changes, are replaced when they die, and end together.

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import { ask, eventually, type RunningRest, restSettings, startRest, trouble } from './program.ts';
import { parsePrometheus } from './prometheus.ts';

onEachEngine('workers', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  let program: RunningRest;
  let admin: string;

  beforeAll(async () => {
    program = await startRest(restSettings(db(), { 'server-workers': '2', 'db-pool': '6', 'admin-server-port': '0' }));
    await program.told('Admin server listens');
    await program.told('Listening for notifications');
    admin =
      /Admin server listens on ([^\s"]+)/g.exec(program.err().slice(program.err().lastIndexOf('Admin')))?.[1] ?? '';
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
    expect(trouble(program, [/Worker \d+ ended/])).toEqual([]);
  });

  const workers = (): string[] =>
    readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, 'utf8').trim().split(' ').filter(Boolean);

  test('are as many as asked for', () => {
    expect(workers()).toHaveLength(2);
  });

  test.each([
    ['a change', 'for_workers', `notify pgrst, 'reload schema'`],
    ['a table', 'for_each', `select pg_notify('pgrst', 'reload schema ' || 'test.for_each'::regclass::oid)`],
  ])('all hear of %s', async (_, table, tell) => {
    await db().script(
      `create table test.${table} (id int primary key); grant select on test.${table} to rest_anon; ${tell}`,
    );
    await eventually(
      () => Promise.all(Array.from({ length: 16 }, () => ask(program.url, `/${table}`))),
      (replies) => replies.every(({ status }) => status === 200),
    );
  });

  test('are counted as one', async () => {
    const before = await readCount();
    await Promise.all(Array.from({ length: 20 }, () => program.get('/items?limit=1')));
    expect((await readCount()) - before).toBe(20);
    expect((await ask(admin, '/ready')).status).toBe(200);
    expect((await ask(admin, '/live')).status).toBe(200);
    expect(JSON.parse((await ask(admin, '/schema_cache')).text)).toBeTypeOf('object');
    expect((await ask(admin, '/nothing')).status).toBe(404);
  });

  async function readCount(): Promise<number> {
    const { samples } = parsePrometheus((await ask(admin, '/metrics')).text);
    let sum = 0;
    for (const [name, value] of samples) if (name.startsWith('svrst_requests_total')) sum += value;
    return sum;
  }

  test('share the connections they may have', async () => {
    await Promise.all(Array.from({ length: 200 }, () => program.get('/items?limit=1')));
    const [row] = await db().query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and usename = 'authenticator'`,
    );
    // Six for requests, one that listens.
    expect(row?.n ?? 99).toBeLessThanOrEqual(7);
  });

  test('that die are replaced', async () => {
    const [first] = workers();
    process.kill(Number(first), 'SIGKILL');
    await program.told(`Worker ${first} ended`);
    await eventually(
      async () => workers(),
      (pids) => pids.length === 2 && !pids.includes(first ?? ''),
    );
    await eventually(
      () => ask(admin, '/ready'),
      ({ status }) => status === 200,
    );
    expect((await program.get('/items?limit=1')).status).toBe(200);
  });

  describe('when all are replaced under load', () => {
    test('nobody notices', async () => {
      const old = workers();
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      let running = true;
      const outcomes: string[] = [];
      const clients = Array.from({ length: 8 }, async () => {
        while (running) outcomes.push(await once(agent, `${program.url}/items?limit=1`));
      });
      program.child.kill('SIGHUP');
      await eventually(
        async () => workers(),
        (pids) => pids.length === 2 && !pids.some((pid) => old.includes(pid)),
      );
      running = false;
      await Promise.all(clients);
      agent.destroy();
      expect(outcomes.length).toBeGreaterThan(20);
      expect(outcomes.filter((outcome) => outcome !== '200')).toEqual([]);
    });
  });
});

function once(agent: Agent, url: string): Promise<string> {
  return new Promise((resolve) => {
    request(url, { agent }, (response) => {
      response.resume().on('end', () => resolve(String(response.statusCode)));
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end();
  });
}
