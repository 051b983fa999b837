import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { Observation } from '../kernel/observation.ts';
import { handleUncaughtErrors } from './uncaught-errors.ts';

function make(): {
  process: EventEmitter;
  observed: Observation[];
  stopped: string[];
  clock: { ms: number };
  end(): void;
} {
  const process = new EventEmitter();
  const observed: Observation[] = [];
  const stopped: string[] = [];
  const clock = { ms: 0 };
  const end = handleUncaughtErrors(process, {
    observe: (observation) => observed.push(observation),
    onTooMany: (message) => stopped.push(message),
    now: () => clock.ms,
  });
  return { process, observed, stopped, clock, end };
}

test('what nobody caught is logged, and the program goes on', () => {
  const { process, observed, stopped, end } = make();
  const cause = new Error('a bug');
  process.emit('uncaughtException', cause);
  process.emit('unhandledRejection', 'another');
  expect(observed).toMatchObject([
    { kind: 'bug', cause },
    { kind: 'bug', cause: 'another' },
  ]);
  expect(stopped).toEqual([]);
  end();
  expect(process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection')).toBe(0);
});

test('many in a minute stop it once, as many in a day do not', () => {
  const slow = make();
  for (let i = 0; i < 100; i++) {
    slow.clock.ms += 10_000;
    slow.process.emit('uncaughtException', new Error('now and then'));
  }
  expect(slow.stopped).toEqual([]);
  const quick = make();
  for (let i = 0; i < 100; i++) quick.process.emit('uncaughtException', new Error('again'));
  expect(quick.stopped).toEqual(['20 unexpected failures within a minute']);
});
