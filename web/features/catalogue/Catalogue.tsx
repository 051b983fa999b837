// The first page: everything in the catalogue that its reader may see, searched and narrowed. What is chosen stands in the
// address, so that a search can be sent to somebody, and the back button works.

import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useLoaded } from '../../api/use-loaded.ts';
import {
  type CatalogueState,
  catalogueSearch,
  isNarrowed,
  listPath,
  parseCatalogueState,
  sortOf,
  sortsOf,
  VIEWS,
} from '../../lib/catalogue-state.ts';
import { useText } from '../../lib/i18n/text.ts';
import { navigate, usePlace } from '../../lib/navigation.ts';
import { useSession } from '../../lib/session.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Empty, Failed } from '../../ui/States.tsx';
import { TourInvitation } from '../tour/TourInvitation.tsx';
import { Chosen } from './Chosen.tsx';
import { Facets } from './Facets.tsx';
import { Pager } from './Pager.tsx';
import { CardGrid, CardSkeletons, RowList } from './ResourceCard.tsx';
import { ResultMap } from './ResultMap.tsx';
import { useMatches } from './use-matches.ts';
import './catalogue.css';

const BasemapInvitation = lazy(() => import('../basemaps/BasemapInvitation.tsx'));

const VIEW_ICONS = { cards: 'grid', list: 'list', map: 'map' } as const;
const TYPING_MS = 220;

export function Catalogue() {
  const t = useText();
  const isAdmin = useSession().user?.is_superuser === true;
  const { search } = usePlace();
  const state = useMemo(() => parseCatalogueState(search), [search]);
  const change = useCallback((next: Partial<CatalogueState>, replace = false) => {
    const now = parseCatalogueState(window.location.search.slice(1));
    navigate(`/${catalogueSearch({ ...now, page: 1, ...next })}`, { replace });
  }, []);
  const asked = useDeferredValue(listPath(state));
  const [list, again] = useLoaded(asked);
  const shown = useLast(list);
  const matches = useMatches(state, list.kind === 'loaded' ? list.value.resources : undefined);
  const narrowed = isNarrowed(state);
  const results = useRef<HTMLElement>(null);
  usePageTitle(narrowed ? t('catalogue.title') : '');
  return (
    <div className="catalogue">
      <section className={narrowed ? 'hero small' : 'hero'} aria-label={t('catalogue.title')}>
        <Contours />
        <div className="hero-text">
          <h1>{t('catalogue.headline')}</h1>
          {!narrowed && <p>{t('catalogue.lead')}</p>}
          <SearchBox value={state.q} onChange={(q) => change({ q }, true)} />
        </div>
      </section>
      {!narrowed && <TourInvitation />}
      {!narrowed && isAdmin && (
        <Suspense fallback={null}>
          <BasemapInvitation />
        </Suspense>
      )}
      <div className="catalogue-body">
        <Facets state={state} onChange={change} />
        <section ref={results} className="results" aria-label={t('catalogue.results')}>
          <div className="results-head">
            <p className="results-count" role="status">
              {shown === undefined ? t('state.loading') : t.count('catalogue.found', shown.total)}
            </p>
            <div className="row tight">
              <label className="visually-hidden" htmlFor="sort">
                {t('catalogue.sort')}
              </label>
              <select
                id="sort"
                className="input small"
                value={sortOf(state)}
                onChange={(event) => change({ sort: sortsOf(state).find((sort) => sort === event.target.value) })}
              >
                {sortsOf(state).map((sort) => (
                  <option key={sort} value={sort}>
                    {t(`sort.${sort}`)}
                  </option>
                ))}
              </select>
              <fieldset className="segmented">
                <legend className="visually-hidden">{t('catalogue.view')}</legend>
                {VIEWS.map((view) => (
                  <IconButton
                    key={view}
                    icon={VIEW_ICONS[view]}
                    name={t(`view.${view}`)}
                    small
                    aria-pressed={state.view === view}
                    onClick={() => change({ view })}
                  />
                ))}
              </fieldset>
            </div>
          </div>
          <Chosen state={state} onChange={change} />
          {matches !== undefined && !matches.exact && shown !== undefined && shown.total > 0 && (
            <p className="similar" role="status">
              {t('catalogue.similar', { words: state.q.trim() })}
            </p>
          )}
          {list.kind === 'failed' ? (
            <Failed failure={list.failure} onRetry={again} />
          ) : shown === undefined ? (
            <CardSkeletons />
          ) : shown.total === 0 ? (
            <Nothing narrowed={narrowed} onReset={() => navigate('/')} onAgain={again} />
          ) : (
            <div className={list.kind === 'loading' ? 'fading' : ''} aria-busy={list.kind === 'loading'}>
              {state.view === 'cards' && <CardGrid items={shown.resources} matches={matches?.of} />}
              {state.view === 'list' && <RowList items={shown.resources} matches={matches?.of} />}
              {state.view === 'map' && (
                <ResultMap items={shown.resources} extent={state.extent} onExtent={(extent) => change({ extent })} />
              )}
              <Pager
                page={shown.page}
                pages={Math.ceil(shown.total / shown.page_size)}
                linkTo={(page) => `/${catalogueSearch({ ...state, page })}`}
                onTurn={() => results.current?.scrollIntoView()}
              />
            </div>
          )}
        </section>
      </div>
    </div>
  );
}

/** While the next answer is on its way the last one stays, instead of a page that jumps. */
function useLast<T>(loaded: { readonly kind: string; readonly value?: T }): T | undefined {
  const [last, setLast] = useState<T>();
  useEffect(() => {
    if (loaded.kind === 'loaded') setLast(loaded.value);
  }, [loaded]);
  return loaded.kind === 'loaded' ? loaded.value : last;
}

/** Searches while one types, once the fingers rest. */
function SearchBox({ value, onChange }: { readonly value: string; readonly onChange: (q: string) => void }) {
  const t = useText();
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // The address changed by other means: back, a link.
    if (value !== sent.current) {
      sent.current = value;
      setTyped(value);
    }
  }, [value]);
  useEffect(() => {
    if (typed === sent.current) return;
    const later = window.setTimeout(() => {
      sent.current = typed;
      onChange(typed);
    }, TYPING_MS);
    return () => window.clearTimeout(later);
  }, [typed, onChange]);
  return (
    <search className="search-box">
      <Icon name="search" />
      <input
        type="search"
        aria-label={t('catalogue.search')}
        placeholder={t('catalogue.search-hint')}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
      />
      {typed !== '' && <IconButton icon="close" small name={t('action.clear')} onClick={() => setTyped('')} />}
    </search>
  );
}

const LOOK_AGAIN_MS = 4000;

function Nothing({
  narrowed,
  onReset,
  onAgain,
}: {
  readonly narrowed: boolean;
  readonly onReset: () => void;
  readonly onAgain: () => void;
}) {
  const t = useText();
  const { user } = useSession();
  // A new portal fills while one looks at it.
  useEffect(() => {
    if (narrowed) return;
    const timer = window.setInterval(() => document.visibilityState === 'visible' && onAgain(), LOOK_AGAIN_MS);
    return () => window.clearInterval(timer);
  }, [narrowed, onAgain]);
  return (
    <Empty title={narrowed ? t('catalogue.none-found') : t('catalogue.empty')} icon={narrowed ? 'search' : 'layer'}>
      <p>{narrowed ? t('catalogue.none-found-text') : t('catalogue.empty-text')}</p>
      {narrowed && (
        <button type="button" className="button" onClick={onReset}>
          {t('catalogue.reset')}
        </button>
      )}
      {!narrowed && user !== null && user !== undefined && (
        <Link className="button primary" to="/add">
          {t('nav.add')}
        </Link>
      )}
    </Empty>
  );
}

/** Lines of equal height, drawn once by hand. */
function Contours() {
  return (
    <svg
      className="contours"
      viewBox="0 0 1200 320"
      preserveAspectRatio="xMaxYMid slice"
      aria-hidden="true"
      focusable="false"
    >
      <g fill="none" stroke="currentColor" strokeWidth="1.4">
        {[0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => (
          <path
            key={i}
            d={`M${360 + i * 22} 340 C ${430 + i * 30} ${260 - i * 6}, ${470 + i * 34} ${190 - i * 4}, ${600 + i * 26} ${170 - i * 2} S ${780 + i * 14} ${100 + i * 8}, ${860 + i * 16} ${60 + i * 12} S ${1080} ${-20 + i * 24}, 1240 ${-60 + i * 34}`}
          />
        ))}
        {[0, 1, 2, 3, 4].map((i) => (
          <ellipse
            key={i}
            cx={1015 - i * 6}
            cy={215 + i * 3}
            rx={150 - i * 31}
            ry={78 - i * 16}
            transform={`rotate(${-18 + i * 3} 1015 215)`}
          />
        ))}
      </g>
    </svg>
  );
}
