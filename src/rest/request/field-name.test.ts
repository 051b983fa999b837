import { describe, expect, test } from 'vitest';
import { Cursor } from './cursor.ts';
import { fieldName, identifier } from './field-name.ts';

/** What is read, and what is left. */
function read(text: string): [string | undefined, string] {
  const cursor = new Cursor(text);
  const name = fieldName(cursor);
  return [name, text.slice(cursor.pos)];
}

describe('a name', () => {
  test.each([
    ['id', 'id', ''],
    ['do$llar$s', 'do$llar$s', ''],
    ['_private', '_private', ''],
    ['1st', '1st', ''],
    ['two words', 'two words', ''],
    ['  trimmed  ', 'trimmed', ''],
    ['with-dash', 'with-dash', ''],
    ['a-b-c->>x', 'a-b-c', '->>x'],
    ['data->x', 'data', '->x'],
    ['الاسم', 'الاسم', ''],
    ['naïve', 'naïve', ''],
    ['𝒳y', '𝒳y', ''],
    ['a.b', 'a', '.b'],
    ['a*b', 'a', '*b'],
    // quoted
    ['"information.cpe"', 'information.cpe', ''],
    ['" both ends "', ' both ends ', ''],
    ['"a\\"b\\\\c\\d"', 'a"b\\cd', ''],
    ['"a\\😀b"', 'a😀b', ''],
    ['""', '', ''],
    ['"a"b', 'a', 'b'],
  ])('%j is %j, and %j is left', (text, name, rest) => {
    expect(read(text)).toEqual([name, rest]);
  });

  test.each(['', '*', '.', '-a', '"open', '"ends in\\', '٣', '()'])('%j is none', (text) => {
    expect(read(text)[0]).toBeUndefined();
  });

  test('there is no NUL in a name, quoted or not', () => {
    expect(read('"a\0b"')[0]).toBeUndefined();
    expect(read('"a\\\0b"')[0]).toBeUndefined();
    expect(read('a\0b')).toEqual(['a', '\0b']);
  });
});

test('casts and languages are made of identifier characters only', () => {
  const read = (text: string) => identifier(new Cursor(text));
  expect(read('double precision')).toBe('double precision');
  expect(read('_int4')).toBe('_int4');
  expect(read('int); drop table x; --')).toBe('int');
  expect(read('"text"')).toBeUndefined();
  expect(read("'x'")).toBeUndefined();
});
