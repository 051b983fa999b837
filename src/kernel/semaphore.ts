// A weighted semaphore that is fair to callers: so much work at once, and those who wait take turns by caller, so that ten requests of one
// caller delay another's by one request, not by ten. A caller's own requests keep their order. What is heavier than the room has the
// room to itself; nobody overtakes the one whose turn it is, so heavy work is never starved by light work.

import { err, ok, type Result } from './result.ts';

/** What a wait needs of an AbortSignal. */
type WaitSignal = {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
};

export type Entry = {
  /** Who waits: an account, or the address of a visitor. Without one, all are the same caller. */
  readonly caller?: string;
  /** Part of the room that is taken; 1 unless told otherwise. */
  readonly weight?: number;
  /** Fires when nobody needs the turn any more. */
  readonly signal?: WaitSignal | undefined;
};

type Refusal =
  /** As many wait as may wait. */
  'full' | 'timeout' | 'cancelled';

export type Semaphore = {
  /** Waits for a turn. The function that is returned gives it back; calling it again does nothing. */
  enter(entry?: Entry): Promise<Result<() => void, Refusal>>;
  /** Runs the work within a turn. */
  run<T>(entry: Entry, work: () => Promise<T>): Promise<Result<T, Refusal>>;
  readonly waiting: number;
};

export type SemaphoreOptions = {
  /** Asked each time: the room may follow the size of a pool. */
  readonly room: number | (() => number);
  readonly maxWaiting?: number;
  /** Longest that one waits. */
  readonly waitMs?: number;
  /** Whoever is at work for longer no longer counts: the others go on beside it. */
  readonly longestMs?: number;
};

type Waiting = { readonly weight: number; readonly go: () => void };

export function makeSemaphore({ room, maxWaiting = Infinity, waitMs, longestMs }: SemaphoreOptions): Semaphore {
  const size = typeof room === 'number' ? () => room : room;
  /** By caller. The order of the map is the order of turns: whoever had one goes to the end. */
  const queues = new Map<string, Set<Waiting>>();
  let used = 0;
  let waiting = 0;

  const fits = (weight: number): boolean => used === 0 || used + weight <= size();

  const take = (weight: number): (() => void) => {
    used += weight;
    let isOver = false;
    const release = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      used -= weight;
      admit();
    };
    const timer = longestMs === undefined ? undefined : setTimeout(release, longestMs).unref();
    return release;
  };

  function admit(): void {
    for (const [caller, queue] of queues) {
      const [first] = queue;
      if (first === undefined || !fits(first.weight)) return;
      queue.delete(first);
      queues.delete(caller);
      if (queue.size > 0) queues.set(caller, queue);
      first.go();
    }
  }

  function remove(caller: string, one: Waiting): void {
    const queue = queues.get(caller);
    queue?.delete(one);
    // A queue that is not empty keeps its place: those behind the one that leaves do not lose their turn.
    if (queue?.size === 0) queues.delete(caller);
    // It may have been the one that everybody waited for.
    admit();
  }

  function wait(caller: string, weight: number, signal: WaitSignal | undefined): Promise<Result<() => void, Refusal>> {
    return new Promise((resolve) => {
      const end = (result: Result<() => void, Refusal>): void => {
        waiting -= 1;
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        resolve(result);
      };
      const leave = (why: Refusal): void => {
        end(err(why));
        remove(caller, mine);
      };
      const onAbort = (): void => leave('cancelled');
      const mine: Waiting = { weight, go: () => end(ok(take(weight))) };
      const timer = waitMs === undefined ? undefined : setTimeout(() => leave('timeout'), waitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting += 1;
      const queue = queues.get(caller);
      if (queue === undefined) queues.set(caller, new Set([mine]));
      else queue.add(mine);
    });
  }

  const enter: Semaphore['enter'] = async ({ caller = '', weight = 1, signal } = {}) => {
    if (signal?.aborted === true) return err('cancelled');
    if (queues.size === 0 && fits(weight)) return ok(take(weight));
    if (waiting >= maxWaiting) return err('full');
    return wait(caller, weight, signal);
  };

  return {
    enter,
    async run(entry, work) {
      const entered = await enter(entry);
      if (!entered.ok) return entered;
      try {
        return ok(await work());
      } finally {
        entered.value();
      }
    },
    get waiting() {
      return waiting;
    },
  };
}
