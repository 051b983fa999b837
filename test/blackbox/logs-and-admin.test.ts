// What operators see of a running program: its logs, its headers, its admin server.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import {
  ask,
  environment,
  eventually,
  type RunningRest,
  restSettings,
  runProgram,
  startRest,
  trouble,
} from './program.ts';
import { parsePrometheus } from './prometheus.ts';

onEachEngine('operations', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  describe('logs as JSON, with statements', () => {
    let program: RunningRest;
    beforeAll(async () => {
      program = await startRest(
        restSettings(db(), {
          'log-format': 'json',
          'log-query': 'main-query',
          'server-timing-enabled': 'true',
          'server-trace-header': 'X-Request-Id',
        }),
      );
    });

    test('have one object a line, the code of an error, and never a value', async () => {
      const secret = 'value-of-a-caller';
      await program.get(`/items?id=eq.7&select=id&limit=1`, { 'x-request-id': 'r-1' });
      await program.get(`/no_such_table?name=eq.x%0Afake`);
      await program.get(`/clients?name=eq.${secret}`);
      await program.stop();
      const access = program
        .out()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(access.map(({ status, error }) => [status, error])).toEqual([
        [200, undefined],
        [404, 'SVRST205'],
        [200, undefined],
      ]);
      const told = program
        .err()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { kind: string; message: string });
      const statements = told.filter(({ kind }) => kind === 'statement').map(({ message }) => message);
      expect(statements).toHaveLength(2);
      expect(statements[0]).toContain('"items"');
      expect(program.err()).not.toContain(secret);
    });
  });

  describe('headers', () => {
    let program: RunningRest;
    beforeAll(async () => {
      program = await startRest(
        restSettings(db(), { 'server-timing-enabled': 'true', 'server-trace-header': 'X-Trace-Id' }),
      );
    });
    afterAll(async () => {
      await program.stop();
      expect(trouble(program)).toEqual([]);
    });

    test('the trace header comes back, with errors too, and empty where none was sent', async () => {
      expect((await program.get('/items', { 'x-trace-id': 'abc' })).headers['x-trace-id']).toBe('abc');
      expect((await program.get('/no_such', { 'x-trace-id': 'abc' })).headers['x-trace-id']).toBe('abc');
      expect((await program.get('/items')).headers['x-trace-id']).toBe('');
    });

    test('every request has an id, its own or that of the client, which is in the log', async () => {
      const { headers } = await program.get('/items?limit=1');
      await program.get('/no_such', { 'x-request-id': 'quoted' });
      const lines = await eventually(
        async () => program.out(),
        (out) => out.includes('"quoted"'),
      );
      expect(headers['x-request-id']).toMatch(/^\w+-\w+$/);
      expect(lines).toContain(`"${headers['x-request-id']}"`);
    });

    test('timing has every stage', async () => {
      const timing = String((await program.get('/items')).headers['server-timing']);
      for (const stage of ['jwt', 'parse', 'plan', 'transaction', 'response'])
        expect(timing).toMatch(new RegExp(`${stage};dur=[0-9.]+`));
    });
  });

  describe('the admin server', () => {
    let program: RunningRest;
    let admin: string;
    beforeAll(async () => {
      program = await startRest(restSettings(db(), { 'admin-server-port': '0', 'admin-server-host': '127.0.0.1' }));
      admin = /Admin server listens on (\S+)/.exec(program.err())?.[1] ?? '';
    });
    afterAll(async () => {
      await program.stop();
      expect(trouble(program)).toEqual([]);
    });

    test.each([
      ['/live', 200],
      ['/ready', 200],
      ['/', 404],
      ['/nowhere', 404],
      ['//', 404],
      ['/live?now', 200],
      ['http://[', 404],
    ])('%s answers %i', async (path, status) => {
      expect((await ask(admin, path)).status).toBe(status);
    });

    test('shows the schema cache', async () => {
      const reply = await ask(admin, '/schema_cache');
      expect(reply.headers['content-type']).toContain('application/json');
      expect(Object.keys(JSON.parse(reply.text) as object)).toContain('dbTables');
    });

    test('counts', async () => {
      await program.get('/items');
      await program.get('/no_such_table');
      const reply = await ask(admin, '/metrics');
      expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
      const metrics = parsePrometheus(reply.text);
      const value = (name: string, labels = ''): number | undefined => metrics.samples.get(`${name}${labels}`);
      expect(value('pgrst_db_pool_max')).toBe(10);
      expect(value('pgrst_db_pool_waiting')).toBe(0);
      expect(value('pgrst_db_pool_available')).toBe(10);
      expect(value('pgrst_db_pool_timeouts_total')).toBe(0);
      expect(value('pgrst_schema_cache_loads_total', '{status="SUCCESS"}')).toBeGreaterThan(0);
      expect(value('pgrst_schema_cache_loads_total', '{status="FAIL"}')).toBe(0);
      expect(value('pgrst_schema_cache_query_time_seconds')).toBeGreaterThan(0);
      expect(value('svrst_requests_total', '{route="read",status="200"}')).toBeGreaterThan(0);
      expect(value('svrst_requests_total', '{route="read",status="404"}')).toBeGreaterThan(0);
      expect(metrics.types.get('svrst_request_duration_seconds')).toBe('histogram');
    });

    test('is asked by --ready', async () => {
      const port = new URL(admin).port;
      const settings = restSettings(db(), { 'admin-server-port': port, 'admin-server-host': '127.0.0.1' });
      expect(await runProgram(['rest', '--ready'], environment(settings))).toMatchObject({ code: 0, err: '' });
    });
  });

  test('the admin server says not ready while the database is away', async () => {
    const settings = restSettings(db(), {
      'admin-server-port': '0',
      'admin-server-host': '127.0.0.1',
      'db-uri': 'postgresql://nobody@127.0.0.1:1/none',
    });
    const program = await startRest(settings, { until: 'could not be loaded' });
    const admin = /Admin server listens on (\S+)/.exec(program.err())?.[1] ?? '';
    expect(program.err()).toContain('ECONNREFUSED');
    expect(program.err()).not.toContain('pooler');
    expect((await ask(admin, '/ready')).status).toBe(503);
    expect((await ask(admin, '/live')).status).toBe(200);
    expect((await ask(admin, '/schema_cache')).text).toBe('');
    const { samples } = parsePrometheus((await ask(admin, '/metrics')).text);
    expect(samples.get('pgrst_schema_cache_loads_total{status="FAIL"}')).toBeGreaterThan(0);
    expect(await program.stop()).toBe(0);
    await eventually(
      () => Promise.resolve(program.err()),
      (text) => text.includes('Stopped after'),
    );
  });
});
