import { describe, expect, test } from 'vitest';
import { levelSlots } from './level-slots.ts';

describe('the columns of several levels', () => {
  test('are shared where their types stand in the same order', () => {
    expect(
      levelSlots([
        ['integer', 'text'],
        ['integer', 'text', 'boolean'],
      ]),
    ).toEqual({
      types: ['integer', 'text', 'boolean'],
      places: [
        [0, 1],
        [0, 1, 2],
      ],
    });
  });

  test('keep the order of their own level', () => {
    expect(levelSlots([['text', 'integer'], ['integer', 'text'], ['boolean']])).toEqual({
      types: ['boolean', 'text', 'integer', 'text'],
      places: [[1, 2], [2, 3], [0]],
    });
  });

  test('are nobody else’s twice', () => {
    expect(levelSlots([['text', 'text'], [], ['text', 'text', 'text']])).toEqual({
      types: ['text', 'text', 'text'],
      places: [[0, 1], [], [0, 1, 2]],
    });
  });
});
