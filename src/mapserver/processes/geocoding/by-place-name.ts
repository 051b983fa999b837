// Names of towns and countries → places, by the packaged gazetteer. Where several places have a name, the largest is proposed, and is sure if it is
// much larger than the others together.

import { ok } from '../../../kernel/result.ts';
import type { FoundPlace } from '../../basemaps/find-places.ts';
import { packagedGazetteer } from '../../basemaps/packaged-gazetteer.ts';
import { plainName } from '../../basemaps/plain-name.ts';
import { countryCode } from './country-code.ts';
import type { Address, Lookup } from './lookup.ts';
import { judge, type Match, metresBetween, NO_MATCH } from './match.ts';

const MAX_ROWS = 200_000;

export const BY_PLACE_NAME: Lookup = {
  source: 'place names',
  maxRows: MAX_ROWS,
  async find(addresses) {
    const gazetteer = await packagedGazetteer();
    const found = await gazetteer.named(new Set(addresses.map(nameOf)));
    return ok(addresses.map((address) => matchOf(address, found.get(nameOf(address)) ?? [])));
  },
};

/** Where only a country is said, that is the place. */
function nameOf({ place, country }: Address): string {
  return plainName(place === '' ? country : place);
}

function matchOf({ place, country }: Address, found: readonly FoundPlace[]): Match {
  if (place === '' && country === '') return NO_MATCH;
  const code = place === '' ? '' : country === '' ? undefined : countryCode(country);
  const there = withoutParts(code === undefined ? found : found.filter((one) => one.country === code));
  const sizes = there.map(
    ({ people, country: within }) => (within === '' ? Number.MAX_SAFE_INTEGER : (people ?? 0)) + 1,
  );
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const match = judge(
    there.map(({ name, country: within, lon, lat }, i) => ({
      name: within === '' ? name : `${name}, ${within}`,
      lon,
      lat,
      score: Math.round(((sizes[i] ?? 0) / all) * 100) / 100,
    })),
  );
  // A country that is not understood may be another one than that of the largest.
  const isStrange = place !== '' && country !== '' && code === undefined;
  return isStrange && match.state === 'sure' ? { ...match, state: 'unsure' } : match;
}

/** Districts that are called as their town is. The larger ones come first. */
function withoutParts(found: readonly FoundPlace[]): readonly FoundPlace[] {
  return found.filter(
    (one, i) =>
      !found.slice(0, i).some((larger) => larger.country === one.country && metresBetween(larger, one) < PART_METRES),
  );
}

const PART_METRES = 15_000;
