// What the catalogue page is asked for: from the address bar, back to it, and to the address of the API. Pure.

import { RESOURCE_TYPES, type ResourceType } from '../api/types.ts';

/** `relevance`: how well the words fit; only where there are some. */
const SORTS = [
  'relevance',
  '-last_updated',
  '-date',
  'date',
  'title',
  '-title',
  '-popular_count',
  '-rating_average',
] as const;
type Sort = (typeof SORTS)[number];
export const VIEWS = ['cards', 'list', 'map'] as const;
type View = (typeof VIEWS)[number];

/** xmin, ymin, xmax, ymax in degrees. */
export type Extent = readonly [number, number, number, number];

export type CatalogueState = {
  readonly q: string;
  readonly types: readonly ResourceType[];
  readonly keywords: readonly string[];
  readonly categories: readonly string[];
  readonly owners: readonly string[];
  readonly regions: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly extent: Extent | undefined;
  /** The reader's own alone. */
  readonly favourites: boolean;
  /** Undefined: as usual. */
  readonly sort: Sort | undefined;
  readonly view: View;
  readonly page: number;
};

const PAGE_SIZE = 24;
const MAX_CHOSEN = 50;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function parseCatalogueState(search: string): CatalogueState {
  const params = new URLSearchParams(search);
  const words = (name: string): string[] =>
    [...new Set(params.getAll(name).filter((word) => word !== ''))].slice(0, MAX_CHOSEN);
  const day = (name: string): string => (DAY.test(params.get(name) ?? '') ? (params.get(name) ?? '') : '');
  const page = Number(params.get('page'));
  return {
    q: (params.get('q') ?? '').slice(0, 200),
    types: RESOURCE_TYPES.filter((type) => words('type').includes(type)),
    keywords: words('keyword'),
    categories: words('category'),
    owners: words('owner'),
    regions: words('region'),
    from: day('from'),
    to: day('to'),
    extent: parseExtent(params.get('extent') ?? ''),
    favourites: params.get('favourites') === '1',
    sort: SORTS.find((sort) => sort === params.get('sort')),
    view: VIEWS.find((view) => view === params.get('view')) ?? 'cards',
    page: Number.isInteger(page) && page > 0 && page < 1e6 ? page : 1,
  };
}

export function parseExtent(text: string): Extent | undefined {
  const [xmin, ymin, xmax, ymax, ...more] = text
    .split(',')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (xmin === undefined || ymin === undefined || xmax === undefined || ymax === undefined || more.length > 0)
    return undefined;
  const all: Extent = [xmin, ymin, xmax, ymax];
  return all.every(Number.isFinite) && ymin < ymax && xmin !== xmax && ymin >= -90 && ymax <= 90 ? all : undefined;
}

const hasWords = ({ q }: Pick<CatalogueState, 'q'>): boolean => q.trim() !== '';

/** The order that a list is shown in. */
export function sortOf(state: Pick<CatalogueState, 'q' | 'sort'>): Sort {
  if (state.sort === undefined || (state.sort === 'relevance' && !hasWords(state)))
    return hasWords(state) ? 'relevance' : '-last_updated';
  return state.sort;
}

/** What can be chosen. */
export function sortsOf(state: Pick<CatalogueState, 'q'>): readonly Sort[] {
  return SORTS.filter((sort) => sort !== 'relevance' || hasWords(state));
}

/** Where the words of the search stand in the items of a page; undefined: there are no words, or no items. */
export function matchesPath(
  { q }: CatalogueState,
  ids: readonly string[],
): `/api/v2/resources/matches/?${string}` | undefined {
  if (q.trim() === '' || ids.length === 0) return undefined;
  return `/api/v2/resources/matches/?${new URLSearchParams([['search', q.trim()], ...ids.map((id) => ['pk', id])])}`;
}

/** With a `?` in front, or nothing. */
export function catalogueSearch(state: CatalogueState): string {
  const params = new URLSearchParams();
  if (state.q !== '') params.set('q', state.q);
  for (const type of state.types) params.append('type', type);
  for (const word of state.keywords) params.append('keyword', word);
  for (const word of state.categories) params.append('category', word);
  for (const word of state.owners) params.append('owner', word);
  for (const word of state.regions) params.append('region', word);
  if (state.from !== '') params.set('from', state.from);
  if (state.to !== '') params.set('to', state.to);
  if (state.extent !== undefined) params.set('extent', state.extent.join(','));
  if (state.favourites) params.set('favourites', '1');
  if (state.sort !== undefined) params.set('sort', state.sort);
  if (state.view !== 'cards') params.set('view', state.view);
  if (state.page !== 1) params.set('page', String(state.page));
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** The narrowing alone, as the API's lists and its facets understand it. */
export function filterParams(state: CatalogueState): URLSearchParams {
  const params = new URLSearchParams();
  if (state.q.trim() !== '') params.set('search', state.q.trim());
  const oneOf = (path: string, values: readonly string[]): void => {
    for (const value of values) params.append(`filter{${path}.in}`, value);
  };
  oneOf('resource_type', state.types);
  oneOf('keywords.slug', state.keywords);
  oneOf('category.identifier', state.categories);
  oneOf('owner.username', state.owners);
  oneOf('regions.code', state.regions);
  if (state.from !== '') params.set('filter{date.gte}', `${state.from}T00:00:00Z`);
  if (state.to !== '') params.set('filter{date.lte}', `${state.to}T23:59:59Z`);
  if (state.extent !== undefined) params.set('extent', state.extent.join(','));
  if (state.favourites) params.set('favorite', 'true');
  return params;
}

export function listPath(state: CatalogueState): `/api/v2/resources/?${string}` {
  const params = filterParams(state);
  const sort = sortOf(state);
  // Unless told otherwise, a search is answered in this order.
  if (sort !== 'relevance') params.append('sort[]', sort);
  params.set('page', String(state.page));
  params.set('page_size', String(state.view === 'map' ? 100 : PAGE_SIZE));
  return `/api/v2/resources/?${params}&include[]=sharing`;
}

export function isNarrowed(state: CatalogueState): boolean {
  return filterParams(state).size > 0;
}
