import { expect, test } from 'vitest';
import { LiveListener } from './live-listener.ts';

test('who does not read is too slow when more than the bound waits; what it was given when it came does not count', () => {
  const listener = new LiveListener(Buffer.alloc(1000));
  expect(listener.tell(Buffer.alloc(60), 100)).toBe(true);
  expect(listener.tell(Buffer.alloc(40), 100)).toBe(true);
  expect(listener.tell(Buffer.alloc(1), 100)).toBe(false);
});

test('what was given and has been read counts no more', () => {
  const listener = new LiveListener(Buffer.alloc(1000));
  expect(listener.read()).toHaveLength(1000);
  expect(listener.tell(Buffer.alloc(100), 100)).toBe(true);
  expect(listener.tell(Buffer.alloc(101), 100)).toBe(false);
});

test('one that has left is told nothing, and is not too slow', () => {
  const listener = new LiveListener(Buffer.from('first'));
  listener.destroy();
  listener.give(Buffer.from('x'));
  listener.end(Buffer.from('x'));
  expect(listener.tell(Buffer.alloc(1000), 100)).toBe(true);
});

test('ends behind the last words', async () => {
  const listener = new LiveListener(Buffer.from('first '));
  listener.end(Buffer.from('last'));
  expect(Buffer.concat(await listener.toArray()).toString()).toBe('first last');
});
