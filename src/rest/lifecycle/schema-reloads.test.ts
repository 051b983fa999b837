import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { err, ok } from '../../kernel/result.ts';
import type { LoadError } from './load-error.ts';
import { makeSchemaReloads } from './schema-reloads.ts';
import type { StateCell } from './state-cell.ts';

const DOWN: LoadError = { kind: 'failed', message: 'nobody answers' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('clients that ask during an outage neither put the next attempt off nor make the waits longer', async () => {
  let isUp = false;
  let loads = 0;
  const waits: (number | undefined)[] = [];
  const reloads = makeSchemaReloads({
    load: async () => {
      loads += 1;
      return isUp ? ok(undefined) : err(DOWN);
    },
    observe: (seen) => void (seen.kind === 'schema-load-failed' && waits.push(seen.retryInMs)),
    cell: { current: { cache: undefined, config: { dbPoolAutomaticRecovery: true } } } as unknown as StateCell,
    onLoaded: () => {},
    onFailed: () => {},
    onFatal: expect.unreachable,
    now: () => Date.now(),
  });
  await reloads.request(undefined);
  for (let second = 0; second < 14; second += 1) {
    await vi.advanceTimersByTimeAsync(700);
    reloads.poke();
    await vi.advanceTimersByTimeAsync(300);
  }
  // 0, 1, 3 and 7 seconds after the first failure; the next would be at 15.
  expect(new Set(waits)).toEqual(new Set([1000, 2000, 4000, 8000]));
  expect(reloads.retryAfterSeconds()).toBe(8);
  isUp = true;
  const before = loads;
  await vi.advanceTimersByTimeAsync(1000);
  expect(loads).toBe(before + 1);
  expect(reloads.retryAfterSeconds()).toBe(0);
  reloads.close();
});
