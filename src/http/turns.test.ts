import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeTurns, type Turns } from './turns.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const settled = (): Promise<void> => Promise.resolve();

function takeAll(turns: Turns, names: string): { readonly begun: string[]; readonly ends: Record<string, () => void> } {
  const begun: string[] = [];
  const ends = Object.fromEntries([...names].map((name) => [name, turns.take(() => begun.push(name))]));
  return { begun, ends };
}

test('so many begin at once, and the others in the order they came', async () => {
  const { begun, ends } = takeAll(makeTurns({ atOnce: 2, longestMs: 1000 }), 'abcd');
  expect(begun).toEqual([]);
  await settled();
  expect(begun).toEqual(['a', 'b']);
  ends['b']?.();
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  ends['a']?.();
  await settled();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('a turn that ends twice makes room once', async () => {
  const { begun, ends } = takeAll(makeTurns({ atOnce: 1, longestMs: 1000 }), 'abc');
  ends['a']?.();
  ends['a']?.();
  await settled();
  expect(begun).toEqual(['a', 'b']);
});

test('whoever leaves while it waits does not begin, and takes nobody’s place', async () => {
  const { begun, ends } = takeAll(makeTurns({ atOnce: 1, longestMs: 1000 }), 'abcd');
  ends['b']?.();
  ends['a']?.();
  await settled();
  expect(begun).toEqual(['a', 'c']);
  ends['c']?.();
  await settled();
  expect(begun).toEqual(['a', 'c', 'd']);
});

test('whoever is under way for long does not count any more', async () => {
  const { begun, ends } = takeAll(makeTurns({ atOnce: 1, longestMs: 1000 }), 'abc');
  vi.advanceTimersByTime(999);
  await settled();
  expect(begun).toEqual(['a']);
  vi.advanceTimersByTime(1);
  await settled();
  expect(begun).toEqual(['a', 'b']);
  ends['a']?.();
  await settled();
  expect(begun).toEqual(['a', 'b']);
});

test('there is room again when nobody waits', async () => {
  const turns = makeTurns({ atOnce: 1, longestMs: 1000 });
  takeAll(turns, 'a').ends['a']?.();
  const { begun } = takeAll(turns, 'bc');
  await settled();
  expect(begun).toEqual(['b']);
});

test('thousands that end as soon as they begin do not end within each other', async () => {
  vi.useRealTimers();
  const turns = makeTurns({ atOnce: 1, longestMs: 1000 });
  let begun = 0;
  for (let n = 0; n < 50_000; n++) {
    const end = turns.take(() => {
      begun += 1;
      end();
    });
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toBe(50_000);
});
