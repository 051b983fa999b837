import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ident, join, literal, quoteIdent, quoteLiteral, raw, render, sql, where } from './index.ts';

describe('sql', () => {
  test('values become numbered parameters, fragments nest, names are quoted', () => {
    const filter = sql<unknown>`${ident('t', 'name')} = ${'x'}`;
    expect(
      render(
        sql<unknown>`select ${join([ident('a'), ident('b')])} from ${ident('s', 't')}${where([filter])} limit ${5}`,
      ),
    ).toEqual({
      text: 'select "a", "b" from "s"."t" where "t"."name" = $1 limit $2',
      params: ['x', 5],
    });
  });

  test('a bare string in a hole is a value, never text', () => {
    expect(render(sql<string>`select ${'1; drop table x'}`)).toEqual({
      text: 'select $1',
      params: ['1; drop table x'],
    });
  });

  test('the same parameter standing twice is one number', () => {
    const slot = { slot: 0 };
    expect(render(sql<{ slot: number }>`${slot} or ${slot} or ${{ slot: 0 }}`).text).toBe('$1 or $1 or $2');
  });

  test('empty parts leave no separators behind', () => {
    expect(render(join([raw(''), raw('a'), raw(''), raw('b')], ' and ')).text).toBe('a and b');
    expect(render(where([])).text).toBe('');
  });

  test.each([
    ['plain', '"plain"'],
    ['a"b', '"a""b"'],
    ['"; drop table x; --', '"""; drop table x; --"'],
    ['', '""'],
    ['الاسم', '"الاسم"'],
  ])('the name %s is quoted', (name, quoted) => {
    expect(quoteIdent(name)).toBe(quoted);
  });

  test.each([
    ["it's", "'it''s'"],
    ['back\\slash', " E'back\\\\slash'"],
    ["\\'; drop table x; --", " E'\\\\''; drop table x; --'"],
  ])('the literal %s is quoted', (text, quoted) => {
    expect(quoteLiteral(text)).toBe(quoted);
  });

  test('no text gets out of its quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const name = quoteIdent(text);
        expect(name.slice(1, -1).replaceAll('""', '')).not.toContain('"');
        const value = render(literal(text)).text.trimStart().replace(/^E/, '');
        expect(value.slice(1, -1).replaceAll("''", '')).not.toContain("'");
      }),
    );
  });
});
