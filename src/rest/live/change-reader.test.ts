// The reader over a database of its own: when it reads, and what it tells of what it could not read.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { err, ok } from '../../kernel/result.ts';
import type { Driver, ListenEvent } from '../../pg/driver.ts';
import { KEPT_MS } from './change-pruner.ts';
import { ChangeReader } from './change-reader.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const PACE = { debounceMs: 20, pollMs: 2000 };

function open() {
  const state = {
    told: [] as unknown[],
    reads: [] as number[],
    position: '10:10:',
    rows: [] as string[],
    lost: false,
    during: undefined as (() => void) | undefined,
  };
  let onEvent: (event: ListenEvent) => void = () => {};
  const execute = async ([statement]: readonly { text: string; name?: string }[]) => {
    if (state.lost) return err({ kind: 'lost', message: 'away' });
    if (statement?.text.includes('pg_current_xact_id')) return ok([{ rows: [[Buffer.from('20')]] }]);
    if (statement?.name === undefined) return ok([{ rows: [[Buffer.from(state.position)]] }]);
    state.reads.push(Date.now() - 1_000_000);
    state.during?.();
    const cells = state.rows.splice(0).map((relation) => [state.position, relation, '[[1]]', '5']);
    const rows = cells.length === 0 ? [[state.position, null, null, null]] : cells;
    return ok([{ rows: rows.map((row) => row.map((cell) => (cell === null ? null : Buffer.from(cell)))) }]);
  };
  const reader = new ChangeReader({
    driver: {
      execute,
      listen(_channel: string, on: (event: ListenEvent) => void) {
        onEvent = on;
        return { close: async () => void state.told.push('closed') };
      },
    } as unknown as Driver,
    pace: PACE,
    now: () => Date.now(),
    onChanges: ({ changes, ageMs }) => state.told.push([changes.map(({ relation }) => relation).join(), ageMs]),
    onGap: () => state.told.push('gap'),
    onDecodedGap: () => state.told.push('decoded gap'),
    onTrouble: (message) => state.told.push({ trouble: message }),
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { reader, state, pass, event: (event: ListenEvent) => onEvent(event) };
}
const NOTIFIED = { kind: 'notification', notification: { channel: 'x', payload: '' } } as unknown as ListenEvent;

test('reads at once when it is notified, no more often than its pace, and every two seconds by itself', async () => {
  const { reader, state, pass, event } = open();
  expect(await reader.start()).toEqual(ok(undefined));
  expect([reader.position, reader.isHeard]).toEqual(['10:10:', true]);
  state.reads = [];
  await pass(100);
  state.rows = ['1', '2'];
  event(NOTIFIED);
  await pass(0);
  expect([state.reads, state.told]).toEqual([[100], [['1,2', 5]]]);
  // In the middle of a burst.
  event(NOTIFIED);
  event(NOTIFIED);
  await pass(19);
  expect(state.reads).toEqual([100]);
  await pass(1);
  expect(state.reads).toEqual([100, 120]);
  await pass(1999);
  expect(state.reads).toEqual([100, 120]);
  await pass(1);
  expect(state.reads).toEqual([100, 120, 2120]);
  expect(state.told).toHaveLength(1);
});

test('does not wait its time with what it is notified of while it reads', async () => {
  const { reader, state, pass, event } = open();
  await reader.start();
  state.reads = [];
  state.during = () => {
    state.during = undefined;
    event(NOTIFIED);
  };
  await pass(2000);
  await pass(20);
  expect(state.reads).toEqual([2000, 2020]);
});

test('begins once, however many ask, and again where the database was away', async () => {
  const { reader, state } = open();
  state.lost = true;
  expect(await reader.start()).toMatchObject({ ok: false });
  state.lost = false;
  expect(await Promise.all([reader.start(), reader.start()])).toEqual([ok(undefined), ok(undefined)]);
  await reader.start();
  expect(state.reads).toHaveLength(1);
});

test('that cannot read says so once, is not heard, and tells a gap when it can', async () => {
  const { reader, state, pass } = open();
  await reader.start();
  state.lost = true;
  await pass(6000);
  expect([reader.isHeard, state.told]).toEqual([false, [{ trouble: 'away' }]]);
  state.lost = false;
  await pass(2000);
  expect([reader.isHeard, state.told.slice(1)]).toEqual([true, [{ trouble: undefined }, 'gap']]);
  await pass(4000);
  expect(state.told).toHaveLength(3);
});

test('whose connection was lost tells a gap when it listens again, and none when it listens for the first time', async () => {
  const { reader, state, event } = open();
  await reader.start();
  event({ kind: 'listening' });
  expect(state.told).toEqual([]);
  event({ kind: 'lost', message: 'x', retryInMs: 1 });
  event({ kind: 'listening' });
  event({ kind: 'listening' });
  expect(state.told).toEqual(['gap']);
});

test('that has not read for half of what is kept tells a gap', async () => {
  const { reader, state, pass, event } = open();
  await reader.start();
  vi.setSystemTime(1_000_000 + KEPT_MS / 2);
  event(NOTIFIED);
  await pass(0);
  expect(state.told).toEqual([]);
  vi.setSystemTime(1_000_000 + KEPT_MS + 1);
  event(NOTIFIED);
  await pass(0);
  expect(state.told).toEqual(['gap']);
});

test('tells decoded transactions with the first snapshot that sees them, which it looks for ever less often', async () => {
  const { reader, state, pass } = open();
  await reader.start();
  await pass(1000);
  state.reads = [];
  reader.decoded({ xid: 12, changes: [{ relation: '9', columns: ['id'], keys: ['["1"]'] }] });
  await pass(1000);
  const [first = 0, ...later] = state.reads;
  expect(later.map((at, n) => at - (state.reads[n] ?? 0))).toEqual([40, 80, 160, 320]);
  expect([first, state.told]).toEqual([1000, []]);
  state.position = '13:13:';
  await pass(2000);
  expect(state.told).toEqual([['9', 0]]);
  state.reads = [];
  await pass(4000);
  expect(state.reads).toHaveLength(2);
});

test('of decoding that began anew tells a gap at once, and another when what was under way has ended', async () => {
  const { reader, state, pass } = open();
  await reader.start();
  reader.decodedGap();
  await pass(100);
  expect(state.told).toEqual(['decoded gap']);
  state.position = '20:21:20';
  await pass(2000);
  expect(state.told).toEqual(['decoded gap']);
  state.position = '21:21:';
  await pass(4000);
  expect(state.told).toEqual(['decoded gap', 'decoded gap']);
});

test('keeps the gap in mind where the log cannot be read, and where too many transactions wait', async () => {
  const { reader, state, pass } = open();
  await reader.start();
  state.lost = true;
  reader.decodedGap();
  await pass(100);
  expect(state.told).toEqual([{ trouble: 'away' }]);
  state.lost = false;
  await pass(2000);
  expect(state.told.slice(1)).toEqual([{ trouble: undefined }, 'decoded gap', 'gap']);
  state.told = [];
  for (let n = 0; n <= 5000; n += 1) reader.decoded({ xid: 30, changes: [] });
  await pass(100);
  expect(state.told).toContain('decoded gap');
});

test('is closed, and reads no more', async () => {
  const { reader, state, pass } = open();
  await reader.start();
  state.reads = [];
  await reader.close();
  reader.wake();
  await pass(10_000);
  expect([state.reads, state.told]).toEqual([[], ['closed']]);
});
