import { expect, test } from 'vitest';
import { map } from '../../kinds/map/fields.ts';
import { ignoredIn } from './ignored.ts';

const of = (...sources: readonly Record<string, unknown>[]) =>
  ignoredIn(sources.map((source) => ({ recordType: map, source })));

test('names what no field has, once, however many elements have it, and nothing where there is nothing', () => {
  expect(of({ title: 'x', colour: 1 }, { colour: 2, size: 3 })).toEqual({ ignored: ['colour', 'size'] });
  expect(of({ title: 'x', id: 1, pk: 1, _meta: {}, csrfmiddlewaretoken: 'x', created: 'read-only' })).toEqual({});
});

test('names no more than anybody reads, and no more of a name', () => {
  const many = (from: number) => Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`n${from + n}`, 1]));
  expect(of(many(0), many(15), many(30)).ignored).toHaveLength(20);
  expect(of({ ['x'.repeat(300)]: 1 }).ignored).toEqual(['x'.repeat(100)]);
});
