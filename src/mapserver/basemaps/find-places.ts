// Place search in the packaged gazetteer: names of cities, towns and countries by their beginnings, whatever their accents. Pure.

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

/** `Zürich` and `zurich` are one; so are `Łódź` and `lodz`. */
export function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('đ', 'd');
}

export type Gazetteer = { find(query: string, language: string): readonly FoundPlace[] };

export function makeGazetteer({ places, countries }: WorldData, toDegrees: ToDegrees): Gazetteer {
  const listed = [
    ...countries.map(({ name, german, at }) => ({
      ...namesOf(name, german),
      country: '',
      people: null,
      at: toDegrees(at),
    })),
    // The largest first.
    ...places.map(({ name, german, country, people, lon, lat }) => ({
      ...namesOf(name, german),
      country,
      people,
      at: [lon, lat] as const,
    })),
  ];
  return {
    find(query, language) {
      const wanted = plainName(query.trim().slice(0, MAX_QUERY));
      if (wanted === '') return [];
      const [whole, begun, inside]: (typeof listed)[] = [[], [], []];
      for (const one of listed) {
        if (one.plain === wanted || one.plainGerman === wanted) whole?.push(one);
        else if (one.plain.startsWith(wanted) || one.plainGerman.startsWith(wanted)) begun?.push(one);
        else if ((inside?.length ?? 0) < MAX && isWordIn(one.plain, wanted)) inside?.push(one);
        if ((whole?.length ?? 0) >= MAX) break;
      }
      return [...(whole ?? []), ...(begun ?? []).slice(0, MAX), ...(inside ?? [])]
        .slice(0, MAX)
        .map(({ name, german, country, people, at: [lon, lat] }) => ({
          name: language === 'de' ? german : name,
          country,
          lon,
          lat,
          people,
        }));
    },
  };
}

export type ToDegrees = (metres: readonly [number, number]) => readonly [lon: number, lat: number];

function namesOf(
  name: string,
  german: string,
): { readonly name: string; readonly german: string; readonly plain: string; readonly plainGerman: string } {
  const plain = plainName(name);
  return { name, german, plain, plainGerman: german === name ? plain : plainName(german) };
}

/** At the beginning of a later word: `am Main`. */
function isWordIn(name: string, wanted: string): boolean {
  const at = name.indexOf(wanted);
  return at > 0 && /[\s\-(]/.test(name[at - 1] ?? '');
}
