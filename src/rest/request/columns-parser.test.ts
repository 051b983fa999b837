import { describe, expect, test } from 'vitest';
import { columnList } from './columns-parser.ts';
import { parseText } from './parse-text.ts';

const parse = (text: string) => parseText('columns parameter', text, columnList);

describe('a list of columns', () => {
  test.each<[string, string[]]>([
    ['id', ['id']],
    ['id,name', ['id', 'name']],
    [' id , name ', ['id', 'name']],
    ['"a,b" , c', ['a,b', 'c']],
    ['id,id,name', ['id', 'name']],
    ['id)x', ['id']],
  ])('%j', (text, names) => {
    expect(parse(text)).toEqual({ ok: true, value: names });
  });

  test.each([
    ['', 1, 'unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ['*', 1, 'unexpected "*" expecting field name (* or [a..z0..9_$])'],
    ['a,', 3, 'unexpected end of input expecting field name (* or [a..z0..9_$])'],
  ])('%j fails', (text, at, details) => {
    const message = `"failed to parse columns parameter (${text})" (line 1, column ${at})`;
    expect(parse(text)).toEqual({ ok: false, error: { kind: 'query-unparsable', message, details } });
  });
});
