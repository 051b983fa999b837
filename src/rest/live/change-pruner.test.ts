// The pruner over a database of its own: positions by the clock, and what it is asked to remove.

import { expect, test } from 'vitest';
import { err, ok } from '../../kernel/result.ts';
import type { Driver } from '../../pg/driver.ts';
import { ChangePruner, KEPT_MS } from './change-pruner.ts';

function open() {
  const state = { now: 0, removed: [] as string[], told: [] as string[], hasLog: true, fails: false };
  const execute = async ([statement]: readonly { text: string; params: readonly unknown[] }[]) => {
    if (statement?.text.startsWith('select'))
      return ok([{ rows: [[state.hasLog ? Buffer.from(`at ${state.now}`) : null]] }]);
    if (state.fails) return err({ kind: 'sql', message: 'no right to it' });
    state.removed.push(String(statement?.params[0]));
    return ok([{ rows: [], tag: 'DELETE 3' }]);
  };
  const pruner = new ChangePruner(
    { execute } as unknown as Pick<Driver, 'execute'>,
    () => state.now,
    (message) => state.told.push(message),
  );
  return { state, prune: () => pruner.prune() };
}

test('removes what was there long enough ago, up to the latest position that is old enough, and nothing before', async () => {
  const { state, prune } = open();
  const at = (ms: number) => {
    state.now = ms;
    return prune();
  };
  expect(await at(0)).toEqual(ok(0));
  expect(await at(1000)).toEqual(ok(0));
  expect(await at(KEPT_MS - 1)).toEqual(ok(0));
  expect(state.removed).toEqual([]);
  expect(await at(KEPT_MS)).toEqual(ok(3));
  expect(await at(KEPT_MS + 5000)).toEqual(ok(3));
  expect(await at(KEPT_MS + 6000)).toEqual(ok(3));
  expect(state.removed).toEqual(['at 0', 'at 1000', 'at 1000']);
});

test('asks for nothing where there is no log', async () => {
  const { state, prune } = open();
  state.hasLog = false;
  await prune();
  state.now = 2 * KEPT_MS;
  expect([await prune(), state.removed]).toEqual([ok(0), []]);
});

test('tells of a failure once, until it has worked again', async () => {
  const { state, prune } = open();
  await prune();
  state.now = KEPT_MS;
  state.fails = true;
  for (let n = 0; n < 3; n += 1) expect((await prune()).ok).toBe(false);
  expect(state.told).toEqual(['no right to it']);
  state.fails = false;
  await prune();
  state.fails = true;
  await prune();
  expect(state.told).toHaveLength(2);
});
