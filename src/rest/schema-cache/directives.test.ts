import { expect, test } from 'vitest';
import { readComment } from './directives.ts';

test('lines that begin with @survest are directives, the others are the text', () => {
  expect(readComment('Archives old rows.\n\nIn steps.\n  @survest   outside-transaction \n')).toEqual({
    text: 'Archives old rows.\n\nIn steps.',
    directives: [{ word: 'outside-transaction', rest: '' }],
  });
  expect(readComment('@survest limit role=a  rows=5')).toEqual({
    text: null,
    directives: [{ word: 'limit', rest: 'role=a rows=5' }],
  });
});

test('any other comment stays as it is', () => {
  for (const comment of [null, '', ' write to @survest ', '@surveston x', 'a\n@omit'])
    expect(readComment(comment)).toEqual({ text: comment, directives: [] });
});
