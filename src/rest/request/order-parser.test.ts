import { describe, expect, test } from 'vitest';
import type { OrderTerm } from './api-request.ts';
import { orderTerms } from './order-parser.ts';
import { parseText } from './parse-text.ts';

const parse = (text: string) => parseText('order', text, orderTerms);
const id = { name: 'id', path: [] };
const four = '"asc", "desc", "nullsfirst" or "nullslast"';

describe('order', () => {
  test.each<[string, OrderTerm[]]>([
    ['id', [{ field: id }]],
    ['id.asc', [{ field: id, direction: 'asc' }]],
    ['id.desc.nullslast', [{ field: id, direction: 'desc', nulls: 'last' }]],
    ['id.nullsfirst', [{ field: id, nulls: 'first' }]],
    ['id.desc,name', [{ field: id, direction: 'desc' }, { field: { name: 'name', path: [] } }]],
    [' id.desc , name ', [{ field: id, direction: 'desc' }, { field: { name: 'name', path: [] } }]],
    ['"a.b".desc', [{ field: { name: 'a.b', path: [] }, direction: 'desc' }]],
    [
      'data->>id.desc',
      [{ field: { name: 'data', path: [{ arrow: '->>', operand: { kind: 'key', key: 'id' } }] }, direction: 'desc' }],
    ],
    ['clients(id)', [{ field: id, relation: 'clients' }]],
    ['clients( id ).desc.nullsfirst', [{ field: id, relation: 'clients', direction: 'desc', nulls: 'first' }]],
    [
      'rel(data->0)',
      [{ field: { name: 'data', path: [{ arrow: '->', operand: { kind: 'index', index: 0 } }] }, relation: 'rel' }],
    ],
  ])('%s', (text, terms) => {
    expect(parse(text)).toEqual({ ok: true, value: terms });
  });

  test.each([
    ['id.asc.nullslasttt', 17, `unexpected 't' expecting "," or end of input`],
    ['id.ac', 4, `unexpected "c" expecting ${four}`],
    ['id.descc', 8, `unexpected 'c' expecting delimiter (.), "," or end of input`],
    ['id.asc.nlsfst', 8, 'unexpected "l" expecting "nullsfirst" or "nullslast"'],
    ['id.asc.other', 8, 'unexpected "o" expecting "nullsfirst" or "nullslast"'],
    ['id.nulsfist', 4, `unexpected "n" expecting ${four}`],
    ['id.nullsfirsty', 14, `unexpected 'y' expecting "," or end of input`],
    ['id.smth34', 4, `unexpected "s" expecting ${four}`],
    ['', 1, 'unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ['id,', 4, 'unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ['id[', 3, `unexpected '[' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input`],
    ['rel(id', 4, `unexpected '(' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input`],
  ])('%j fails at column %i', (text, at, details) => {
    expect(parse(text)).toEqual({
      ok: false,
      error: { kind: 'query-unparsable', message: `"failed to parse order (${text})" (line 1, column ${at})`, details },
    });
  });
});
