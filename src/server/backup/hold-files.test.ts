import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { err, ok } from '../../kernel/result.ts';
import type { Driver, Statement } from '../../pg/driver.ts';
import { holdingFiles } from './hold-files.ts';
import { HOLD_FILES, RELEASE_FILES } from './sql/snapshot.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(fails = false) {
  const asked: string[] = [];
  const execute = async ([statement]: readonly Statement[]) => {
    asked.push(
      statement?.text === HOLD_FILES
        ? `hold ${String(statement.params[1])}`
        : statement?.text === RELEASE_FILES
          ? 'release'
          : '?',
    );
    return fails ? err({ kind: 'lost', message: 'away' }) : ok([]);
  };
  return { driver: { execute } as unknown as Driver, asked };
}

test('files are held for as long as the work takes, said again every minute, and released whatever became of it', async () => {
  const { driver, asked } = open();
  const held = holdingFiles(driver, async () => {
    await vi.advanceTimersByTimeAsync(150_000);
    return err({ message: 'stopped' });
  });
  expect(await held).toEqual(err({ message: 'stopped' }));
  expect(asked).toEqual(['hold 180', 'hold 180', 'hold 180', 'release']);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(asked).toHaveLength(4);
  const thrown = open();
  await expect(holdingFiles(thrown.driver, () => Promise.reject(new Error('bug')))).rejects.toThrow('bug');
  expect(thrown.asked).toEqual(['hold 180', 'release']);
});

test('nothing begins where they cannot be held', async () => {
  const { driver } = open(true);
  const work = vi.fn();
  expect(await holdingFiles(driver, work)).toEqual(err({ message: 'the database cannot be used: away' }));
  expect(work).not.toHaveBeenCalled();
});
