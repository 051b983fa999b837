// A value of the database that every copy of the program goes by: read at the start, every so often, and when somebody has changed it here. While it
// cannot be read, what was read last holds.

import type { Result } from './result.ts';

export type PolledCell<T> = {
  now(): T;
  /** Reads it at once. */
  refresh(): Promise<void>;
  close(): void;
};

export async function pollCell<T>(
  first: T,
  read: () => Promise<Result<T, unknown>>,
  everyMs: number,
): Promise<PolledCell<T>> {
  let value = first;
  let isAsking = false;
  const refresh = async (): Promise<void> => {
    const found = await read();
    if (found.ok) value = found.value;
  };
  const poll = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    await refresh().finally(() => {
      isAsking = false;
    });
  };
  await refresh();
  const timer = setInterval(() => void poll(), everyMs);
  timer.unref();
  return { now: () => value, refresh, close: () => clearInterval(timer) };
}
