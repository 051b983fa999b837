// Place search in the packaged gazetteer: names of cities, towns and countries by their beginnings, whatever their accents. Pure.

import { inSlices, type Stage } from '../../kernel/in-slices.ts';
import { plainName } from './plain-name.ts';
import type { WorldData } from './world-data.ts';

export type FoundPlace = {
  readonly name: string;
  /** Two letters; empty: it is a country itself. */
  readonly country: string;
  readonly lon: number;
  readonly lat: number;
  readonly people: number | null;
};

export const MAX_QUERY = 100;
const MAX = 10;

export type Gazetteer = {
  find(query: string, language: string): readonly FoundPlace[];
  /** Places that are called exactly so, in any language, the largest first; names are plain ones. All of them are looked for in one pass. */
  named(names: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly FoundPlace[]>>;
};

/** Of one name. */
const MAX_NAMESAKES = 20;

/** Each place with all of its names in one text, a line each: half of the memory of as many texts, and two searches in it tell all. */
export async function makeGazetteer({ places, countries }: WorldData, toDegrees: ToDegrees): Promise<Gazetteer> {
  const listed: Listed[] = countries.map(({ name, german, at }) => ({
    names: { de: german, en: name },
    plain: plainLines([name, german]),
    country: '',
    people: null,
    at: toDegrees(at),
  }));
  // The largest first.
  await inSlices(listPlaces(places, listed));
  return {
    find(query, language) {
      const wanted = plainName(query.trim().slice(0, MAX_QUERY));
      if (wanted === '' || wanted.includes('\n')) return [];
      const [whole, begun, inside]: [Listed[], Listed[], Listed[]] = [[], [], []];
      for (const one of listed) {
        // Most have it nowhere, and are done with.
        if (!one.plain.includes(wanted)) continue;
        if (one.plain.includes(`\n${wanted}\n`)) whole.push(one);
        else if (begun.length < MAX && one.plain.includes(`\n${wanted}`)) begun.push(one);
        else if (inside.length < MAX && isWordIn(one.plain, wanted)) inside.push(one);
        if (whole.length >= MAX) break;
      }
      return [...whole, ...begun, ...inside].slice(0, MAX).map(({ names, country, people, at: [lon, lat] }) => ({
        name: names[language] ?? names['en'] ?? '',
        country,
        lon,
        lat,
        people,
      }));
    },
    named: (names) => inSlices(findNamed(listed, names)),
  };
}

function* findNamed(
  listed: readonly Listed[],
  names: ReadonlySet<string>,
): Stage<ReadonlyMap<string, readonly FoundPlace[]>> {
  const found = new Map<string, FoundPlace[]>();
  for (const [i, { names: shown, plain, country, people, at }] of listed.entries()) {
    for (const name of plain.split('\n')) {
      if (!names.has(name)) continue;
      const some = found.get(name) ?? [];
      found.set(name, some);
      if (some.length < MAX_NAMESAKES)
        some.push({ name: shown['en'] ?? name, country, lon: at[0], lat: at[1], people });
    }
    if ((i & SLICE) === 0) yield;
  }
  return found;
}

type Listed = {
  readonly names: Readonly<Record<string, string>>;
  /** Each name between line breaks. */
  readonly plain: string;
  readonly country: string;
  readonly people: number | null;
  readonly at: readonly [lon: number, lat: number];
};

const SLICE = 255;

function* listPlaces(places: WorldData['places'], listed: Listed[]): Stage<void> {
  for (const [i, { name, german, english, french, spanish, others, country, people, lon, lat }] of places.entries()) {
    const plain = plainLines([name, german, english, french, spanish, others.replaceAll('|', '\n')]);
    listed.push({
      names: { de: german, en: english, fr: french, es: spanish },
      plain,
      country,
      people,
      at: [lon, lat],
    });
    if ((i & SLICE) === 0) yield;
  }
}

function plainLines(names: readonly string[]): string {
  return `\n${plainName([...new Set(names)].join('\n'))}\n`;
}

export type ToDegrees = (metres: readonly [number, number]) => readonly [lon: number, lat: number];

/** At the beginning of a later word of the first name: `am Main`. */
function isWordIn(plain: string, wanted: string): boolean {
  const at = plain.indexOf(wanted);
  return at > 1 && at < plain.indexOf('\n', 1) && /[\s\-(]/.test(plain[at - 1] ?? '');
}
