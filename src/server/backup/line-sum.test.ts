import { expect, test } from 'vitest';
import { makeLineSum } from './line-sum.ts';

function sumOf(...chunks: readonly string[]): string {
  const sum = makeLineSum();
  for (const chunk of chunks) sum.add(Buffer.from(chunk));
  return sum.sum();
}

test('the order of lines does not count, nor where they were cut', () => {
  const whole = sumOf('one\ntwo\nthree\n');
  expect(sumOf('three\none\ntwo\n')).toBe(whole);
  expect(sumOf('on', 'e', '\ntw', 'o\n', 'three', '\n')).toBe(whole);
  expect(whole).toMatch(/^[0-9a-f]{20,32}$/);
});

test('every line counts, each time, and as a line of its own', () => {
  const others = ['one\ntwo\n', 'one\ntwo\nthree\nthree\n', 'one\ntwothree\n', '\none\ntwo\nthree\n', ''];
  expect(new Set([...others, 'one\ntwo\nthree\n'].map((text) => sumOf(text))).size).toBe(others.length + 1);
  expect(sumOf()).toBe('0');
});
