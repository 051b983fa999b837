import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type Entry, makeSemaphore, type Semaphore } from './semaphore.ts';

/** Enters one after the other; what is admitted is noted by name, and left by `leave(name)`. */
function makeLog(semaphore: Semaphore): {
  readonly admitted: string[];
  readonly refused: string[];
  ask(name: string, entry?: Entry): Promise<void>;
  leave(name: string): Promise<void>;
} {
  const admitted: string[] = [];
  const refused: string[] = [];
  const leaves = new Map<string, () => void>();
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    admitted,
    refused,
    async ask(name, entry = {}) {
      void semaphore.enter(entry).then((entered) => {
        if (!entered.ok) return void refused.push(`${name}: ${entered.error}`);
        admitted.push(name);
        leaves.set(name, entered.value);
      });
      await settle();
    },
    async leave(name) {
      leaves.get(name)?.();
      await settle();
    },
  };
}

test('as many are admitted as there is room for, the others in the order they came', async () => {
  const log = makeLog(makeSemaphore({ room: 2 }));
  for (const name of ['a', 'b', 'c', 'd']) await log.ask(name);
  expect(log.admitted).toEqual(['a', 'b']);
  await log.leave('b');
  expect(log.admitted).toEqual(['a', 'b', 'c']);
  await log.leave('a');
  expect(log.admitted).toEqual(['a', 'b', 'c', 'd']);
});

describe('callers take turns', () => {
  /** A clock that stands still unless it is told how long the turn of somebody took. */
  function makeTimed(): ReturnType<typeof makeLog> & { spend(name: string, ms: number): Promise<void> } {
    let now = 0;
    const log = makeLog(makeSemaphore({ room: 1, now: () => now }));
    return {
      ...log,
      spend: (name, ms) => {
        now += ms;
        return log.leave(name);
      },
    };
  }

  test('many requests of one delay another by one of them', async () => {
    const log = makeTimed();
    for (const name of ['a1', 'a2', 'a3', 'a4']) await log.ask(name, { caller: 'a' });
    await log.ask('b1', { caller: 'b' });
    await log.ask('b2', { caller: 'b' });
    for (let i = 0; i < 6; i++) await log.leave(log.admitted.at(-1) ?? '');
    expect(log.admitted).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
  });

  test('whoever took a second waits while others take as much in small turns', async () => {
    const log = makeTimed();
    for (const name of ['slow1', 'slow2']) await log.ask(name, { caller: 'slow' });
    for (let i = 1; i <= 12; i++) await log.ask(`quick${i}`, { caller: 'quick' });
    await log.spend('slow1', 1000);
    for (let i = 1; i <= 10; i++) await log.spend(`quick${i}`, 100);
    expect(log.admitted.slice(1, 12)).toEqual([...Array.from({ length: 10 }, (_, i) => `quick${i + 1}`), 'slow2']);
  });

  test('who was away has saved nothing up', async () => {
    const log = makeTimed();
    await log.ask('a1', { caller: 'a' });
    await log.ask('a2', { caller: 'a' });
    await log.ask('c1', { caller: 'c' });
    await log.spend('a1', 1000);
    await log.spend('c1', 2000);
    expect(log.admitted).toEqual(['a1', 'c1', 'a2']);
    for (const name of ['b1', 'b2', 'b3']) await log.ask(name, { caller: 'b' });
    await log.ask('a3', { caller: 'a' });
    await log.spend('a2', 10);
    await log.spend('b1', 500);
    expect(log.admitted.slice(3)).toEqual(['b1', 'a3']);
  });

  test('what is urgent goes before all others, and nobody pays for it', async () => {
    const log = makeTimed();
    for (const name of ['a1', 'a2']) await log.ask(name, { caller: 'a' });
    await log.ask('b1', { caller: 'b' });
    await log.ask('urgent', { caller: 'b', isUrgent: true });
    await log.spend('a1', 1);
    await log.spend('urgent', 1000);
    expect(log.admitted).toEqual(['a1', 'urgent', 'b1']);
  });
});

test('a turn that is given back twice is given back once', async () => {
  const log = makeLog(makeSemaphore({ room: 1 }));
  for (const name of ['a', 'b', 'c']) await log.ask(name);
  await log.leave('a');
  await log.leave('a');
  expect(log.admitted).toEqual(['a', 'b']);
});

describe('weights', () => {
  test('light work does not overtake the heavy one whose turn it is', async () => {
    const log = makeLog(makeSemaphore({ room: 10 }));
    await log.ask('first', { weight: 6 });
    await log.ask('heavy', { weight: 8, caller: 'h' });
    await log.ask('light', { weight: 1, caller: 'l' });
    expect(log.admitted).toEqual(['first']);
    await log.leave('first');
    expect(log.admitted).toEqual(['first', 'heavy', 'light']);
  });

  test('what is heavier than the room has it to itself', async () => {
    const log = makeLog(makeSemaphore({ room: 10 }));
    await log.ask('huge', { weight: 99 });
    await log.ask('light', { weight: 1 });
    expect(log.admitted).toEqual(['huge']);
    await log.leave('huge');
    expect(log.admitted).toEqual(['huge', 'light']);
  });

  test('a heavy one that gives up lets the light ones behind it in', async () => {
    const log = makeLog(makeSemaphore({ room: 10 }));
    const gone = new AbortController();
    await log.ask('first', { weight: 6 });
    await log.ask('heavy', { weight: 8, caller: 'h', signal: gone.signal });
    await log.ask('light', { weight: 1, caller: 'l' });
    gone.abort();
    await log.leave('nobody');
    expect(log.admitted).toEqual(['first', 'light']);
    expect(log.refused).toEqual(['heavy: cancelled']);
  });
});

test('who is cancelled before it asks is not admitted', async () => {
  const log = makeLog(makeSemaphore({ room: 1 }));
  await log.ask('a', { signal: AbortSignal.abort() });
  expect(log.refused).toEqual(['a: cancelled']);
});

test('more than may wait are refused', async () => {
  const log = makeLog(makeSemaphore({ room: 1, maxWaiting: 1 }));
  for (const name of ['a', 'b', 'c']) await log.ask(name);
  expect(log.refused).toEqual(['c: full']);
});

test('who waits too long is told so, and loses nobody else the turn', async () => {
  const semaphore = makeSemaphore({ room: 1, waitMs: 5 });
  const first = await semaphore.enter();
  expect(await semaphore.enter()).toEqual({ ok: false, error: 'timeout' });
  expect(semaphore.waiting).toBe(0);
  if (first.ok) first.value();
  expect((await semaphore.enter()).ok).toBe(true);
});

test('where the queue moves, nobody has waited too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const semaphore = makeSemaphore({ room: 1, waitMs: 1000, waitsWhileMoving: true });
    const ends: string[] = [];
    const first = await semaphore.enter();
    const second = semaphore.enter({ caller: 'b' });
    void semaphore.enter({ caller: 'c' }).then((entered) => ends.push(entered.ok ? 'admitted' : entered.error));
    await vi.advanceTimersByTimeAsync(900);
    if (first.ok) first.value();
    await second;
    await vi.advanceTimersByTimeAsync(999);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toEqual(['timeout']);
  } finally {
    vi.useRealTimers();
  }
});

test('work that fails gives its turn back', async () => {
  const semaphore = makeSemaphore({ room: 1 });
  await expect(semaphore.run({}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await semaphore.run({}, async () => 7)).toEqual({ ok: true, value: 7 });
});

test('the room may grow', async () => {
  let room = 1;
  const log = makeLog(makeSemaphore({ room: () => room }));
  await log.ask('a');
  await log.ask('b');
  await log.ask('c');
  room = 3;
  await log.leave('a');
  expect(log.admitted).toEqual(['a', 'b', 'c']);
});

test('whatever is asked, the room is kept and everybody gets a turn in the end', async () => {
  const entries = fc.array(
    fc.record({ caller: fc.constantFrom('a', 'b', 'c'), weight: fc.integer({ min: 1, max: 7 }) }),
    {
      maxLength: 40,
    },
  );
  await fc.assert(
    fc.asyncProperty(entries, async (asked) => {
      const semaphore = makeSemaphore({ room: 5 });
      let [used, done] = [0, 0];
      await Promise.all(
        asked.map((entry) =>
          semaphore.run(entry, async () => {
            used += entry.weight;
            expect(used <= 5 || used === entry.weight).toBe(true);
            await new Promise((resolve) => setImmediate(resolve));
            used -= entry.weight;
            done += 1;
          }),
        ),
      );
      expect(done).toBe(asked.length);
      expect(semaphore.waiting).toBe(0);
    }),
  );
});

test('whoever is at work for long does not count any more, and gives nothing back twice', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const semaphore = makeSemaphore({ room: 1, longestMs: 1000 });
    const first = await semaphore.enter();
    const begun: string[] = [];
    for (const name of ['second', 'third']) void semaphore.enter().then(() => begun.push(name));
    await vi.advanceTimersByTimeAsync(999);
    expect(begun).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual(['second']);
    if (first.ok) first.value();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['second']);
  } finally {
    vi.useRealTimers();
  }
});

test('thousands that end as soon as they begin do not end within each other', async () => {
  const semaphore = makeSemaphore({ room: 1 });
  let begun = 0;
  const all = Array.from({ length: 50_000 }, () =>
    semaphore.run({}, async () => {
      begun += 1;
    }),
  );
  await Promise.all(all);
  expect(begun).toBe(50_000);
});
