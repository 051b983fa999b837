import { expect, test } from 'vitest';
import type { DocSection } from './doc-page.ts';
import { searchDocs } from './search-docs.ts';

const section = (title: string, heading: string | undefined, text: string): DocSection => ({
  page: title.toLowerCase(),
  title,
  heading: heading === undefined ? undefined : { id: heading, text: heading },
  text,
});

const SECTIONS = [
  section('Uploads', 'Limits', 'A late word about tiles.'),
  section('Tiles', undefined, 'What is drawn.'),
  section('Maps', 'Tiles of a map', 'Drawn by the server.'),
  section('Maps', 'Colours', 'None of it.'),
];
const found = (asked: string): readonly (string | undefined)[] =>
  searchDocs(SECTIONS, asked).map(({ section: { heading, title } }) => heading?.text ?? title);

test('the best comes first: a heading before a title, and a title before the text', () => {
  expect(found('tiles')).toEqual(['Tiles of a map', 'Tiles', 'Limits']);
});

test('a section has all of the words, whole or begun', () => {
  expect(found('tile drawn')).toEqual(['Tiles of a map', 'Tiles']);
  expect(found('tiles, nothing')).toEqual([]);
  expect(found(' , ')).toEqual([]);
});
