// A description of the data as XML (ISO 19139, FGDC) → what the catalogue has fields for. Only text is taken from it: no entity
// but XML's own, nothing from elsewhere.

import { SaxesParser } from 'saxes';

export type DataDescription = {
  readonly title?: string;
  readonly abstract?: string;
  readonly purpose?: string;
  readonly supplemental?: string;
  readonly quality?: string;
  readonly edition?: string;
  readonly language?: string;
  /** Of ISO's topic categories. */
  readonly category?: string;
  readonly keywords: readonly string[];
  /** Keywords that name places: regions, where the catalogue knows them. */
  readonly places: readonly string[];
};

type Text = Exclude<keyof DataDescription, 'keywords' | 'places'>;
type Field = Text | 'keyword' | 'place';

/** The last elements of a path, without prefixes, and the field its text goes to. The first that is found counts. */
const PLACES: readonly (readonly [path: string, field: Field])[] = [
  // ISO: …/MD_DataIdentification/citation/CI_Citation/title/CharacterString
  ['MD_DataIdentification/citation/CI_Citation/title/CharacterString', 'title'],
  ['MD_DataIdentification/abstract/CharacterString', 'abstract'],
  ['MD_DataIdentification/purpose/CharacterString', 'purpose'],
  ['MD_DataIdentification/supplementalInformation/CharacterString', 'supplemental'],
  ['MD_DataIdentification/citation/CI_Citation/edition/CharacterString', 'edition'],
  ['MD_DataIdentification/topicCategory/MD_TopicCategoryCode', 'category'],
  ['LI_Lineage/statement/CharacterString', 'quality'],
  ['MD_Keywords/keyword/CharacterString', 'keyword'],
  ['MD_Keywords/keyword/Anchor', 'keyword'],
  ['MD_Metadata/language/CharacterString', 'language'],
  ['MD_Metadata/language/LanguageCode', 'language'],
  // FGDC: metadata/idinfo/citation/citeinfo/title
  ['idinfo/citation/citeinfo/title', 'title'],
  ['idinfo/citation/citeinfo/edition', 'edition'],
  ['idinfo/descript/abstract', 'abstract'],
  ['idinfo/descript/purpose', 'purpose'],
  ['idinfo/descript/supplinf', 'supplemental'],
  ['idinfo/keywords/theme/themekey', 'keyword'],
  ['idinfo/keywords/place/placekey', 'place'],
  ['dataqual/logic', 'quality'],
];

const LIMITS: Readonly<Record<Field, number>> = {
  title: 255,
  abstract: 2000,
  purpose: 500,
  supplemental: 2000,
  quality: 2000,
  edition: 255,
  language: 3,
  category: 255,
  keyword: 100,
  place: 100,
};
const GROUP = 'MD_Keywords';
const MAX_KEYWORDS = 100;
const MAX_DEPTH = 200;

/** Undefined: it is not a description that can be read; the data are what counts. */
export function parseDescription(xml: string): DataDescription | undefined {
  const parser = new SaxesParser({ xmlns: false });
  const path: string[] = [];
  const found: Partial<Record<Text, string>> = {};
  const keywords = new Set<string>();
  const places = new Set<string>();
  /** Of the group at hand; ISO says behind them what they are. */
  let group: string[] = [];
  let isOfPlaces = false;
  let text = '';
  const stop = (): never => {
    throw new Unreadable();
  };
  parser.on('error', stop);
  parser.on('doctype', stop);
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name.slice(name.indexOf(':') + 1));
    if (path.length > MAX_DEPTH) stop();
    text = '';
    const code = attributes['codeListValue'];
    if (path.at(-1) === 'LanguageCode' && typeof code === 'string') text = code;
    if (path.at(-1) === 'MD_KeywordTypeCode' && path.at(-3) === GROUP) isOfPlaces = code === 'place';
  });
  const keep = (value: string, isPlace: boolean): void => {
    if (keywords.size + places.size < MAX_KEYWORDS) (isPlace ? places : keywords).add(value);
  };
  const endGroup = (): void => {
    for (const value of group) keep(value, isOfPlaces);
    group = [];
    isOfPlaces = false;
  };
  const add = (part: string): void => {
    if (text.length < 10_000) text += part;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const here = path.join('/');
    const field = PLACES.find(([place]) => here === place || here.endsWith(`/${place}`))?.[1];
    if (path.at(-1) === GROUP) endGroup();
    path.pop();
    const value = [...text.replace(/\s+/g, ' ').trim()].slice(0, field === undefined ? 0 : LIMITS[field]).join('');
    text = '';
    if (field === undefined || value === '') return;
    if (field === 'place') keep(value, true);
    else if (field === 'keyword') {
      if (!here.includes(`${GROUP}/`)) keep(value, false);
      else if (group.length < MAX_KEYWORDS) group.push(value);
    } else if (field === 'language') {
      if (/^[a-z]{3}$/.test(value)) found.language ??= value;
    } else found[field] ??= value;
  });
  try {
    parser.write(xml).close();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
  return { ...found, keywords: [...keywords], places: [...places] };
}

/** Ends the reading at once: what follows could only cost time. */
class Unreadable extends Error {}
