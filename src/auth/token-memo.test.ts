import { expect, test } from 'vitest';
import { makeTokenMemo } from './token-memo.ts';

test('what was set is got, until it is deleted', () => {
  const memo = makeTokenMemo<number>(2);
  memo.set('a', 1);
  expect(memo.get('a')).toBe(1);
  memo.set('a', 2);
  expect(memo.get('a')).toBe(2);
  expect(memo.size).toBe(1);
  memo.delete('a');
  expect(memo.get('a')).toBeUndefined();
});

test('it never holds more than it was made for', () => {
  const memo = makeTokenMemo<number>(100);
  for (let i = 0; i < 10_000; i += 1) {
    memo.set(`t${i}`, i);
    if (i % 3 === 0) memo.get(`t${i}`);
  }
  expect(memo.size).toBe(100);
});

test('tokens in use outlive a stream of tokens that are used once', () => {
  const memo = makeTokenMemo<string>(10);
  memo.set('mine', 'x');
  for (let i = 0; i < 1000; i += 1) {
    memo.set(`once${i}`, '');
    expect(memo.get('mine')).toBe('x');
  }
});

test('when all were hit the oldest goes', () => {
  const memo = makeTokenMemo<number>(2);
  memo.set('a', 1);
  memo.set('b', 2);
  memo.get('a');
  memo.get('b');
  memo.set('c', 3);
  expect([memo.get('a'), memo.get('b'), memo.get('c')]).toEqual([undefined, 2, 3]);
});

test('a token too long to keep a thousand of is not kept', () => {
  const memo = makeTokenMemo<number>(10);
  memo.set('x'.repeat(16_385), 1);
  expect(memo.size).toBe(0);
});

test('room for one holds one', () => {
  const memo = makeTokenMemo<number>(1);
  memo.set('a', 1);
  expect(memo.get('a')).toBe(1);
});

test('room for none holds none', () => {
  const memo = makeTokenMemo<number>(0);
  memo.set('a', 1);
  expect(memo.size).toBe(0);
});

test('tokens that end alike are not taken for each other', () => {
  const end = 's'.repeat(60);
  const memo = makeTokenMemo<number>(10);
  memo.set(`one.${end}`, 1);
  expect(memo.get(`two.${end}`)).toBeUndefined();
  expect(memo.get(end)).toBeUndefined();
  expect(memo.get(`one.${end}`)).toBe(1);
  memo.set(`two.${end}`, 2);
  expect(memo.get(`two.${end}`)).toBe(2);
});
