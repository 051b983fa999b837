import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { levenshtein } from './levenshtein.ts';
import { makeNameIndex, makeNearestName, nearestOf, SIMILAR } from './nearest-name.ts';

const NAMES = [
  'articles',
  'authors_only',
  'clients',
  'collision_test_table',
  'factories',
  'foo',
  'items',
  'menagerie',
  'private_table',
  'projects',
  'sayhello',
  'tasks',
  'users_tasks',
  'Escap3e;',
  'موارد',
];

describe('nearest name', () => {
  test.each([
    ['faketable', 'private_table'],
    ['garlic', 'articles'],
    ['fake', 'factories'],
    ['foozle', 'foo'],
    ['non_existent_table', 'collision_test_table'],
    ['sayhell', 'sayhello'],
    ['project', 'projects'],
    ['usertasks', 'users_tasks'],
    ['escape', 'Escap3e;'],
    ['مورد', 'موارد'],
  ])('%s probably means %s', (asked, meant) => {
    expect(makeNearestName(NAMES)(asked)).toBe(meant);
  });

  test('a name that differs in case only is the best there is', () => {
    expect(makeNameIndex(NAMES)('ITEMS')).toEqual({ name: 'items', score: 1 });
  });

  test.each([
    [['Items', 'items'], 'iTEMS', 'items'],
    [['ITEMS', 'items'], 'iTEMS', 'ITEMS'],
    [['Foo', 'foo'], 'foozle', 'foo'],
    [['foo', 'Foo'], 'Foozle', 'Foo'],
    [['foo', 'Foo'], 'FOOZLE', 'Foo'],
  ])('of %j, equally near without regard to case, %s means %s', (names, asked, meant) => {
    expect(nearestOf(names, asked)).toBe(meant);
  });

  test.each([
    ['diary_comments', ['geometry_contains', 'changesets'], undefined],
    ['garlic', NAMES, undefined],
    ['peple', ['people', 'places'], 'people'],
    ['abcd', ['abcx'], 'abcx'],
    ['abc', ['abx'], undefined],
  ])(
    'among all the names of a schema, %s in %j means %s: only a name three quarters alike is suggested',
    (asked, names, meant) => {
      expect(makeNearestName(names, SIMILAR.amongAll)(asked)).toBe(meant);
    },
  );

  test('the score counts edits on the names as they are, underscores included', () => {
    expect(makeNameIndex(['users_tasks'])('userstasks')?.score).toBeCloseTo(1 - 1 / 11);
  });

  test('pairs of letters are asked only where triples find nothing near enough', () => {
    // The second is nearer, but shares only the pairs "ab" and "ef" with what was asked.
    expect(nearestOf(['abqqqq', 'xabyefx'], 'abcdef')).toBe('abqqqq');
    expect(nearestOf(['xabyefx'], 'abcdef')).toBe('xabyefx');
    expect(nearestOf(['abqqqqq', 'xabyefx'], 'abcdef')).toBe('xabyefx');
  });

  test.each([
    ['zzzzzz', NAMES],
    ['', NAMES],
    ['items', []],
    ['___', ['abc']],
    ['q', ['items']],
  ])('%j has nothing near it in %j', (asked, names) => {
    expect(nearestOf(names, asked)).toBeUndefined();
  });

  test('a question far longer than any name is refused without being compared', () => {
    expect(nearestOf(NAMES, 'items'.repeat(200_000))).toBeUndefined();
    expect(nearestOf(['x'.repeat(5000)], `${'x'.repeat(4999)}y`)).toBeUndefined();
  });

  test('questions do not disturb each other', () => {
    const nearest = makeNearestName(NAMES);
    const asked = ['sayhell', 'fake', 'sayhell', 'garlic', 'fake'];
    expect(asked.map(nearest)).toEqual(['sayhello', 'factories', 'sayhello', 'articles', 'factories']);
  });

  test('it finds what comparing with every name would find', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', '_', 'B'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 40 }), name, (names, asked) => {
        const found = makeNameIndex(names)(asked);
        expect(found?.score ?? 0).toBeCloseTo(scoreByScan(names, asked));
      }),
      { numRuns: 500 },
    );
  });

  test('hostile names and questions are only text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 12 }), { maxLength: 6 }),
        fc.string({ unit: 'binary' }),
        (names, asked) => {
          const found = nearestOf(names, asked);
          expect(found === undefined || names.includes(found)).toBe(true);
        },
      ),
    );
  });
});

/** The rule as it is written, name by name; fewer than 50 names, so all that share a gram are compared. */
function scoreByScan(names: readonly string[], asked: string): number {
  const lower = asked.toLowerCase();
  if (names.some((name) => name.toLowerCase() === lower)) return 1;
  const gramsOf = (text: string, size: number) => {
    const wrapped = `-${text.replace(/[^a-z]/g, '')}-`;
    return new Set(
      Array.from({ length: Math.max(0, wrapped.length - size + 1) }, (_, i) => wrapped.slice(i, i + size)),
    );
  };
  for (const size of [3, 2]) {
    const asking = gramsOf(lower, size);
    const scores = names
      .map((name) => name.toLowerCase())
      .filter((name) => [...gramsOf(name, size)].some((gram) => asking.has(gram)))
      .map((name) => 1 - (levenshtein(lower, name, 1000) ?? 0) / Math.max(lower.length, name.length))
      .filter((score) => score >= 0.33);
    if (scores.length > 0) return Math.max(...scores);
  }
  return 0;
}
