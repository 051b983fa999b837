// Ways to narrow the search, each with the number of items behind it as the portal counts them for this reader.

import { useState } from 'react';
import { RESOURCE_TYPES } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { type CatalogueState, filterParams } from '../../lib/catalogue-state.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ExtentFacet } from './ExtentFacet.tsx';

type Entry = { readonly value: string; readonly label: string; readonly count: number };
/** `replace`: not worth a way back. */
type Change = (next: Partial<CatalogueState>, replace?: boolean) => void;

const SHOWN = 6;
const ASKED = 40;

export function Facets({ state, onChange }: { readonly state: CatalogueState; readonly onChange: Change }) {
  const t = useText();
  const params = filterParams(state);
  params.set('page_size', String(ASKED));
  const [loaded] = useLoaded(`/api/v2/resources/facets/?${params}`);
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  const entries = (name: string): readonly Entry[] =>
    loaded.kind === 'loaded' ? (loaded.value.facets.find((facet) => facet.name === name)?.entries ?? []) : [];
  return (
    <aside className={isOpen ? 'facets open' : 'facets'} aria-label={t('facet.all')}>
      <Button className="facets-toggle" aria-expanded={isOpen} icon="menu" onClick={() => setOpen(!isOpen)}>
        {t('facet.all')}
      </Button>
      <div className="facets-body">
        {user !== null && user !== undefined && (
          <label className="check">
            <input
              type="checkbox"
              checked={state.favourites}
              onChange={(event) => onChange({ favourites: event.target.checked })}
            />
            <span className="grow">{t('favourite.mine')}</span>
          </label>
        )}
        <Facet
          title={t('facet.type')}
          entries={RESOURCE_TYPES.map((type) => ({
            value: type,
            label: t.entry('type', type),
            count: entries('resource_type').find((one) => one.value === type)?.count ?? 0,
          })).filter(({ value, count }) => count > 0 || state.types.some((type) => type === value))}
          chosen={state.types}
          onChange={(types) => onChange({ types: RESOURCE_TYPES.filter((type) => types.includes(type)) })}
        />
        <Facet
          title={t('facet.category')}
          entries={entries('category').map((one) => ({ ...one, label: t.entry('category', one.value) }))}
          chosen={state.categories}
          onChange={(categories) => onChange({ categories })}
        />
        <Facet
          title={t('facet.keyword')}
          entries={entries('keywords')}
          chosen={state.keywords}
          onChange={(keywords) => onChange({ keywords })}
        />
        <Facet
          title={t('facet.region')}
          entries={entries('regions')}
          chosen={state.regions}
          onChange={(regions) => onChange({ regions })}
        />
        <Facet
          title={t('facet.owner')}
          entries={entries('owner')}
          chosen={state.owners}
          onChange={(owners) => onChange({ owners })}
        />
        <DateFacet state={state} onChange={onChange} />
        <ExtentFacet extent={state.extent} onChange={(extent) => onChange({ extent })} />
      </div>
    </aside>
  );
}

function Facet({
  title,
  entries,
  chosen,
  onChange,
}: {
  readonly title: string;
  readonly entries: readonly Entry[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const t = useText();
  const [isWhole, setWhole] = useState(false);
  // What was chosen stays in sight, also when nothing is behind it any more.
  const missing = chosen
    .filter((value) => !entries.some((one) => one.value === value))
    .map((value) => ({ value, label: value, count: 0 }));
  const all = [...entries, ...missing];
  if (all.length === 0) return null;
  const shown = isWhole ? all : all.filter((one, i) => i < SHOWN || chosen.includes(one.value));
  return (
    <details className="facet" open>
      <summary>
        <h2>{title}</h2>
        <Icon name="down" className="facet-arrow" />
      </summary>
      <ul>
        {shown.map(({ value, label, count }) => (
          <li key={value}>
            <label className="check">
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={(event) =>
                  onChange(event.target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
                }
              />
              <span className="grow">{label}</span>
              <span className="count number">{t.number(count)}</span>
            </label>
          </li>
        ))}
      </ul>
      {all.length > SHOWN && (
        <button type="button" className="link-button" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('facet.less') : t('facet.more', { n: all.length - SHOWN })}
        </button>
      )}
    </details>
  );
}

function DateFacet({ state, onChange }: { readonly state: CatalogueState; readonly onChange: Change }) {
  const t = useText();
  return (
    <details className="facet" open={state.from !== '' || state.to !== ''}>
      <summary>
        <h2>{t('facet.date')}</h2>
        <Icon name="down" className="facet-arrow" />
      </summary>
      <div className="facet-dates">
        <label>
          {t('facet.from')}
          <input
            type="date"
            className="input small"
            value={state.from}
            max={state.to === '' ? undefined : state.to}
            // Typed digit by digit, every year on the way is a date.
            onChange={(event) => onChange({ from: event.target.value }, true)}
          />
        </label>
        <label>
          {t('facet.to')}
          <input
            type="date"
            className="input small"
            value={state.to}
            min={state.from === '' ? undefined : state.from}
            onChange={(event) => onChange({ to: event.target.value }, true)}
          />
        </label>
      </div>
    </details>
  );
}
