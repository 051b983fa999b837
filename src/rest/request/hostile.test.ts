// Text that means harm, or nothing, in every place where a client's text can stand.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QueryParams } from './api-request.ts';
import { columnList } from './columns-parser.ts';
import { Cursor } from './cursor.ts';
import { condition } from './filter-parser.ts';
import { logicFilter, logicTree } from './logic-parser.ts';
import { orderTerms } from './order-parser.ts';
import { type ParsedQuery, parseQueryParams } from './query-params.ts';
import { selectItems } from './select-parser.ts';
import { logicPath, treePath } from './tree-path.ts';

/** Pieces of the grammar and of SQL, in any order. */
const PIECES = [
  ...[
    'id',
    'a-b',
    'and',
    'or',
    'not',
    'eq',
    'in',
    'is',
    'null',
    'like',
    'fts',
    'isdistinct',
    'any',
    'all',
    'count',
    'sum',
    'inner',
    'left',
    'asc',
    'desc',
  ],
  ...[
    '.',
    ',',
    '(',
    ')',
    '()',
    ':',
    '::',
    '->',
    '->>',
    '-',
    '"',
    '\\',
    '!',
    '*',
    '...',
    '{',
    '}',
    '[',
    ']',
    ' ',
    '\t',
    '\n',
    '0',
    '-1',
    '=',
    '&',
    '%',
    '+',
  ],
  ...[
    "'",
    ';',
    '--',
    '/*',
    '$1',
    '$$',
    '\0',
    '\u2028',
    'é',
    '😀',
    '\ud800',
    "'; drop table x; --",
    '" or 1=1',
    '\\x00',
    '%00',
    '%27',
  ],
];
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const encoded = (text: string) => encodeURIComponent(Buffer.from(text).toString());

/** Every string of the tree by the name of its place. */
function places(value: unknown, place = ''): [place: string, text: string][] {
  if (typeof value === 'string') return [[place, value]];
  if (Array.isArray(value)) return value.flatMap((item) => places(item, place));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => places(inner, key));
}

function treeOf({ shape: _, canonical: __, ...tree }: QueryParams) {
  return tree;
}

const NAMES = new Set(['name', 'key', 'alias', 'hint', 'relation', 'at', 'columns', 'onConflict']);
const WORDS: Record<string, RegExp> = {
  kind: /^(star|field|count|embed|spread|compare|in|is|search|filter|group|key|index)$/,
  arrow: /^->>?$/,
  operator:
    /^(eq|neq|gt|gte|lt|lte|like|ilike|match|imatch|cs|cd|ov|sl|sr|nxr|nxl|adj|isdistinct|fts|plfts|phfts|wfts|and|or)$/,
  quantifier: /^(any|all)$/,
  word: /^(null|not_null|true|false|unknown)$/,
  aggregate: /^(sum|avg|count|max|min)$/,
  join: /^(inner|left)$/,
  direction: /^(asc|desc)$/,
  nulls: /^(first|last)$/,
  // these stand in SQL as they are
  cast: /^[\p{L}0-9_$ ]*$/u,
  aggregateCast: /^[\p{L}0-9_$ ]*$/u,
  language: /^[\p{L}0-9_$ ]*$/u,
};

/** Names may be anything without NUL; everything else is one of a few words. */
function expectHarmless({ params }: ParsedQuery): void {
  for (const [place, text] of places(treeOf(params))) {
    if (NAMES.has(place)) expect(text).not.toContain('\0');
    else expect(text, place).toMatch(WORDS[place] ?? /^unknown place$/);
  }
}

const positions: ((text: string) => string)[] = [
  (text) => text,
  (text) => `select=${encoded(text)}`,
  (text) => `select=id,rel(${encoded(text)})`,
  (text) => `select=id::${encoded(text)}`,
  (text) => `order=${encoded(text)}`,
  (text) => `rel.order=id.${encoded(text)}`,
  (text) => `columns=${encoded(text)}`,
  (text) => `on_conflict=a,${encoded(text)}`,
  (text) => `id=${encoded(text)}`,
  (text) => `id=not.${encoded(text)}`,
  (text) => `id=in.(${encoded(text)}`,
  (text) => `id=fts(${encoded(text)}).x`,
  (text) => `or=${encoded(text)}`,
  (text) => `and=(a.eq.1,${encoded(text)})`,
  (text) => `or=(a.eq.${encoded(text)})`,
  (text) => `${encoded(text)}=eq.1`,
  (text) => `${encoded(text)}.order=id`,
  (text) => `${encoded(text)}.or=(a.eq.1)`,
  (text) => `${encoded(text)}.limit=${encoded(text)}`,
  (text) => `data->${encoded(text)}=eq.1`,
  (text) => `limit=${encoded(text)}&offset=${encoded(text)}`,
];

test('whatever stands wherever: no throw, and a tree of words and names only', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...positions),
      hostile,
      fc.constantFrom('relation', 'call-get', 'call-post'),
      (position, text, mode) => {
        const parsed = parseQueryParams(position(text), mode);
        if (!parsed.ok) return;
        expectHarmless(parsed.value);
        parsed.value.params.canonical();
      },
    ),
    { numRuns: 3000 },
  );
});

describe('a value', () => {
  const frames: [string, string][] = [
    ['id=eq.', ''],
    ['id=not.like.', ''],
    ['id=eq(any).', ''],
    ['id=fts(simple).', ''],
    ['id=isdistinct.', ''],
    ['id=in.("', '")'],
    ['or=(id.eq."', '")'],
    ['rel.and=(id.in.("', '"),b.is.null)'],
  ];

  test('stands in its slot and changes nothing else', () => {
    fc.assert(
      fc.property(fc.constantFrom(...frames), hostile, ([before, after], text) => {
        // a well-formed text, escaped where the frame quotes it
        const plain = Buffer.from(text).toString();
        const value = `<<${after === '' ? plain : plain.replace(/["\\]/g, '\\$&')}`;
        const parsed = parseQueryParams(`${before}${encoded(value)}${after}`, 'relation');
        const usual = parseQueryParams(`${before}x${after}`, 'relation');
        if (!parsed.ok || !usual.ok) throw new Error('a value was refused');
        expect(treeOf(parsed.value.params)).toEqual(treeOf(usual.value.params));
        expect(parsed.value.params.shape).toBe(usual.value.params.shape);
        expect(parsed.value.values).toHaveLength(usual.value.values.length);
        expect(parsed.value.values[0]).toContain('<<');
      }),
      { numRuns: 1000 },
    );
  });

  test('of an argument as well', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const value = `<<${Buffer.from(text).toString()}`;
        const parsed = parseQueryParams(`a=${encoded(value)}`, 'call-get');
        expect(parsed).toMatchObject({
          ok: true,
          value: { values: [value], params: { args: [{ name: 'a', value: 0 }], shape: 'a1:a' } },
        });
      }),
    );
  });
});

test('requests of one shape have one tree', () => {
  const byShape = new Map<string, string>();
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...positions), hostile), { minLength: 1, maxLength: 3 }), (parts) => {
      const parsed = parseQueryParams(parts.map(([position, text]) => position(text)).join('&'), 'call-get');
      if (!parsed.ok) return;
      const { shape } = parsed.value.params;
      const tree = JSON.stringify(treeOf(parsed.value.params));
      expect(byShape.get(shape) ?? tree).toBe(tree);
      byShape.set(shape, tree);
    }),
    { numRuns: 3000 },
  );
});

test('reading a text for its value and for its errors comes to the same', () => {
  const field = { name: 'f', path: [] };
  const rules: ((cursor: Cursor) => unknown)[] = [
    selectItems,
    orderTerms,
    columnList,
    treePath,
    logicPath,
    (cursor) => logicTree(cursor, [], logicFilter),
    (cursor) => condition(cursor, field, [], 'parameter'),
    (cursor) => condition(cursor, field, [], 'group'),
  ];
  fc.assert(
    fc.property(fc.constantFrom(...rules), hostile, (rule, text) => {
      const quiet = new Cursor(text);
      const explaining = new Cursor(text, true);
      expect(rule(quiet)).toEqual(rule(explaining));
      expect(quiet.pos).toBe(explaining.pos);
    }),
    { numRuns: 3000 },
  );
});

test('long texts take time in proportion to their length', () => {
  const long = 50_000;
  for (const query of [
    `select=${'a,'.repeat(long)}a`,
    `select=${'"'.repeat(long)}`,
    `select=${'a-'.repeat(long)}`,
    `select=${'data->'.repeat(long)}`,
    `order=${'a(b),'.repeat(long)}a`,
    `id=in.(${'",'.repeat(2_000)})`,
    `or=(${'a.eq.1,'.repeat(long)}a.eq.1)`,
    `or=(${'a.eq.{'.repeat(2_000)})`,
    `${'a.'.repeat(long)}b=eq.1`,
    `${'a=eq.1&'.repeat(long)}`,
    `${'&'.repeat(long)}`,
    `id=${'not.'.repeat(long)}`,
    `id=${'%'.repeat(long)}`,
  ]) {
    expect(typeof parseQueryParams(query, 'relation').ok).toBe('boolean');
  }
});
