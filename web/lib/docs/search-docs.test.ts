import { expect, test } from 'vitest';
import type { DocSection } from './doc-page.ts';
import { inLanguage, searchDocs } from './search-docs.ts';

const section = (title: string, heading: string | undefined, text: string): DocSection => ({
  page: title.toLowerCase(),
  title,
  heading: heading === undefined ? undefined : { id: heading, text: heading, language: 'en' },
  text,
  language: 'en',
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

test('a translated section takes the place of the English one', () => {
  const german: DocSection = {
    page: 'maps',
    title: 'Karten',
    heading: { id: 'Colours', text: 'Farben', language: 'de' },
    text: 'Nichts davon.',
    language: 'de',
  };
  expect(inLanguage(SECTIONS, [german]).map(({ heading, title }) => heading?.text ?? title)).toEqual([
    'Farben',
    'Limits',
    'Tiles',
    'Tiles of a map',
  ]);
});
