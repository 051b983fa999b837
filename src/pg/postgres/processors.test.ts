import { expect, test } from 'vitest';
import { Processors } from './processors.ts';

/** A machine with two processors that reports what it is told they do. */
function machine(): { processors: Processors; after(busy: number, idle: number, iowait?: number): number } {
  const times = { user: 1000, idle: 1000, iowait: 0 };
  let now = 0;
  const stat = (): string => `cpu  ${times.user} 0 0 ${times.idle} ${times.iowait} 0 0 0 0 0\ncpu0 …`;
  const processors = new Processors(stat, 2);
  processors.most(now);
  return {
    processors,
    after(busy, idle, iowait = 0) {
      times.user += busy;
      times.idle += idle;
      times.iowait += iowait;
      now += 500;
      return processors.most(now);
    },
  };
}

test('begins with one connection for each processor, and stays there while they are busy', () => {
  const { processors, after } = machine();
  expect(processors.most(1)).toBe(2);
  processors.meetLimit();
  expect(after(100, 2)).toBe(2);
});

test('allows more while processors are idle and somebody wants more, also where they wait for a disk', () => {
  const { processors, after } = machine();
  expect(after(50, 50)).toBe(2);
  processors.meetLimit();
  expect(after(50, 50)).toBe(3);
  processors.meetLimit();
  expect(after(20, 0, 80)).toBe(5);
  // Neither busy nor idle: as it is.
  processors.meetLimit();
  expect(after(75, 25)).toBe(5);
});

test('goes back quickly when they are busy again', () => {
  const { processors, after } = machine();
  for (let i = 0; i < 5; i++) {
    processors.meetLimit();
    after(50, 50);
  }
  expect(after(50, 50)).toBe(18);
  expect([after(100, 0), after(100, 0), after(100, 0), after(100, 0)]).toEqual([9, 4, 2, 2]);
});

test('knows how many take turns only while they are busy', () => {
  const { processors, after } = machine();
  after(50, 50);
  expect(processors.crowding(16)).toBe(1);
  after(100, 0);
  expect([processors.crowding(16), processors.crowding(1)]).toEqual([8, 1]);
});

test('looks twice a second at most', () => {
  let looks = 0;
  const processors = new Processors(() => `cpu  ${++looks} 0 0 ${looks} 0 0 0 0\n`, 2);
  for (let now = 0; now < 1000; now++) processors.most(now);
  expect(looks).toBe(2);
});

test.each([['' as string], ['cpu'], ['cpu  1 2\n'], ['cpu  1 2 3 x 5 6 7 8\n'], ['intr 1 2 3 4 5 6 7 8\n']])(
  'sets no limit where the system says %j',
  (stat) => {
    expect(new Processors(() => stat, 2).most(0)).toBe(Number.POSITIVE_INFINITY);
  },
);
