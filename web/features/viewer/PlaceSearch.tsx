// Finding a place on the map by its name, or by its coordinates.

import { useEffect, useState } from 'react';
import { type FoundPlace, findPlaces } from '../../api/search.ts';
import { parseCoordinates } from '../../lib/coordinates.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { Camera } from '../../map/MapView.tsx';
import { Icon } from '../../ui/Icon.tsx';
import './place-search.css';

const TYPING_MS = 250;

export function PlaceSearch({
  onGo,
}: {
  /** `name`: of the place; undefined: coordinates were typed. */
  readonly onGo: (to: Camera, name?: string) => void;
}) {
  const t = useText();
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<{ readonly query: string; readonly places: readonly FoundPlace[] }>();
  useEffect(() => {
    if (query.trim().length < 2) return setFound(undefined);
    const asked = new AbortController();
    const later = window.setTimeout(() => {
      void findPlaces(query, t.language, asked.signal).then((reply) => {
        if (!asked.signal.aborted) setFound({ query, places: reply.ok ? reply.value.places : [] });
      });
    }, TYPING_MS);
    return () => {
      window.clearTimeout(later);
      asked.abort();
    };
  }, [query, t.language]);
  const at = parseCoordinates(query);
  const close = (): void => {
    setQuery('');
    setFound(undefined);
  };
  const go = (
    { lon, lat, people, country }: Pick<FoundPlace, 'lon' | 'lat' | 'people' | 'country'>,
    name?: string,
  ): void => {
    const zoom = people === null ? (country === '' ? 5 : 15) : people > 1_000_000 ? 10 : people > 50_000 ? 12 : 13;
    onGo({ center: [lon, lat], zoom }, name);
    close();
  };
  const regions = new Intl.DisplayNames([t.language], { type: 'region' });
  return (
    <search className="place-search" aria-label={t('search.places')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = found?.places ?? [];
          if (at !== undefined) go({ lon: at[0], lat: at[1], people: null, country: 'x' });
          else if (first !== undefined) go(first, first.name);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
        }}
      >
        <label className="place-search-field">
          <Icon name="search" />
          <span className="visually-hidden">{t('search.places')}</span>
          <input
            type="search"
            value={query}
            maxLength={100}
            placeholder={t('search.hint')}
            autoComplete="off"
            onChange={(event) => setQuery(event.target.value)}
          />
        </label>
        {found !== undefined && found.query === query && (
          <ul className="place-search-list">
            {found.places.map((place) => (
              <li key={`${place.name} ${place.lon} ${place.lat}`}>
                <button type="button" onClick={() => go(place, place.name)}>
                  {place.name}
                  {place.country.length === 2 && <span className="soft"> {regions.of(place.country)}</span>}
                </button>
              </li>
            ))}
            {found.places.length === 0 && at === undefined && <li className="soft">{t('search.nothing')}</li>}
          </ul>
        )}
      </form>
    </search>
  );
}
