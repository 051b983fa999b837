import { expect, test } from 'vitest';
import type { DbError } from '../../pg/driver.ts';
import { type CatalogueQuery, WHOLE } from '../query/catalogue-query.ts';
import type { Collection } from './collection.ts';
import { cellOf, envelope, numberIn, readFailure, visitorAnswer, withFreshPlan, withTimeLimit } from './read.ts';

const WITH_REGEX = {
  ...WHOLE,
  conditions: [{ kind: 'search', fields: [{ how: 'regex' }] }],
} as unknown as CatalogueQuery;
const statement = { text: 'select 1', params: [] };

test('a visitor is told of an item what the collection says of visitors, and everybody else is looked up', () => {
  const told = (visitors: Collection['visitors'], isVisitor = true) => visitorAnswer({ isVisitor }, { visitors })?.kind;
  expect((['welcome', 'see-nothing', 'see-no-items', 'refused'] as const).map((one) => told(one))).toEqual([
    undefined,
    'not-found',
    'not-authenticated',
    'not-authenticated',
  ]);
  expect(told('refused', false)).toBeUndefined();
});

test('a regular expression has five seconds, and who sends one that takes longer is told so', () => {
  expect(withTimeLimit(WHOLE, [statement])).toEqual([statement]);
  expect(withTimeLimit(WITH_REGEX, [statement])).toEqual([
    expect.objectContaining({ text: "select set_config('statement_timeout', '5s', true)" }),
    statement,
  ]);
  const late = { kind: 'sql', sqlstate: '57014', message: 'canceling' } as DbError;
  expect(readFailure(late, WITH_REGEX)).toMatchObject({ kind: 'invalid-request' });
  expect(readFailure(late, WHOLE)).toEqual({ kind: 'database', error: late });
  const other = { kind: 'sql', sqlstate: '42501', message: 'no' } as DbError;
  expect(readFailure(other, WITH_REGEX)).toEqual({ kind: 'database', error: other });
  expect(readFailure({ kind: 'lost', message: 'x' }, WITH_REGEX)).toMatchObject({ kind: 'database' });
  expect(withFreshPlan([statement])).toEqual([
    expect.objectContaining({ text: expect.stringContaining("'force_custom_plan'") }),
    statement,
  ]);
});

test('a record stands under its name, with what became of the request beside it; a bare one has that inside', () => {
  const named = { item: 'map', list: 'maps' } as Collection;
  const said = (collection: Collection, form: 'item' | 'list', json: string, meta?: Record<string, unknown>) =>
    String(Buffer.from(envelope(collection, form, Buffer.from(json), meta)));
  expect(said(named, 'item', '{"a":1}')).toBe('{"map":{"a":1}}');
  expect(said(named, 'list', '[]', { updated: 2 })).toBe('{"maps":[],"meta":{"updated":2}}');
  const bare = { ...named, isBare: true };
  expect(said(bare, 'item', '{"a":1}')).toBe('{"a":1}');
  expect(said(bare, 'list', '[]')).toBe('[]');
  expect(said(bare, 'item', '{"a":1}', { ignored: ['b'] })).toBe('{"a":1,"meta":{"ignored":["b"]}}');
});

test('the first cell of an answer, which may not be there', () => {
  const answer = (cell: string | null) => ({ rows: [[cell === null ? null : Buffer.from(cell)]], tag: '' }) as never;
  expect([numberIn(answer('7')), numberIn(answer(null)), numberIn(undefined)]).toEqual([7, 0, 0]);
  expect([cellOf(answer(null)), cellOf(undefined), String(cellOf(answer('x')))]).toEqual([undefined, undefined, 'x']);
});
