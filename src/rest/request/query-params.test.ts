import { describe, expect, test } from 'vitest';
import type { QueryParams } from './api-request.ts';
import { parseQueryParams, type QueryMode } from './query-params.ts';

function parse(query: string, mode: QueryMode = 'relation') {
  const parsed = parseQueryParams(query, mode);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

function failure(query: string, mode: QueryMode = 'relation'): string | undefined {
  const parsed = parseQueryParams(query, mode);
  return !parsed.ok && parsed.error.kind === 'query-unparsable' ? parsed.error.message : undefined;
}

const shape = (query: string, mode?: QueryMode) => parse(query, mode).params.shape;

/** Everything a plan is made from. */
function tree({ params }: { params: QueryParams }) {
  const { shape: _, canonical: __, ...rest } = params;
  return rest;
}

describe('parameters', () => {
  test('an empty query asks for all columns of all rows', () => {
    expect(parse('')).toMatchObject({
      params: { select: [{ kind: 'star' }], filters: [], logic: [], order: [], windows: [], args: [], shape: '' },
      values: [],
      window: {},
    });
    expect(tree(parse('&&'))).toEqual(tree(parse('')));
  });

  test('filters are in the order given, repeated or not, their values in slots', () => {
    const { params, values } = parse('id=gt.1&id=lt.9&name=not.is.null&clients.projects.data->>x=eq.y');
    expect(params.filters).toEqual([
      {
        at: [],
        value: {
          field: { name: 'id', path: [] },
          negated: false,
          operation: { kind: 'compare', operator: 'gt', value: 0 },
        },
      },
      {
        at: [],
        value: {
          field: { name: 'id', path: [] },
          negated: false,
          operation: { kind: 'compare', operator: 'lt', value: 1 },
        },
      },
      { at: [], value: { field: { name: 'name', path: [] }, negated: true, operation: { kind: 'is', word: 'null' } } },
      {
        at: ['clients', 'projects'],
        value: {
          field: { name: 'data', path: [{ arrow: '->>', operand: { kind: 'key', key: 'x' } }] },
          negated: false,
          operation: { kind: 'compare', operator: 'eq', value: 2 },
        },
      },
    ]);
    expect(values).toEqual(['1', '9', 'y']);
  });

  test('names and values are form-encoded', () => {
    const { params, values } = parse('my+col=eq.a+b%2Bc%26d&%22x.y%22=eq.%C3%A9&z=eq.100%');
    expect(params.filters.map(({ value }) => value.field.name)).toEqual(['my col', 'x.y', 'z']);
    expect(values).toEqual(['a b+c&d', 'é', '100%']);
  });

  test('parameters without = are no parameters', () => {
    expect(tree(parse('flag&id&select&order'))).toEqual(tree(parse('')));
  });

  test('everything behind the first = is the value', () => {
    expect(parse('a=eq.b=c').values).toEqual(['b=c']);
  });

  test('what stands behind a complete name is ignored', () => {
    expect(parse('id*x=eq.1').params.filters[0]?.value.field).toEqual({ name: 'id', path: [] });
  });

  test('control words are the last word of a name; quoted they are columns', () => {
    const { params } = parse('a.order=id&a.b.and=(x.eq.1)&"limit"=eq.5&a."or"=eq.6&orders=eq.7');
    expect(params.order).toMatchObject([{ at: ['a'] }]);
    expect(params.logic).toMatchObject([{ at: ['a', 'b'], value: { operator: 'and', negated: false } }]);
    expect(params.filters.map(({ at, value }) => [...at, value.field.name])).toEqual([
      ['limit'],
      ['a', 'or'],
      ['orders'],
    ]);
  });

  test('any not in the name of a group negates it', () => {
    const { params } = parse('not.or=(a.eq.1)&clients.not.and=(a.eq.1)&not.clients.or=(a.eq.1)');
    expect(params.logic).toMatchObject([
      { at: [], value: { operator: 'or', negated: true } },
      { at: ['clients'], value: { operator: 'and', negated: true } },
      { at: ['clients'], value: { operator: 'or', negated: true } },
    ]);
  });

  test('the first select, columns and on_conflict count', () => {
    const { params } = parse('select=a&select=b&columns=c&columns=d&on_conflict=e&on_conflict=f');
    expect(params).toMatchObject({ select: [{ field: { name: 'a' } }], columns: ['c'], onConflict: ['e'] });
  });

  test('the first order of a node counts, the last limit and offset', () => {
    const { params, window } = parse(
      'order=a&order=b&x.order=c&limit=1&limit=2&offset=3&offset=4&x.limit=5&x.limit=6&x.offset=7',
    );
    expect(params.order).toEqual([
      { at: [], value: [{ field: { name: 'a', path: [] } }] },
      { at: ['x'], value: [{ field: { name: 'c', path: [] } }] },
    ]);
    expect(window).toEqual({ limit: '2', offset: '4' });
    expect(params.windows).toEqual([{ at: ['x'], value: { offset: 7, limit: 6 } }]);
  });

  test('an embed’s window that says nothing is none, one below zero an error', () => {
    expect(parse('x.limit=abc&y.offset=0').params.windows).toEqual([]);
    expect(parse('x.limit=0').params.windows).toEqual([{ at: ['x'], value: { offset: 0, limit: 0 } }]);
    expect(parseQueryParams('x.limit=-1', 'relation')).toEqual({ ok: false, error: { kind: 'limit-negative' } });
  });

  test('an empty select is all columns at the root, none of an embed', () => {
    expect(parse('select=').params.select).toEqual([{ kind: 'star' }]);
    expect(parse('select=+').params.select).toEqual([{ kind: 'star' }]);
    expect(parse('select=x()').params.select).toEqual([{ kind: 'embed', name: 'x', items: [] }]);
  });

  test('a select that begins with no item is an error, not all columns', () => {
    expect(failure('select=*?x')).toBe('"failed to parse select parameter (*?x)" (line 1, column 2)');
    expect(failure('select=(')).toBe('"failed to parse select parameter (()" (line 1, column 1)');
    expect(failure('select=...tasks->a(id)')).toBe(
      '"failed to parse select parameter (...tasks->a(id))" (line 1, column 11)',
    );
  });

  test('values of groups come before those of filters, wherever they stand', () => {
    const { params, values } = parse('a=eq.1&or=(b.eq.2,c.eq.3)&d=eq.4');
    expect(values).toEqual(['2', '3', '1', '4']);
    expect(params.filters.map(({ value }) => value.operation)).toMatchObject([{ value: 2 }, { value: 3 }]);
  });
});

describe('errors', () => {
  test('each kind of parameter is named', () => {
    expect(failure('id=0')).toBe('"failed to parse filter (0)" (line 1, column 1)');
    expect(failure('.x=eq.1')).toBe('"failed to parse tree path (.x)" (line 1, column 1)');
    expect(failure('=eq.1')).toBe('"failed to parse tree path ()" (line 1, column 1)');
    expect(failure('data->=eq.1')).toBe('"failed to parse tree path (data->)" (line 1, column 7)');
    expect(failure('order=id.x')).toBe('"failed to parse order (id.x)" (line 1, column 4)');
    expect(failure('.order=id')).toBe('"failed to parse tree path (.order)" (line 1, column 1)');
    expect(failure('.limit=1')).toBe('"failed to parse tree path (.limit)" (line 1, column 1)');
    expect(failure('or=()')).toBe('"failed to parse logic tree (())" (line 1, column 4)');
    expect(failure('not.or=()')).toBe('"failed to parse logic tree (())" (line 1, column 8)');
    expect(failure('.or=(a.eq.1)')).toBe('"failed to parse logic path (.or)" (line 1, column 1)');
    expect(failure('columns=')).toBe('"failed to parse columns parameter ()" (line 1, column 1)');
    expect(failure('on_conflict=*')).toBe('"failed to parse on_conflict parameter (*)" (line 1, column 1)');
  });

  test('they are looked for in a fixed order', () => {
    const bad = ['x.limit=-1', 'on_conflict=*', 'id=0', 'select=(', 'columns=*', 'or=()', 'order=*'];
    const found = [];
    while (bad.length > 0) {
      const parsed = parseQueryParams(bad.join('&'), 'relation');
      found.push(
        parsed.ok
          ? 'none'
          : parsed.error.kind === 'query-unparsable'
            ? /parse (\w+)/.exec(parsed.error.message)?.[1]
            : parsed.error.kind,
      );
      bad.pop();
    }
    expect(found).toEqual(['order', 'logic', 'columns', 'select', 'filter', 'on_conflict', 'limit-negative']);
  });

  test('text is shown as the client meant it', () => {
    expect(failure('id=%C3%A9+%22')).toBe('"failed to parse filter (é ")" (line 1, column 1)');
  });
});

describe('calls by GET', () => {
  test('what is no filter is an argument', () => {
    const { params, values } = parse('id=5&id=gt.2&name=John+Doe&name=x&list={1,2}&empty=', 'call-get');
    expect(params.args).toEqual([
      { name: 'id', value: 0 },
      { name: 'name', value: 2 },
      { name: 'name', value: 3 },
      { name: 'list', value: 4 },
      { name: 'empty', value: 5 },
    ]);
    expect(params.filters).toHaveLength(1);
    expect(values).toEqual(['5', '2', 'John Doe', 'x', '{1,2}', '']);
  });

  test.each(['eq', 'eqx.1', 'fts', 'like(some).x', 'notes', 'no.x', 'is', 'in', 'island', 'not'])(
    '%s is an argument',
    (value) => {
      expect(parse(`x=${value}`, 'call-get').values).toEqual([value]);
      expect(parse(`x=${value}`, 'call-get').params.args).toEqual([{ name: 'x', value: 0 }]);
    },
  );

  test.each(['in.x', 'in.(1', 'is.x', 'not.x', 'not.', 'is.'])('%s began as a filter and is a bad one', (value) => {
    expect(failure(`x=${value}`, 'call-get')).toMatch(/^"failed to parse filter/);
  });

  test('by POST every parameter is a filter', () => {
    expect(failure('name=John', 'call-post')).toBe('"failed to parse filter (John)" (line 1, column 1)');
  });

  test('quoted names may have dots', () => {
    expect(parse('%22a.b%22=1', 'call-get').params.args).toEqual([{ name: 'a.b', value: 0 }]);
  });
});

describe('shape', () => {
  test.each([
    ['id=eq.1', 'id=eq.2'],
    ['id=in.(1,2)', 'id=in.(3)'],
    ['or=(a.eq.1,b.like.*x*)', 'or=(a.eq."2,",b.like.y)'],
    ['x.and=(a.in.(1),not.or(b.cs.{1},c.fts(x).1))', 'x.and=(a.in.(2,3),not.or(b.cs.{},c.fts(x).2))'],
    ['select=a,b(c)&b.c=eq.1&order=a&limit=1', 'select=a,b(c)&b.c=eq.2&order=a&limit=2&offset=7'],
    ['id=eq.1', 'limit=5&id=eq.1'],
  ])('%s and %s differ in values only', (one, other) => {
    expect(shape(one)).toBe(shape(other));
    expect(tree(parse(one))).toEqual(tree(parse(other)));
  });

  test('arguments too', () => {
    expect(shape('a=1&b=2', 'call-get')).toBe(shape('a=x&b=y', 'call-get'));
    expect(shape('a=1&b=2', 'call-get')).not.toBe(shape('a=1&b=eq.2', 'call-get'));
    expect(shape('a=1&a=2', 'call-get')).not.toBe(shape('a=1', 'call-get'));
  });

  test('whatever else differs has another shape', () => {
    const queries = [
      ...[
        '',
        'id=eq.1',
        'id=neq.1',
        'id=not.eq.1',
        'id=eq(any).{1}',
        'id=eq(all).{1}',
        'id2=eq.1',
        'x.id=eq.1',
        '"x.id"=eq.1',
        'id=in.(1)',
        'id=in.()',
      ],
      ...[
        'id=is.null',
        'id=is.true',
        'id=fts.x',
        'id=fts(a).x',
        'id=fts(b).x',
        'id=plfts.x',
        'id->a=eq.1',
        'id->>a=eq.1',
        'id->1=eq.1',
        'id->"1"=eq.1',
      ],
      ...[
        'id=eq.1&id=eq.2',
        'id=eq.1&id2=eq.1',
        'id2=eq.1&id=eq.1',
        'and=(id.eq.1)',
        'or=(id.eq.1)',
        'not.or=(id.eq.1)',
        'x.or=(id.eq.1)',
      ],
      ...[
        'or=(a.eq.1,b.eq.1)',
        'or=(a.eq.1)&or=(b.eq.1)',
        'or=(and(a.eq.1),b.eq.1)',
        'or=(and(a.eq.1,b.eq.1))',
        'or=(data->a.eq.1)',
        'or=(data->0.eq.1)',
        'or=(data->"0".eq.1)',
      ],
      ...[
        'select=a',
        'select=b',
        'select=a,b',
        'order=a',
        'order=b',
        'x.order=a',
        'columns=a',
        'on_conflict=a',
        'x.limit=1',
        'x.limit=2',
        'x.offset=1',
        'y.limit=1',
        'x.y.limit=1',
      ],
    ];
    const shapes = new Set(queries.map((query) => shape(query)));
    expect(shapes.size).toBe(queries.length);
  });

  test('a name cannot pass for structure', () => {
    const tricky = [
      'a=eq.1&b=eq.1',
      '%22a%22=eq.1&b=eq.1',
      '%22a%3Deq;f1:b%22=eq.1',
      '%22f1:a%3Deq;f1:b%3Deq;%22=eq.1',
      'or=(%22a=eq,1:b%22.eq.1)',
      'or=(a.eq.1,b.eq.1)',
    ];
    expect(new Set(tricky.map((query) => shape(query))).size).toBe(tricky.length);
  });
});

describe('canonical query', () => {
  const canonical = (query: string) => parse(query).params.canonical();
  test.each([
    ['', ''],
    ['flag', ''],
    ['b=eq.1&a=eq.1', 'a=eq.1&b=eq.1'],
    ['id=gt.1&a=eq.1&id=lt.9', 'a=eq.1&id=gt.1&id=lt.9'],
    ['name=eq.%C3%A9+x%2By', 'name=eq.%C3%A9%20x%2By'],
    ['select=*,b(*)&limit=1', 'limit=1&select=%2A%2Cb%28%2A%29'],
    ['%22a%26b%22=eq.1', '%22a%26b%22=eq.1'],
    ['a=eq.%0d%0aSet-Cookie:x', 'a=eq.%0D%0ASet-Cookie%3Ax'],
  ])('%j', (query, expected) => {
    expect(canonical(query)).toBe(expected);
  });

  test('it asks for the same and is its own canonical form', () => {
    const query = 'z=eq.1%26&a.or=(b.eq.%22x,%22)&order=z.desc&select=z,%22q%3D%22&z=in.(%252C,+)';
    const once = canonical(query);
    expect(canonical(once)).toBe(once);
    expect(parse(once).values).toEqual(parse(query).values);
    expect(tree(parse(once))).toEqual(tree(parse(query)));
  });
});
