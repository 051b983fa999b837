import { expect, test } from 'vitest';
import { completeSql } from './sql-completion.ts';

const TABLES = [
  { schema: 'layers', name: 'trees', columns: ['fid', 'species', 'Height m', 'geom'] },
  { schema: 'layers', name: 'towns', columns: ['fid', 'name'] },
  { schema: 'portal', name: 'resource', columns: ['id', 'title'] },
];
/** The caret is at the bar. */
const complete = (text: string, isAsked = false): readonly string[] | undefined => {
  const caret = text.indexOf('|');
  return completeSql(text.replace('|', ''), caret, TABLES, isAsked)?.options.map((option) => option.text);
};

test.each([
  ['select * from tr|', ['trees']],
  ['select sp| from trees', ['species']],
  ['select he| from trees', ['"Height m"']],
  ['select t.| from trees as t', ['fid', 'species', '"Height m"', 'geom']],
  ['select x.f| from "trees" x, towns', ['fid']],
  ['select * from portal.|', ['resource']],
  ['select nothing.|', undefined],
  ['selec|', ['select']],
  ['select|', undefined],
  ['s|', undefined],
  ["select 'tr|", undefined],
  ['-- tr|', undefined],
  ['select zz| from trees', undefined],
])('in %s', (text, options) => {
  expect(complete(text)).toEqual(options);
});

test('who asks is told what there is, though nothing is typed', () => {
  expect(complete('select | from towns', true)?.slice(0, 3)).toEqual(['fid', 'name', 'trees']);
  expect(completeSql('select sp from trees', 9, TABLES)).toMatchObject({ from: 7, to: 9 });
});
