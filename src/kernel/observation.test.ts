import { expect, test } from 'vitest';
import { type Observation, observeAll } from './observation.ts';

test('every observer hears of everything, in order, even after one of them threw', () => {
  const heard: Observation[] = [];
  const observe = observeAll(
    () => {
      throw new Error('the disk of the log is full');
    },
    (observation) => heard.push(observation),
  );
  observe({ kind: 'pool-sized', max: 10 });
  observe({ kind: 'connection-lost', message: 'gone' });
  expect(heard.map((each) => each.kind)).toEqual(['pool-sized', 'connection-lost']);
});
