// Place search: the packaged gazetteer, or a service that the operator named; the server asks it.

import { isEither, isListOf, isNumber, isOneOf, isRecordOf, isText } from '../lib/guard.ts';
import type { Result } from '../lib/result.ts';
import { getFor } from './client.ts';
import type { Failure } from './failure.ts';

export type FoundPlace = {
  readonly name: string;
  readonly country: string;
  readonly lon: number;
  readonly lat: number;
  readonly people: number | null;
};

const isPlaces = isRecordOf<{ readonly places: readonly FoundPlace[] }>({
  places: isListOf(
    isRecordOf<FoundPlace>({
      name: isText,
      country: isText,
      lon: isNumber,
      lat: isNumber,
      people: isEither(isNumber, isOneOf(null)),
    }),
  ),
});

export function findPlaces(
  query: string,
  language: string,
  signal: AbortSignal,
): Promise<Result<{ readonly places: readonly FoundPlace[] }, Failure>> {
  return getFor(isPlaces, `/basemap/places.json?${new URLSearchParams({ q: query, language })}`, signal);
}
