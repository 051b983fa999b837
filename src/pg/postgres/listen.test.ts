import { expect, onTestFinished, test } from 'vitest';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { Driver, ListenEvent } from '../driver.ts';
import { LISTEN_PACE, type ListenPace } from './listen.ts';
import { makePostgresDriver } from './postgres-driver.ts';

const CHANNEL = 'odd "channel" ü';
/** It asks often, and a server that is slow to answer is not lost. */
const QUICK: ListenPace = { retryMs: [1, 2, 4], checkMs: 20, answerMs: 30_000 };

function watch(driver: Driver, channel: string) {
  const events: ListenEvent[] = [];
  let wake: () => void = () => {};
  const listener = driver.listen(channel, (event) => {
    events.push(event);
    wake();
  });
  onTestFinished(() => listener.close());
  /** The next event of this kind, those before it being thrown away. */
  const next = async <K extends ListenEvent['kind']>(kind: K): Promise<Extract<ListenEvent, { kind: K }>> => {
    for (;;) {
      const event = events.shift();
      if (event?.kind === kind) return event as Extract<ListenEvent, { kind: K }>;
      if (event === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  };
  return { events, next, listener };
}

onEachEngine('listening', { engines: ['postgres'] }, (db) => {
  function open(uri = db().uri, listenPace = QUICK): Driver {
    const driver = makePostgresDriver({ uri: uri ?? '', poolSize: 1, listenPace, applicationName: 'listening' });
    onTestFinished(() => driver.close());
    return driver;
  }
  const notify = (payload: string): Promise<unknown> => db().query('select pg_notify($1, $2)', [CHANNEL, payload]);
  const kill = (): Promise<unknown> =>
    db().query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'listening'`);

  test('hears what is sent to its channel and nothing else', async () => {
    const { next } = watch(open(), CHANNEL);
    await next('listening');
    await db().query(`select pg_notify('another', 'no')`);
    await notify('réload schema');
    expect(await next('notification')).toEqual({
      kind: 'notification',
      notification: { channel: CHANNEL, payload: 'réload schema' },
    });
    await notify('');
    expect((await next('notification')).notification.payload).toBe('');
  });

  test('listens again when its backend was killed, as often as it takes', async () => {
    const { next } = watch(open(), CHANNEL);
    for (let i = 0; i < 3; i++) {
      await next('listening');
      await kill();
      expect(await next('lost')).toMatchObject({ retryInMs: 1 });
    }
    await next('listening');
    await notify('still here');
    expect((await next('notification')).notification.payload).toBe('still here');
  });

  test('tries again ever more slowly while there is no server, up to a limit', async () => {
    const { next } = watch(open('host=127.0.0.1 port=1 user=u'), CHANNEL);
    const waits: number[] = [];
    while (waits.length < 5) waits.push((await next('lost')).retryInMs);
    expect(waits).toEqual([1, 2, 4, 4, 4]);
  });

  test('by default first tries again quickly and then waits twice as long each time, up to 32 s', () => {
    expect(LISTEN_PACE.retryMs).toEqual([100, 1000, 2000, 4000, 8000, 16_000, 32_000]);
  });

  test('asks now and then whether the server is still there', async () => {
    const { next, events } = watch(open(), CHANNEL);
    await next('listening');
    const asked = `select 1 from pg_stat_activity where application_name = 'listening' and query = 'select 1'`;
    while ((await db().query(asked)).length === 0);
    expect(events).toEqual([]);
  });

  test('ends when it is closed, and when the driver is', async () => {
    const driver = open();
    const one = watch(driver, CHANNEL);
    const two = watch(driver, CHANNEL);
    await Promise.all([one.next('listening'), two.next('listening')]);
    await one.listener.close();
    await driver.close();
    const left = `select 1 from pg_stat_activity where application_name = 'listening'`;
    while ((await db().query(left)).length > 0);
    expect([...one.events, ...two.events]).toEqual([]);
  });

  test('can be closed while it connects', async () => {
    const driver = open();
    const { listener, events } = watch(driver, CHANNEL);
    await listener.close();
    await driver.close();
    expect(events).toEqual([]);
  });

  test('can be closed while it waits to try again', async () => {
    const { next, listener } = watch(open('host=127.0.0.1 port=1 user=u', { ...QUICK, retryMs: [3_600_000] }), CHANNEL);
    await next('lost');
    await listener.close();
  });
});
