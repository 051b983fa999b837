import { describe, expect, test } from 'vitest';
import { boundedMemo } from './bounded-memo.ts';

function counted(most: number) {
  const asked: string[] = [];
  const answer = boundedMemo((question) => {
    asked.push(question);
    return question === 'nothing' ? undefined : question.toUpperCase();
  }, most);
  return { asked, answer };
}

describe('boundedMemo', () => {
  test('an answer is found once, even when it is that there is none', () => {
    const { asked, answer } = counted(3);
    expect([answer('a'), answer('a'), answer('nothing'), answer('nothing')]).toEqual(['A', 'A', undefined, undefined]);
    expect(asked).toEqual(['a', 'nothing']);
  });

  test('the question not asked for longest is forgotten first', () => {
    const { asked, answer } = counted(2);
    for (const question of ['a', 'b', 'a', 'c', 'a', 'b']) answer(question);
    expect(asked).toEqual(['a', 'b', 'c', 'b']);
  });

  test('a question too long for a name is answered and not kept', () => {
    const { asked, answer } = counted(2);
    const long = 'x'.repeat(10_000);
    answer(long);
    answer(long);
    expect(asked).toEqual([long, long]);
  });
});
