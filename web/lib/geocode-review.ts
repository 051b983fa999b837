// A row whose place was looked up, what may be its place, and what is saved of the one that somebody has chosen. Pure.

import { isEither, isNumber, isObject, isRecordOf, isText } from './guard.ts';

export type GeocodedRow = {
  readonly id: string | number;
  readonly properties: {
    readonly geocode_address: string;
    readonly geocode_state: string;
    readonly geocode_source?: unknown;
    readonly geocode_candidates?: unknown;
  };
};

const isProperties = isRecordOf<{ readonly geocode_address: string; readonly geocode_state: string }>({
  geocode_address: isText,
  geocode_state: isText,
});

export function isGeocoded(value: unknown): value is GeocodedRow {
  return isObject(value) && isEither(isText, isNumber)(value['id']) && isProperties(value['properties']);
}

export type PlaceChoice = {
  /** Empty: a point on the map. */
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
  readonly score: number | undefined;
  /** How near it is looked at; undefined: as near as an address. */
  readonly zoom?: number | undefined;
};

const isCandidate = isRecordOf<{
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
  readonly score: number;
}>({
  name: isText,
  lon: isNumber,
  lat: isNumber,
  score: isNumber,
});

/** How near an address is looked at, and a place that is less exact. */
const NEAR = 15;
const TOWN = 8;

/** The best first. */
export function candidatesOf({ properties }: GeocodedRow): readonly PlaceChoice[] {
  const { geocode_candidates: found, geocode_source: source } = properties;
  const zoom = source === 'geocoder' ? NEAR : TOWN;
  return Array.isArray(found)
    ? found.filter(isCandidate).map(({ name, lon, lat, score }) => ({ name, lon, lat, score, zoom }))
    : [];
}

/** Undefined: it has none. `byHand`: what the source is called then. */
export function placedBody(place: PlaceChoice | undefined, byHand: string): Readonly<Record<string, unknown>> {
  const isCandidateOfOurs = place?.score !== undefined;
  return {
    geometry: place === undefined ? null : { type: 'Point', coordinates: [place.lon, place.lat] },
    properties: {
      geocode_state: 'checked',
      geocode_match: place === undefined || place.name === '' ? null : place.name,
      geocode_score: place?.score ?? null,
      ...(isCandidateOfOurs ? {} : { geocode_source: place === undefined ? null : byHand }),
    },
  };
}
