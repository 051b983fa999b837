import { expect, test } from 'vitest';
import { makeReloader } from './reloader.ts';

/** A load whose every run is ended by hand. */
function controlled(): {
  readonly load: (orders: readonly number[]) => Promise<void>;
  readonly ends: (() => void)[];
  readonly asked: (readonly number[])[];
  fail: boolean;
} {
  const ends: (() => void)[] = [];
  const asked: (readonly number[])[] = [];
  const made = {
    ends,
    asked,
    fail: false,
    load: (orders: readonly number[]) =>
      new Promise<void>((resolve, reject) => {
        asked.push(orders);
        ends.push(() => (made.fail ? reject(new Error('failed')) : resolve()));
      }),
  };
  return made;
}

test('what is asked for while a load runs is one load after it', async () => {
  const { load, ends, asked: orders } = controlled();
  const reloader = makeReloader(load, 0);
  const first = reloader.request(-1);
  const asked = Array.from({ length: 100 }, (_, i) => reloader.request(i));
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await first;
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  await Promise.all(asked);
  expect(ends).toHaveLength(2);
  expect(orders).toEqual([[-1], Array.from({ length: 100 }, (_, i) => i)]);
});

test('a load that fails is not the last', async () => {
  const made = controlled();
  const reloader = makeReloader(made.load, 0);
  made.fail = true;
  const first = reloader.request(1);
  const second = reloader.request(2);
  made.ends[0]?.();
  await expect(first).rejects.toThrow('failed');
  made.fail = false;
  await expect.poll(() => made.ends.length).toBe(2);
  made.ends[1]?.();
  await second;
});
