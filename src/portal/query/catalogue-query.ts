// The query string of a list or an item → what is asked for, checked against the fields of the collection. Pure; what comes out
// always has its SQL.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { RecordType } from '../fields/field.ts';
import { EVERYTHING, type Selection } from '../fields/selection.ts';
import type { Sideloading } from '../fields/sideload.ts';
import type { Condition, OrderTerm } from './condition.ts';
import { parseExtent } from './extent.ts';
import { parseSelection } from './field-selection.ts';
import { parseFilters } from './filter.ts';
import { parseOrdering } from './ordering.ts';
import { DEFAULT_PAGE_SIZE, type Paging, parsePaging } from './paging.ts';
import { isOn, parseQueryParams, type QueryParams } from './query-params.ts';
import { parseSearch } from './search-terms.ts';

export type CatalogueQuery = Paging & {
  /** So many records are left out, where a window does not begin with a page. */
  readonly offset?: number;
  readonly conditions: readonly Condition[];
  readonly order: readonly OrderTerm[];
  readonly selection: Selection;
  /** Adds `_meta` to every record. */
  readonly debug: boolean;
  /** Which related records stand beside the others instead of in them; undefined: none. */
  readonly sideloading?: Sideloading;
};

/** What of the query language a collection knows. */
export type QueryRules = {
  readonly recordType: RecordType;
  /** Fields that are searched when the client names none; undefined: `search` means nothing here. */
  readonly searched: readonly string[] | undefined;
  readonly hasExtent: boolean;
  readonly hasFavourites: boolean;
  /** Deferred fields that `full=true` brings. */
  readonly full: readonly string[];
};

/** Everything, as if nothing had been asked for. */
export const WHOLE: CatalogueQuery = {
  page: 1,
  pageSize: DEFAULT_PAGE_SIZE,
  conditions: [],
  order: [],
  selection: EVERYTHING,
  debug: false,
};

export function parseCatalogueQuery(query: string, rules: QueryRules): Result<CatalogueQuery, PortalError> {
  if (query === '') return ok(WHOLE);
  const params = parseQueryParams(query);
  const paging = parsePaging(params);
  if (!paging.ok) return paging;
  const filters = parseFilters(params, rules.recordType);
  if (!filters.ok) return filters;
  const conditions = parseConditions(params, rules, filters.value.conditions);
  if (!conditions.ok) return conditions;
  const order = parseOrdering(params, rules.recordType);
  if (!order.ok) return order;
  const always = params.first('full') === undefined || params.first('full') === '' ? [] : rules.full;
  const selection = parseSelection(params, rules.recordType, always, filters.value.narrowings);
  if (!selection.ok) return selection;
  const sideloading = parseSideloading(params);
  return ok({
    ...paging.value,
    conditions: conditions.value,
    order: order.value,
    selection: selection.value,
    debug: isOn(params.first('debug')),
    ...(sideloading === undefined ? {} : { sideloading }),
  });
}

/** `sideloading=true`: all relations. `include[]=owner.`: that one. `sideloading=false`: none, whatever else is asked for. */
function parseSideloading(params: QueryParams): Sideloading | undefined {
  const asked = params.first('sideloading');
  if (asked !== undefined) return isOn(asked) ? { kind: 'all' } : undefined;
  const names = params
    .all('include[]')
    .map((name) => name.trim())
    .filter((name) => /^[^.]+\.$/.test(name))
    .map((name) => name.slice(0, -1));
  return names.length === 0 ? undefined : { kind: 'some', names: new Set(names) };
}

function parseConditions(
  params: QueryParams,
  rules: QueryRules,
  filters: readonly Condition[],
): Result<readonly Condition[], PortalError> {
  const conditions = [...filters];
  if (rules.searched !== undefined) {
    const search = parseSearch(params, rules.recordType, rules.searched);
    if (!search.ok) return search;
    if (search.value !== undefined) conditions.push(search.value);
  }
  if (rules.hasExtent) {
    const extent = parseExtent(params.first('extent'));
    if (!extent.ok) return err(extent.error);
    if (extent.value !== undefined) conditions.push(extent.value);
  }
  if (rules.hasFavourites && isOn(params.first('favorite'))) conditions.push({ kind: 'favourite' });
  return ok(conditions);
}

/** Does it hold a regular expression of the client's? */
export function hasRegex({ conditions }: CatalogueQuery): boolean {
  return conditions.some(
    (condition) =>
      (condition.kind === 'filter' && condition.test.op === 'regex') ||
      (condition.kind === 'search' && condition.fields.some(({ how }) => how === 'regex')),
  );
}
