// Addresses of a layer's rows that pass a filter: of the REST service, and of OGC API Features where it matters where they lie. Pure.

import { restName } from '../api/rest.ts';
import { boxInWorld } from './bbox.ts';
import { filterCql, filterParameters, type LayerFilter } from './layer-filter.ts';

/** A longer list of columns might not fit into an address; then all of them come. */
const MAX_SELECT = 4000;

export function rowsPath(
  table: string,
  ask: {
    readonly filter: LayerFilter | undefined;
    /** What is shown; undefined: every column. Shapes that nobody sees are the most of a row, and would be sorted along with it. */
    readonly columns?: readonly string[] | undefined;
    readonly sort: string | undefined;
    readonly page: number;
    readonly size: number;
  },
): string {
  const params = new URLSearchParams();
  for (const [name, value] of filterParameters(ask.filter) ?? []) params.append(name, value);
  const select = (ask.columns ?? []).map(restName).join(',');
  if (select !== '' && select.length <= MAX_SELECT) params.set('select', select);
  if (ask.sort !== undefined) params.set('order', ask.sort);
  params.set('limit', String(ask.size));
  params.set('offset', String(ask.page * ask.size));
  return `${encodeURIComponent(table)}?${params}`;
}

/** How many rows the filter leaves, and none of them. */
export function totalPath(table: string, filter: LayerFilter | undefined): string {
  const params = new URLSearchParams((filterParameters(filter) ?? []).map(([name, value]) => [name, value]));
  params.set('limit', '0');
  return `${encodeURIComponent(table)}?${params}`;
}

/** A page of the features within an extent, as OGC API Features has them. */
export function itemsPath(
  layer: string,
  ask: {
    readonly filter: LayerFilter | undefined;
    readonly sort: { readonly column: string; readonly down: boolean } | undefined;
    /** Undefined: wherever they lie. */
    readonly extent: readonly [number, number, number, number] | undefined;
    readonly page: number;
    readonly size: number;
  },
): string {
  const { filter, sort, extent, page, size } = ask;
  const params = new URLSearchParams({ f: 'json', limit: String(size), offset: String(page * size) });
  if (extent !== undefined)
    params.set(
      'bbox',
      boxInWorld(extent)
        .map((edge) => edge.toFixed(6))
        .join(','),
    );
  if (sort !== undefined) params.set('sortby', `${sort.down ? '-' : ''}${sort.column}`);
  const condition = filterCql(filter);
  if (condition !== undefined) {
    params.set('filter-lang', 'cql2-json');
    params.set('filter', JSON.stringify(condition));
  }
  return `/ogc/collections/${encodeURIComponent(layer)}/items?${params}`;
}

const WITH_ALIASES: ReadonlySet<string> = new Set(['csv', 'xlsx', 'geojson', 'json', 'kml', 'kmz']);

/** A download of the rows that pass. */
export function downloadPath(
  layer: string,
  format: string,
  filter: LayerFilter | undefined,
  /** Columns under their names for people, where the format has room for these. */
  hasAliases = false,
): string {
  const condition = filterCql(filter);
  const params = new URLSearchParams();
  if (condition !== undefined) {
    params.set('filter-lang', 'cql2-json');
    params.set('filter', JSON.stringify(condition));
  }
  if (hasAliases && WITH_ALIASES.has(format)) params.set('headings', 'aliases');
  return `/download/${encodeURIComponent(layer)}.${format}${params.size === 0 ? '' : `?${params}`}`;
}
