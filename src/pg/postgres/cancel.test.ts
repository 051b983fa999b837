import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Driver, Statement } from '../driver.ts';
import { textRows } from '../rows.ts';
import { cancelBackend } from './cancel.ts';
import type { Endpoint } from './endpoint.ts';
import type { PostgresEvent } from './events.ts';
import { makePostgresDriver } from './postgres-driver.ts';

function q(text: string, ...params: string[]): Statement {
  return { text, params };
}

const CANCELLED = { ok: false, error: { kind: 'cancelled' } };

onEachEngine('a cancelled batch', { engines: ['postgres'] }, (db) => {
  function open(poolSize: number): { readonly driver: Driver; readonly events: PostgresEvent[] } {
    const events: PostgresEvent[] = [];
    const driver = makePostgresDriver({ uri: db().uri ?? '', poolSize, onEvent: (event) => events.push(event) });
    onTestFinished(() => driver.close());
    return { driver, events };
  }

  /** Resolves when a backend is in the statement with this mark. */
  async function isRunning(mark: string): Promise<void> {
    const look = `select 1 from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()`;
    while ((await db().query(look, [`%${mark}%`])).length === 0);
  }

  test('stops on the server, and its connection is used again', async () => {
    const { driver } = open(1);
    await driver.script('create table if not exists kept (id int)');
    const controller = new AbortController();
    const running = driver.execute([q('insert into kept values (1)'), q('select pg_sleep(60) /* stops */')], {
      signal: controller.signal,
    });
    await isRunning('/* stops */');
    controller.abort();
    expect(await running).toEqual(CANCELLED);
    const after = await driver.execute([q('select count(*) from kept')]);
    expect(after.ok && after.value.map(textRows)).toEqual([[['0']]]);
    expect(driver.stats()).toMatchObject({ open: 1, idle: 1 });
    const active = await db().query(
      `select 1 from pg_stat_activity where query like '%/* stops */%' and state = 'active' and pid <> pg_backend_pid()`,
    );
    expect(active).toEqual([]);
  });

  test('inside hold stops, and so does every batch after it', async () => {
    const { driver } = open(1);
    const controller = new AbortController();
    const holding = driver.hold(
      async (session) => {
        const first = await session.execute([q('begin'), q('select pg_sleep(60) /* held */')]);
        return [first, await session.execute([q('select 1')])];
      },
      { signal: controller.signal },
    );
    await isRunning('/* held */');
    controller.abort();
    expect(await holding).toEqual({ ok: true, value: [CANCELLED, CANCELLED] });
    expect((await driver.execute([q('select 1')])).ok).toBe(true);
  });

  test('that was done before the cancel came has its results', async () => {
    const { driver } = open(1);
    const controller = new AbortController();
    const done = await driver.execute([q('select 1')], { signal: controller.signal });
    controller.abort();
    expect(done.ok).toBe(true);
  });

  test('a statement timeout is an error of its own and not a cancel', async () => {
    const { driver } = open(1);
    const result = await driver.execute(
      [q(`select set_config('statement_timeout', '20ms', true)`), q('select pg_sleep(60)')],
      { signal: new AbortController().signal },
    );
    expect(result).toMatchObject({ ok: false, error: { kind: 'sql', sqlstate: '57014' } });
  });

  test('never hits the batch of somebody else', async () => {
    const { driver, events } = open(4);
    let innocent = 0;
    let cancelled = 0;
    const strays: unknown[] = [];
    // Batches about as long as a cancel takes to arrive, so that many arrive too late.
    const cancelling = async (ms: number): Promise<void> => {
      const controller = new AbortController();
      const running = driver.execute([q('select pg_sleep($1::float8 / 1000)', String(ms))], {
        signal: controller.signal,
      });
      setImmediate(() => setImmediate(() => controller.abort()));
      const result = await running;
      if (!result.ok && result.error.kind === 'cancelled') cancelled++;
      else if (!result.ok) strays.push(result);
    };
    const other = async (): Promise<void> => {
      const result = await driver.execute([q('select pg_sleep(0.001)'), q('select 1')]);
      if (result.ok) innocent++;
      else strays.push(result);
    };
    const worker = async (): Promise<void> => {
      for (let i = 0; i < 60; i++) {
        await cancelling(i % 8);
        await other();
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    expect(strays).toEqual([]);
    expect(innocent).toBe(480);
    expect(cancelled).toBeGreaterThan(0);
    expect(events.filter(({ kind }) => kind === 'cancel-failed')).toEqual([]);
    expect(driver.stats()).toMatchObject({ open: 4, idle: 4 });
  });
});

describe('a cancel request', () => {
  const REQUEST = Buffer.from([0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e, 0, 0, 0, 7, 0, 0, 0, 9]);
  const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

  /** A server that does this with a connection once it has spoken. */
  async function listening(take: (socket: Socket, said: Buffer) => void): Promise<Endpoint> {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket);
      socket.on('error', () => {}).once('data', (said) => take(socket, said));
    });
    onTestFinished(() => {
      server.close();
      for (const socket of open) socket.destroy();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const target = { host: '127.0.0.1', address: '127.0.0.1', port };
    return { key: { processId: 7, secret: 9 }, target, address: target.address, tls: false, directTls: false };
  }

  test('is delivered once the server hangs up', async () => {
    const heard: Buffer[] = [];
    const endpoint = await listening((socket, said) => {
      heard.push(said);
      socket.end();
    });
    expect(await cancelBackend(endpoint, 10_000)).toEqual({ kind: 'delivered' });
    expect(heard).toEqual([REQUEST]);
  });

  test('that the server does not acknowledge may still arrive', async () => {
    const endpoint = await listening(() => {});
    expect(await cancelBackend(endpoint, 50)).toMatchObject({ kind: 'unsure' });
  });

  test('is not sent where nobody listens', async () => {
    const endpoint = await listening(() => {});
    const gone = { ...endpoint, target: { ...endpoint.target, port: 1 } };
    expect(await cancelBackend(gone, 10_000)).toMatchObject({
      kind: 'not-sent',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('is not sent in the clear to a server without TLS', async () => {
    const heard: Buffer[] = [];
    const endpoint = await listening((socket, said) => {
      heard.push(said);
      socket.on('data', (more) => heard.push(more)).write('N');
    });
    const secured = { ...endpoint, tls: { rejectUnauthorized: false } };
    expect(await cancelBackend(secured, 10_000)).toEqual({ kind: 'not-sent', message: 'the server has no TLS' });
    expect(heard).toEqual([SSL_REQUEST]);
  });

  test.each([
    ['says nothing', () => {}, 'the server did not take the cancel request in time'],
    ['hangs up', (socket: Socket) => socket.end(), 'the server hung up'],
  ])('is not sent to a server that %s when asked for TLS', async (_name, take, message) => {
    const endpoint = await listening(take);
    const secured = { ...endpoint, tls: { rejectUnauthorized: false } };
    expect(await cancelBackend(secured, 50)).toEqual({ kind: 'not-sent', message });
  });
});
