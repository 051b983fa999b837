import { expect, test } from 'vitest';
import { makeReloader } from './reloader.ts';

/** A load whose every run is ended by hand. */
function controlled(): { readonly load: () => Promise<void>; readonly ends: (() => void)[]; fail: boolean } {
  const ends: (() => void)[] = [];
  const made = {
    ends,
    fail: false,
    load: () =>
      new Promise<void>((resolve, reject) => {
        ends.push(() => (made.fail ? reject(new Error('failed')) : resolve()));
      }),
  };
  return made;
}

test('what is asked for while a load runs is one load after it', async () => {
  const { load, ends } = controlled();
  const reloader = makeReloader(load, 0);
  const first = reloader.request();
  const asked = Array.from({ length: 100 }, () => reloader.request());
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await first;
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  await Promise.all(asked);
  expect(ends).toHaveLength(2);
});

test('a load that fails is not the last', async () => {
  const made = controlled();
  const reloader = makeReloader(made.load, 0);
  made.fail = true;
  const first = reloader.request();
  const second = reloader.request();
  made.ends[0]?.();
  await expect(first).rejects.toThrow('failed');
  made.fail = false;
  await expect.poll(() => made.ends.length).toBe(2);
  made.ends[1]?.();
  await second;
});
