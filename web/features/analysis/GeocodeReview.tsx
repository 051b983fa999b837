// Rows whose place was not found for certain: one after the other, what was asked, what was found, and where it is. The place is one of the candidates,
// another address, or a point on the map; what was checked is saved in the row itself, so the rest waits for another day.

import type { Point } from 'geojson';
import { useEffect, useMemo, useRef, useState } from 'react';
import { exchange } from '../../api/client.ts';
import { readFeature } from '../../api/edit-features.ts';
import type { Failure } from '../../api/failure.ts';
import type { Layer } from '../../api/types.ts';
import { useFreshFor } from '../../api/use-loaded.ts';
import type { StoredFeature } from '../../lib/edit/edit-session.ts';
import { candidatesOf, type GeocodedRow, isGeocoded, type PlaceChoice, placedBody } from '../../lib/geocode-review.ts';
import { isListOf, isNumber, isRecordOf } from '../../lib/guard.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { LazyMap } from '../../map/LazyMap.tsx';
import { Button } from '../../ui/Button.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { PlaceSearch } from '../viewer/PlaceSearch.tsx';
import './review.css';

const OPEN = encodeURIComponent("geocode_state in ('unsure','none','failed')");
const AT_ONCE = 20;

const isRows = isRecordOf<{ readonly features: readonly GeocodedRow[]; readonly numberMatched: number }>({
  features: isListOf(isGeocoded),
  numberMatched: isNumber,
});

export function GeocodeReview({ layer }: { readonly layer: Layer }) {
  const t = useText();
  const [loaded, again] = useFreshFor(isRows, `/ogc/collections/${layer.pk}/items?filter=${OPEN}&limit=${AT_ONCE}`);
  const [chosen, setChosen] = useState<string | number>();
  const [checked, setChecked] = useState(0);
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ features, numberMatched }) => {
        const row = features.find(({ id }) => id === chosen) ?? features[0];
        return (
          <section className="stack" aria-label={t('geocode.review')}>
            <p role="status">
              {t.count('geocode.open', numberMatched)}
              {checked > 0 && ` · ${t.count('geocode.checked', checked)}`}
            </p>
            {row !== undefined && (
              <div className="review">
                <ul className="review-rows">
                  {features.map((one) => (
                    <li key={one.id}>
                      <button
                        type="button"
                        className="review-row"
                        aria-current={one.id === row.id ? 'true' : undefined}
                        onClick={() => setChosen(one.id)}
                      >
                        {one.properties.geocode_address || t('geocode.no-address')}{' '}
                        <span className="badge">{t.entry('geocode-state', one.properties.geocode_state)}</span>
                      </button>
                    </li>
                  ))}
                </ul>
                <RowReview
                  key={row.id}
                  layer={layer}
                  row={row}
                  isNext={checked > 0}
                  onSaved={() => {
                    setChecked((n) => n + 1);
                    setChosen(undefined);
                    again();
                  }}
                />
              </div>
            )}
          </section>
        );
      }}
    </WhenLoaded>
  );
}

function RowReview({
  layer,
  row,
  isNext,
  onSaved,
}: {
  readonly layer: Layer;
  readonly row: GeocodedRow;
  /** It comes after one that was saved: whoever works by keyboard goes on here. */
  readonly isNext: boolean;
  readonly onSaved: () => void;
}) {
  const t = useText();
  const { geocode_address: address } = row.properties;
  const candidates = useMemo(() => candidatesOf(row), [row]);
  const [choice, setChoice] = useState<PlaceChoice | undefined>(candidates[0]);
  const [stored, setStored] = useState<StoredFeature>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNext) heading.current?.focus();
  }, [isNext]);
  useEffect(() => {
    void readFeature(layer.pk, row.id).then((reply) => {
      if (reply.ok) setStored(reply.value);
      else setFailure(reply.error);
    });
  }, [layer.pk, row.id]);
  const save = async (place: PlaceChoice | undefined): Promise<void> => {
    if (stored === undefined) return;
    const path = `/ogc/collections/${layer.pk}/items/${encodeURIComponent(String(row.id))}`;
    const reply = await during(
      exchange('PATCH', path, { headers: { 'If-Match': stored.tag }, body: placedBody(place, t('geocode.by-hand')) }),
    );
    if (reply.ok) onSaved();
    else setFailure(reply.error);
  };
  const drawn = useMemo(() => {
    const pin = (place: PlaceChoice) => ({
      type: 'Feature' as const,
      properties: {},
      geometry: { type: 'Point', coordinates: [place.lon, place.lat] } satisfies Point,
    });
    const shapes = (id: string, look: 'pins' | 'chosen', places: readonly PlaceChoice[]) => ({
      kind: 'shapes' as const,
      id,
      look,
      data: { type: 'FeatureCollection' as const, features: places.map(pin) },
    });
    return [shapes('candidates', 'pins', candidates), shapes('chosen', 'chosen', choice === undefined ? [] : [choice])];
  }, [candidates, choice]);
  const goTo = useMemo(
    () =>
      choice === undefined
        ? undefined
        : { camera: { center: [choice.lon, choice.lat] as const, zoom: choice.zoom ?? NEAR_ZOOM } },
    [choice],
  );
  return (
    <div className="stack">
      <h3 ref={heading} tabIndex={-1}>
        {address || t('geocode.no-address')}
      </h3>
      {candidates.length > 0 && (
        <fieldset className="join-columns">
          <legend>{t('geocode.found')}</legend>
          {candidates.map((one) => (
            <label key={`${one.name} ${one.lon} ${one.lat}`} className="check">
              <input type="radio" name="candidate" checked={choice === one} onChange={() => setChoice(one)} />
              {one.name}{' '}
              <span className="soft number">
                {placeText(one)} · {t('geocode.score', { percent: scoreText(one) })}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {choice !== undefined && !candidates.includes(choice) && (
        <p role="status">{t('geocode.chosen', { place: choice.name || placeText(choice, 5) })}</p>
      )}
      <p className="soft small-text">{t('geocode.map-hint')}</p>
      <div className="resource-map">
        <LazyMap
          label={t('geocode.map')}
          drawn={drawn}
          goTo={goTo}
          onPoint={([lon, lat]) => setChoice({ name: '', lon, lat, score: undefined, zoom: choice?.zoom })}
        />
        <PlaceSearch
          onGo={({ center: [lon, lat], zoom }, name = '') => setChoice({ name, lon, lat, score: undefined, zoom })}
        />
      </div>
      <Wrong failure={failure} />
      <div className="row">
        <Button
          look="primary"
          disabled={isBusy || stored === undefined || choice === undefined}
          onClick={() => void save(choice)}
        >
          {t('geocode.accept')}
        </Button>
        <Button disabled={isBusy || stored === undefined} onClick={() => void save(undefined)}>
          {t('geocode.without')}
        </Button>
      </div>
    </div>
  );
}

const NEAR_ZOOM = 14;

function placeText({ lon, lat }: PlaceChoice, digits = 3): string {
  return `${lat.toFixed(digits)}, ${lon.toFixed(digits)}`;
}

function scoreText({ score }: PlaceChoice): string {
  return String(Math.round((score ?? 0) * 100));
}
