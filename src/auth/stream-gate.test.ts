import { expect, test } from 'vitest';
import { ok } from '../kernel/result.ts';
import { makeStreamGate } from './stream-gate.ts';

const driver = (max: number) => ({
  stats: () => ({ max, open: 0, idle: 0, waiting: 0, waits: 0, waitedMs: 0 }),
});

/** Streams that run until they are told to end. */
function streams(max: number, waitMs?: number) {
  const gate = makeStreamGate(driver(max), waitMs);
  const running: (() => void)[] = [];
  const start = (signal?: AbortSignal) =>
    gate(async () => {
      await new Promise<void>((resolve) => running.push(resolve));
      return ok('done');
    }, signal);
  return { running, start, turn: () => new Promise(setImmediate) };
}

test.each([
  [16, 8],
  [3, 1],
  [1, 1],
])('of %i connections, %i at most are streamed on at once; the others follow in turn', async (max, most) => {
  const { running, start, turn } = streams(max);
  const all = Array.from({ length: 2 * most }, () => start());
  await turn();
  expect(running).toHaveLength(most);
  for (const end of running.splice(0)) end();
  await turn();
  expect(running).toHaveLength(most);
  for (const end of running.splice(0)) end();
  expect(await Promise.all(all)).toEqual(all.map(() => ok('done')));
});

test('who waits in vain is told, and who leaves the queue takes nobody’s turn', async () => {
  const { running, start, turn } = streams(2, 1);
  const first = start();
  expect(await start()).toEqual({ ok: false, error: { kind: 'pool-timeout', afterMs: 1 } });
  running[0]?.();
  await first;
  const patient = streams(2);
  const held = patient.start();
  const gone = new AbortController();
  const left = patient.start(gone.signal);
  const next = patient.start();
  gone.abort();
  expect(await left).toEqual({ ok: false, error: { kind: 'cancelled' } });
  patient.running.shift()?.();
  await held;
  await turn();
  patient.running.shift()?.();
  expect(await next).toEqual(ok('done'));
});

test('one that fails makes room for the next', async () => {
  const gate = makeStreamGate(driver(2));
  await expect(gate(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await gate(async () => ok(1))).toEqual(ok(1));
});
