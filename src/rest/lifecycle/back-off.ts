// 1, 2, 4 … 32 seconds between tries, from the start again after a success.

const FIRST_MS = 1000;
const LAST_MS = 32_000;

export type BackOff = { next(): number; reset(): void; current(): number };

export function makeBackOff(): BackOff {
  let delay = FIRST_MS;
  let current = 0;
  return {
    next() {
      current = delay;
      delay = Math.min(delay * 2, LAST_MS);
      return current;
    },
    reset() {
      delay = FIRST_MS;
      current = 0;
    },
    current: () => current,
  };
}
