import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { BatchResult, Driver, Statement } from '../driver.ts';
import type { PostgresEvent } from '../postgres/events.ts';
import { makePostgresDriver, type PostgresOptions } from '../postgres/postgres-driver.ts';
import { textRows } from '../rows.ts';

function q(text: string, ...params: string[]): Statement {
  return { text, params };
}

type Watched = {
  readonly driver: Driver;
  readonly events: PostgresEvent[];
  /** Resolves at the first event, past or to come, for which this holds. */
  until(holds: (event: PostgresEvent) => boolean): Promise<PostgresEvent>;
};

function open(uri: string | undefined, options: Partial<PostgresOptions>): Watched {
  const events: PostgresEvent[] = [];
  let wake: () => void = () => {};
  const onEvent = (event: PostgresEvent): void => {
    events.push(event);
    wake();
  };
  const driver = makePostgresDriver({ uri: uri ?? '', onEvent, ...options });
  onTestFinished(() => driver.close());
  const until = async (holds: (event: PostgresEvent) => boolean): Promise<PostgresEvent> => {
    for (;;) {
      const found = events.find(holds);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { driver, events, until };
}

/** Holds a connection until told to let go. */
async function occupy(driver: Driver): Promise<() => Promise<void>> {
  let letGo: () => void = () => {};
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let held: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    held = driver.hold(async () => {
      resolve();
      await free;
    });
    held.then((result) => reject(new Error(`nothing was held: ${JSON.stringify(result)}`)), reject);
  });
  return async () => {
    letGo();
    await held;
  };
}

function only(result: BatchResult): string | null | undefined {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  const [first] = result.value;
  return first && textRows(first)[0]?.[0];
}

onEachEngine('the pool', { engines: ['postgres'] }, (db) => {
  test('waits for the connections that work where the server takes no further one', async () => {
    const role = `few_${new URL(db().uri ?? '').pathname.slice(1)}`;
    await db().script(`create role ${role} login connection limit 2`);
    const uri = new URL(db().uri ?? '');
    uri.username = role;
    uri.password = '';
    const { driver, events } = open(uri.href, { poolSize: 10, sharesConnections: false });
    onTestFinished(async () => {
      await driver.close();
      await db().script(`drop role ${role}`);
    });
    // Each holds its connection until the others have asked for one.
    const executed = await Promise.all(
      Array.from({ length: 60 }, () => driver.hold((session) => session.execute([q('select pg_sleep(0.01)')]))),
    );
    expect(executed.filter((result) => !result.ok)).toEqual([]);
    expect(events.some((event) => event.kind === 'connect-failed')).toBe(true);
    expect(driver.stats()).toMatchObject({ open: 2, waiting: 0 });
  });

  test('asks a server that was full again, for those who still wait', async () => {
    const role = `one_${new URL(db().uri ?? '').pathname.slice(1)}`;
    await db().script(`create role ${role} login connection limit 1`);
    const uri = new URL(db().uri ?? '');
    uri.username = role;
    uri.password = '';
    const { driver, until } = open(uri.href, { poolSize: 2, sharesConnections: false });
    onTestFinished(async () => {
      await driver.close();
      await db().script(`drop role ${role}`);
    });
    const letGo = await occupy(driver);
    const waiting = driver.execute([q('select 1')]);
    await until(({ kind }) => kind === 'connect-failed');
    await db().script(`alter role ${role} connection limit 2`);
    expect(only(await waiting)).toBe('1');
    expect(driver.stats()).toMatchObject({ open: 2, waiting: 0 });
    await letGo();
  });

  test('what is asked of a connection that was ended is answered', async () => {
    const { driver } = open(db().uri, { poolSize: 1 });
    const asked = await driver.hold(async (session) => {
      session.discard('no longer wanted');
      return Promise.all([session.script('select 1'), session.execute([q('select 1')])]);
    });
    expect(asked).toMatchObject({ ok: true, value: [{ error: { kind: 'lost' } }, { error: { kind: 'lost' } }] });
    expect(only(await driver.execute([q('select 1')]))).toBe('1');
  });

  test('that has no connection at all and can get none says so at once', async () => {
    const role = `none_${new URL(db().uri ?? '').pathname.slice(1)}`;
    await db().script(`create role ${role} login connection limit 0`);
    const uri = new URL(db().uri ?? '');
    uri.username = role;
    uri.password = '';
    const { driver } = open(uri.href, { poolSize: 3 });
    onTestFinished(async () => {
      await driver.close();
      await db().script(`drop role ${role}`);
    });
    expect(await driver.execute([q('select 1')])).toMatchObject({ error: { kind: 'unreachable', isFull: true } });
  });

  test('opens no more connections than it may, and only when they are needed', async () => {
    const { driver } = open(db().uri, { poolSize: 3 });
    expect(driver.stats()).toMatchObject({ max: 3, open: 0, idle: 0, waiting: 0 });
    for (let i = 0; i < 5; i++) await driver.execute([q('select 1')]);
    expect(driver.stats()).toMatchObject({ open: 1, idle: 1 });
    const held = [await occupy(driver), await occupy(driver), await occupy(driver)];
    expect(driver.stats()).toMatchObject({ max: 3, open: 3, idle: 0, waiting: 0 });
    const running = Promise.all(Array.from({ length: 30 }, () => driver.execute([q('select pg_backend_pid()')])));
    expect(driver.stats()).toMatchObject({ max: 3, open: 3, idle: 0, waiting: 30 });
    for (const letGo of held) await letGo();
    expect(new Set((await running).map(only)).size).toBeLessThanOrEqual(3);
    expect(driver.stats()).toMatchObject({ max: 3, open: 3, idle: 3, waiting: 0 });
  });

  test('serves those who wait in the order they came', async () => {
    const { driver } = open(db().uri, { poolSize: 1 });
    const letGo = await occupy(driver);
    const served: number[] = [];
    const waiting = Array.from({ length: 20 }, async (_, i) => {
      await driver.execute([q('select 1')]);
      served.push(i);
    });
    await Promise.resolve();
    expect(driver.stats()).toMatchObject({ idle: 0, waiting: 20 });
    await letGo();
    await Promise.all(waiting);
    expect(served).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  test('gives up on who waits too long, and not on who comes after', async () => {
    const { driver, events } = open(db().uri, { poolSize: 1, acquisitionTimeoutMs: 1000 });
    const letGo = await occupy(driver);
    expect(await driver.execute([q('select 1')])).toEqual({
      ok: false,
      error: { kind: 'pool-timeout', afterMs: 1000 },
    });
    expect(events).toContainEqual({ kind: 'pool-timeout', afterMs: 1000, waiting: 0 });
    await letGo();
    expect(only(await driver.execute([q('select 1')]))).toBe('1');
  });

  test('lets who no longer wants to wait leave the queue', async () => {
    const { driver } = open(db().uri, { poolSize: 1 });
    const letGo = await occupy(driver);
    const controller = new AbortController();
    const leaving = driver.execute([q('select 1')], { signal: controller.signal });
    const staying = driver.execute([q('select 2')]);
    controller.abort();
    expect(await leaving).toEqual({ ok: false, error: { kind: 'cancelled' } });
    expect(driver.stats()).toMatchObject({ waiting: 1 });
    await letGo();
    expect(only(await staying)).toBe('2');
    expect(await driver.execute([q('select 1')], { signal: AbortSignal.abort() })).toEqual({
      ok: false,
      error: { kind: 'cancelled' },
    });
  });

  test('closes connections that nobody used for a while', async () => {
    const { driver, until } = open(db().uri, { poolSize: 2, idleMs: 30 });
    await driver.execute([q('select 1')]);
    await until((event) => event.kind === 'closed' && event.reason === 'idle');
    expect(driver.stats()).toMatchObject({ open: 0, idle: 0 });
    expect(only(await driver.execute([q('select 1')]))).toBe('1');
  });

  test('closes connections that have become old, idle or not', async () => {
    const { driver, until, events } = open(db().uri, { poolSize: 1, lifetimeMs: 40 });
    await driver.execute([q('select 1')]);
    await until((event) => event.kind === 'closed' && event.reason === 'lifetime');
    events.length = 0;
    const busy = driver.execute([q('select pg_sleep(0.1)')]);
    const next = driver.execute([q('select 1')]);
    await busy;
    await until((event) => event.kind === 'closed' && event.reason === 'lifetime');
    expect(only(await next)).toBe('1');
    expect(events.filter(({ kind }) => kind === 'connected').length).toBe(2);
  });

  test('flushes the idle ones and leaves the busy ones alone', async () => {
    const { driver, events } = open(db().uri, { poolSize: 3 });
    const [letGo, ...others] = [await occupy(driver), await occupy(driver), await occupy(driver)];
    for (const other of others) await other();
    driver.flushIdle();
    expect(driver.stats()).toMatchObject({ open: 1, idle: 0 });
    expect(events.filter((event) => event.kind === 'closed')).toMatchObject([
      { reason: 'flushed' },
      { reason: 'flushed' },
    ]);
    await letGo?.();
    expect(driver.stats()).toMatchObject({ open: 1, idle: 1 });
  });

  test('drops an idle connection that the server has ended', async () => {
    const { driver, until } = open(db().uri, { poolSize: 2 });
    const pid = only(await driver.execute([q('select pg_backend_pid()')]));
    const other = open(db().uri, { poolSize: 1 });
    await other.driver.execute([q('select pg_terminate_backend($1)', String(pid))]);
    await until((event) => event.kind === 'closed' && event.reason === 'lost');
    expect(driver.stats()).toMatchObject({ open: 0, idle: 0 });
    expect(only(await driver.execute([q('select 1')]))).toBe('1');
  });

  test('puts a new connection in the place of one lost under its batch, for those who wait', async () => {
    const { driver } = open(db().uri, { poolSize: 1 });
    const [killed, next] = await Promise.all([
      driver.execute([q('select pg_terminate_backend(pg_backend_pid())')]),
      driver.execute([q('select 1')]),
    ]);
    expect(killed).toMatchObject({ ok: false, error: { kind: 'sql', sqlstate: '57P01' } });
    expect(only(next)).toBe('1');
  });

  describe('when there is no server', () => {
    const nowhere = 'host=127.0.0.1 port=1 user=u';

    test('tells everybody who waits, and tries again for the next', async () => {
      const { driver, events } = open(nowhere, { poolSize: 2 });
      const results = await Promise.all(Array.from({ length: 10 }, () => driver.execute([q('select 1')])));
      for (const result of results)
        expect(result).toMatchObject({ ok: false, error: { kind: 'unreachable', fatal: false } });
      const tries = events.filter(({ kind }) => kind === 'connect-failed').length;
      expect(tries).toBeGreaterThan(0);
      await driver.execute([q('select 1')]);
      expect(events.filter(({ kind }) => kind === 'connect-failed').length).toBeGreaterThan(tries);
      expect(driver.stats()).toMatchObject({ open: 0, waiting: 0 });
    });
  });

  describe('closing', () => {
    test('waits for what runs and refuses what comes', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      await driver.execute([q('select 1')]);
      const running = driver.execute([q('select pg_sleep(0.1), 7')]);
      const waiting = driver.execute([q('select 1')]);
      const closing = driver.close();
      expect(await driver.execute([q('select 1')])).toEqual({ ok: false, error: { kind: 'closed' } });
      expect(await waiting).toEqual({ ok: false, error: { kind: 'closed' } });
      expect((await running).ok).toBe(true);
      await closing;
      expect(driver.stats()).toMatchObject({ open: 0, idle: 0, waiting: 0 });
    });

    test('cuts off what takes longer than it is given', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      await driver.execute([q('select 1')]);
      const running = driver.execute([q('select pg_sleep(60)')]);
      await driver.close(50);
      expect(await running).toEqual({ ok: false, error: { kind: 'closed' } });
    });

    test('is done as soon as a server that never greeted is gone', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const { driver } = open(`host=127.0.0.1 port=${port} user=u sslmode=disable`, { poolSize: 1 });
      const running = driver.execute([q('select 1')]);
      const [socket] = (await once(server, 'connection')) as [Socket];
      // Read, or its end is never seen.
      socket.resume();
      const closing = driver.close(3_600_000);
      expect(await running).toEqual({ ok: false, error: { kind: 'closed' } });
      socket.destroy();
      await closing;
      expect(driver.stats()).toMatchObject({ open: 0, waiting: 0 });
    });

    test('may be asked for twice', async () => {
      const { driver } = open(db().uri, { poolSize: 1 });
      await driver.execute([q('select 1')]);
      const running = driver.execute([q('select pg_sleep(0.1)')]);
      await Promise.all([driver.close(60_000), driver.close(60_000)]);
      expect((await running).ok).toBe(true);
    });
  });
});
