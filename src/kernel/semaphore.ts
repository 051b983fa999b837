// A weighted semaphore that is fair to callers: so much work at once, and of those who wait, the caller goes first who has had the least time
// (start-time fair queueing). Ten requests of one caller delay another's by one request, and one that takes a second is paid for by its own
// caller's next. A caller's own requests keep their order. What is heavier than the room has the room to itself; nobody overtakes the one whose
// turn it is, so heavy work is never starved by light work.

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
  /** Goes before all others, at nobody's expense: small work that many callers wait for. */
  readonly isUrgent?: boolean | undefined;
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
  /** The wait counts from when somebody was last admitted: a long queue is no fault, as long as it moves. */
  readonly waitsWhileMoving?: boolean;
  /** Whoever is at work for longer no longer counts: the others go on beside it. */
  readonly longestMs?: number;
  /** Milliseconds of any clock that does not go back. */
  readonly now?: () => number;
};

/** The caller whose time it is; undefined: it is urgent, and nobody's. */
type Payer = string | undefined;

type Waiting = { readonly weight: number; readonly go: () => void };

/** What one caller waits for, in the order it came. */
type Queue = {
  /** The virtual time at which the caller began to wait: who was away has saved nothing up. */
  readonly since: number;
  readonly entries: Set<Waiting>;
  /** Goes through `entries` once: to look for the first from the beginning each time would pass by all that have left. */
  readonly order: Iterator<Waiting>;
  first: Waiting | undefined;
};

/** What a turn costs at least, in milliseconds: turns are taken, too, where all of them are quick. */
const TURN_MS = 1;
/** So many callers are told apart while there is no pause; then all begin anew. */
const MAX_CALLERS = 10_000;

export function makeSemaphore({
  room,
  maxWaiting = Infinity,
  waitMs,
  waitsWhileMoving = false,
  longestMs,
  now = () => performance.now(),
}: SemaphoreOptions): Semaphore {
  const size = typeof room === 'number' ? () => room : room;
  const queues = new Map<Payer, Queue>();
  /** Virtual time: by caller, the sum of what its turns have cost; who comes anew begins at `clock`, where the last one admitted stood. */
  const spent = new Map<string, number>();
  let clock = 0;
  let used = 0;
  let waiting = 0;
  let lastAdmission = Number.NEGATIVE_INFINITY;

  const fits = (weight: number): boolean => used === 0 || used + weight <= size();

  const due = (payer: Payer, since: number): number =>
    payer === undefined ? Number.NEGATIVE_INFINITY : Math.max(since, spent.get(payer) ?? 0);

  const charge = (payer: Payer, cost: number): void => {
    if (payer === undefined) return;
    if (spent.size >= MAX_CALLERS && !spent.has(payer)) spent.clear();
    spent.set(payer, due(payer, clock) + cost);
  };

  const take = (payer: Payer, weight: number): (() => void) => {
    used += weight;
    lastAdmission = now();
    const begun = lastAdmission;
    charge(payer, TURN_MS * weight);
    let isOver = false;
    const release = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      used -= weight;
      charge(payer, (now() - begun) * weight);
      admit();
      if (used === 0) {
        spent.clear();
        clock = 0;
      }
    };
    const timer = longestMs === undefined ? undefined : setTimeout(release, longestMs).unref();
    return release;
  };

  function admit(): void {
    for (let next = mostDue(); next !== undefined; next = mostDue()) {
      const { payer, queue } = next;
      const first = firstOf(queue);
      if (first === undefined || !fits(first.weight)) return;
      clock = Math.max(clock, due(payer, queue.since));
      remove(payer, queue, first);
      first.go();
    }
  }

  function mostDue(): { readonly payer: Payer; readonly queue: Queue } | undefined {
    let chosen: { readonly payer: Payer; readonly queue: Queue } | undefined;
    let earliest = Infinity;
    for (const [payer, queue] of queues) {
      const at = due(payer, queue.since);
      if (at >= earliest) continue;
      earliest = at;
      chosen = { payer, queue };
    }
    return chosen;
  }

  function remove(payer: Payer, queue: Queue, one: Waiting): void {
    queue.entries.delete(one);
    if (queue.entries.size === 0) queues.delete(payer);
  }

  function wait(payer: Payer, weight: number, signal: WaitSignal | undefined): Promise<Result<() => void, Refusal>> {
    return new Promise((resolve) => {
      const queue = queues.get(payer) ?? makeQueue(clock);
      const end = (result: Result<() => void, Refusal>): void => {
        waiting -= 1;
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        resolve(result);
      };
      const leave = (why: Refusal): void => {
        end(err(why));
        remove(payer, queue, mine);
        // It may have been the one that everybody waited for.
        admit();
      };
      const onAbort = (): void => leave('cancelled');
      const onTimer = (): void => {
        const left = waitsWhileMoving ? lastAdmission + (waitMs ?? 0) - now() : 0;
        if (left > 0) timer = setTimeout(onTimer, Math.ceil(left));
        else leave('timeout');
      };
      const mine: Waiting = { weight, go: () => end(ok(take(payer, weight))) };
      let timer = waitMs === undefined ? undefined : setTimeout(onTimer, waitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting += 1;
      queue.entries.add(mine);
      queues.set(payer, queue);
    });
  }

  const enter: Semaphore['enter'] = async ({ caller = '', weight = 1, isUrgent = false, signal } = {}) => {
    if (signal?.aborted === true) return err('cancelled');
    const payer = isUrgent ? undefined : caller;
    if (waiting === 0 && fits(weight)) return ok(take(payer, weight));
    if (waiting >= maxWaiting) return err('full');
    return wait(payer, weight, signal);
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

function makeQueue(since: number): Queue {
  const entries = new Set<Waiting>();
  return { since, entries, order: entries.values(), first: undefined };
}

function firstOf(queue: Queue): Waiting | undefined {
  while (queue.first === undefined || !queue.entries.has(queue.first)) {
    const next = queue.order.next();
    if (next.done === true) return undefined;
    queue.first = next.value;
  }
  return queue.first;
}
