import { describe, expect, test } from 'vitest';
import type { SelectItem } from './api-request.ts';
import { LIMITS } from './limits.ts';
import { parseText } from './parse-text.ts';
import { selectItems } from './select-parser.ts';

const parse = (text: string) => parseText('select parameter', text, selectItems);
const column = (name: string): SelectItem => ({ kind: 'field', field: { name, path: [] } });
const star: SelectItem = { kind: 'star' };

describe('select', () => {
  test.each<[string, SelectItem[]]>([
    ['', []],
    ['*', [star]],
    ['id,name', [column('id'), column('name')]],
    [' id , name ', [column('id'), column('name')]],
    ['* , id', [star, column('id')]],
    ['"any, thing"', [column('any, thing')]],
    ['count', [column('count')]],
    ['alias:id', [{ kind: 'field', field: { name: 'id', path: [] }, alias: 'alias' }]],
    ['id::text', [{ kind: 'field', field: { name: 'id', path: [] }, cast: 'text' }]],
    [
      'a:id::double precision',
      [{ kind: 'field', field: { name: 'id', path: [] }, alias: 'a', cast: 'double precision' }],
    ],
    [
      'first:data->a->>0::int',
      [
        {
          kind: 'field',
          field: {
            name: 'data',
            path: [
              { arrow: '->', operand: { kind: 'key', key: 'a' } },
              { arrow: '->>', operand: { kind: 'index', index: 0 } },
            ],
          },
          alias: 'first',
          cast: 'int',
        },
      ],
    ],
  ])('%j: columns', (text, items) => {
    expect(parse(text)).toEqual({ ok: true, value: items });
  });

  test.each<[string, SelectItem]>([
    ['count()', { kind: 'count' }],
    ['rows:count()::text', { kind: 'count', alias: 'rows', cast: 'text' }],
    ['amount.sum()', { kind: 'field', field: { name: 'amount', path: [] }, aggregate: 'sum' }],
    [
      'amount.avg()::int',
      { kind: 'field', field: { name: 'amount', path: [] }, aggregate: 'avg', aggregateCast: 'int' },
    ],
    ['id.count()', { kind: 'field', field: { name: 'id', path: [] }, aggregate: 'count' }],
    ['id.max()', { kind: 'field', field: { name: 'id', path: [] }, aggregate: 'max' }],
    ['id.min()', { kind: 'field', field: { name: 'id', path: [] }, aggregate: 'min' }],
    [
      'total:data->>k::numeric.sum()::text',
      {
        kind: 'field',
        field: { name: 'data', path: [{ arrow: '->>', operand: { kind: 'key', key: 'k' } }] },
        alias: 'total',
        cast: 'numeric',
        aggregate: 'sum',
        aggregateCast: 'text',
      },
    ],
  ])('%j: aggregates', (text, item) => {
    expect(parse(text)).toEqual({ ok: true, value: [item] });
  });

  test.each<[string, SelectItem]>([
    ['clients(*)', { kind: 'embed', name: 'clients', items: [star] }],
    ['clients()', { kind: 'embed', name: 'clients', items: [] }],
    ['clients( )', { kind: 'embed', name: 'clients', items: [] }],
    ['clients( id , name )', { kind: 'embed', name: 'clients', items: [column('id'), column('name')] }],
    ['client:clients(id)', { kind: 'embed', name: 'clients', alias: 'client', items: [column('id')] }],
    ['clients!fk(id)', { kind: 'embed', name: 'clients', hint: 'fk', items: [column('id')] }],
    ['clients!inner(id)', { kind: 'embed', name: 'clients', join: 'inner', items: [column('id')] }],
    ['clients!left(id)', { kind: 'embed', name: 'clients', join: 'left', items: [column('id')] }],
    ['clients!fk!inner(id)', { kind: 'embed', name: 'clients', hint: 'fk', join: 'inner', items: [column('id')] }],
    ['clients!inner!fk(id)', { kind: 'embed', name: 'clients', hint: 'fk', join: 'inner', items: [column('id')] }],
    ['clients!left_fkey(id)', { kind: 'embed', name: 'clients', hint: 'left_fkey', items: [column('id')] }],
    ['clients!"inner"(id)', { kind: 'embed', name: 'clients', hint: 'inner', items: [column('id')] }],
    ['"a b!c"(id)', { kind: 'embed', name: 'a b!c', items: [column('id')] }],
    [
      'a(b(c()),d)',
      {
        kind: 'embed',
        name: 'a',
        items: [{ kind: 'embed', name: 'b', items: [{ kind: 'embed', name: 'c', items: [] }] }, column('d')],
      },
    ],
    ['clients(count)', { kind: 'embed', name: 'clients', items: [column('count')] }],
    ['clients(count())', { kind: 'embed', name: 'clients', items: [{ kind: 'count' }] }],
    ['...clients(id)', { kind: 'spread', name: 'clients', items: [column('id')] }],
    ['...clients()', { kind: 'spread', name: 'clients', items: [] }],
    [
      '...rel!hint!inner(a:id)',
      {
        kind: 'spread',
        name: 'rel',
        hint: 'hint',
        join: 'inner',
        items: [{ kind: 'field', field: { name: 'id', path: [] }, alias: 'a' }],
      },
    ],
    [
      'rel(data->0)',
      {
        kind: 'embed',
        name: 'rel',
        items: [
          { kind: 'field', field: { name: 'data', path: [{ arrow: '->', operand: { kind: 'index', index: 0 } }] } },
        ],
      },
    ],
  ])('%j: embeds', (text, item) => {
    expect(parse(text)).toEqual({ ok: true, value: [item] });
  });

  test('what stands behind a complete list is ignored', () => {
    expect(parse("name,projects(count)'")).toEqual({
      ok: true,
      value: [column('name'), { kind: 'embed', name: 'projects', items: [column('count')] }],
    });
  });

  test.each([
    ['name::', 7, 'unexpected end of input expecting letter or digit'],
    [
      'id,clients(name[])',
      16,
      `unexpected '[' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input`,
    ],
    ['data->>-78xy', 11, `unexpected 'x' expecting digit, "->", "::", ".", "," or end of input`],
    ['data->>--34', 9, 'unexpected "-" expecting digit'],
    ['data->(k->>e', 7, 'unexpected "(" expecting "-", digit or any non reserved character different from: .,>()'],
    ['id,..tasks(id)', 4, 'unexpected "." expecting "...", field name (* or [a..z0..9_$]), "*" or "count()"'],
    ['title!x', 6, `unexpected '!' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input`],
    ['x:...tasks(id)', 3, 'unexpected "." expecting ":" or field name (* or [a..z0..9_$])'],
    [
      'rel(id',
      7,
      'unexpected end of input expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input',
    ],
    ['rel(', 5, 'unexpected end of input expecting "...", field name (* or [a..z0..9_$]), "*", "count()" or ")"'],
    ['a-', 3, 'unexpected end of input expecting ">", letter or digit'],
    ['a-b[', 4, `unexpected '[' expecting "-", "->>", "->", "::", ".", ")", "," or end of input`],
    ['"open', 6, 'unexpected end of input expecting "\\\\" or "\\""'],
    ['name.foo()', 6, 'unexpected "f" expecting "sum", "avg", "count", "max" or "min"'],
    ['name.sux()', 6, 'unexpected "x" expecting "sum"'],
    ['count(*)', 6, `unexpected '(' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input`],
    [
      'é,é😀',
      4,
      `unexpected '\\128512' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input`,
    ],
    ['a\tb', 9, `unexpected 'b' expecting "::", ".", ")", "," or end of input`],
  ])('%j fails at column %i', (text, at, details) => {
    expect(parse(text)).toEqual({
      ok: false,
      error: {
        kind: 'query-unparsable',
        message: `"failed to parse select parameter (${text})" (line 1, column ${at})`,
        details,
      },
    });
  });

  test('a line feed counts as a line', () => {
    expect(parse('id,"a\nb"[')).toMatchObject({
      error: { message: '"failed to parse select parameter (id,"a\nb"[)" (line 2, column 3)' },
    });
  });

  test('embeds nest so deep and no deeper', () => {
    const nested = (levels: number) => 'a('.repeat(levels) + ')'.repeat(levels);
    expect(parse(nested(LIMITS.nesting.most)).ok).toBe(true);
    expect(parse(nested(LIMITS.nesting.most + 1))).toMatchObject({
      error: { details: 'unexpected more than 100 levels of nesting' },
    });
    expect(parse('a('.repeat(100_000)).ok).toBe(false);
  });
});
