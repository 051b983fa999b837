// A page of a layer's rows: filtered, sorted, and within what the map shows if that is asked for. It is read anew when somebody changes its
// rows. How many there are in all is asked after it, where the page does not tell, and once: another order or page leaves
// the total as it is.

import { useEffect, useState } from 'react';
import type { Failure } from '../../../api/failure.ts';
import { itemRows } from '../../../api/features.ts';
import { whenRowsChange } from '../../../api/live.ts';
import { type Rows, restName, restPage, restTotal } from '../../../api/rest.ts';
import type { Extent } from '../../../lib/catalogue-state.ts';
import type { LayerFilter } from '../../../lib/layer-filter.ts';
import { itemsPath, rowsPath, totalPath } from '../../../lib/row-paths.ts';
import { useSession } from '../../../lib/session.ts';
import type { LayerSchema } from './use-layer-schema.ts';

export type TableSort = { readonly column: string; readonly down: boolean };
export type TableRows = {
  /** Its total is unknown until it has been counted. */
  readonly rows: Rows | undefined;
  readonly failure: Failure | undefined;
  /** There are rows behind this page. */
  readonly hasNext: boolean;
};

type Found = Pick<TableRows, 'rows' | 'failure'> & {
  /** Where they are from: until others come, these stay in sight. */
  readonly path: string | undefined;
};

export const PAGE_ROWS = 50;
/** Changes that come together are read together. */
const TOGETHER_MS = 300;

export function useTableRows(
  layer: string,
  schema: LayerSchema,
  ask: {
    readonly filter: LayerFilter | undefined;
    /** What is shown of a row, beside its key; undefined: all of it. */
    readonly columns?: readonly string[] | undefined;
    readonly sort: TableSort | undefined;
    readonly page: number;
    /** Undefined: wherever they lie. */
    readonly extent: Extent | undefined;
    /** Another number asks again. */
    readonly saved: number;
  },
): TableRows {
  const { user } = useSession();
  const [found, setFound] = useState<Found>({ path: undefined, rows: undefined, failure: undefined });
  const { filter, sort, page, extent, saved } = ask;
  const column = schema.isKnown ? schema.key : undefined;
  const columns =
    ask.columns === undefined ? undefined : [...new Set([...(column === undefined ? [] : [column]), ...ask.columns])];
  const order = [
    ...(sort === undefined ? [] : [`${restName(sort.column)}.${sort.down ? 'desc' : 'asc'}.nullslast`]),
    // Pages neither overlap nor leave anything out only where the order of all rows is known.
    ...(column === undefined || sort?.column === column ? [] : [`${restName(column)}.asc`]),
  ].join(',');
  const path = !schema.isKnown
    ? undefined
    : extent === undefined && filter?.kind !== 'cql'
      ? rowsPath(layer, { filter, columns, sort: order === '' ? undefined : order, page, size: PAGE_ROWS })
      : itemsPath(layer, { filter, sort, extent, page, size: PAGE_ROWS });
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    if (user === undefined || path === undefined || path.startsWith('/ogc/')) return;
    const gone = new AbortController();
    let later: number | undefined;
    const onChange = (): void => {
      later ??= window.setTimeout(() => {
        later = undefined;
        setChanges((count) => count + 1);
      }, TOGETHER_MS);
    };
    void whenRowsChange(path, user !== null, onChange, gone.signal);
    return () => {
      gone.abort();
      window.clearTimeout(later);
    };
  }, [path, user]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew with every change.
  useEffect(() => {
    if (user === undefined || path === undefined) return;
    const gone = new AbortController();
    const asking = path.startsWith('/ogc/')
      ? itemRows(path, column, gone.signal)
      : restPage(path, user !== null, gone.signal);
    asking.then(
      (reply) =>
        setFound({
          path,
          rows: reply.ok ? reply.value : undefined,
          failure: reply.ok ? undefined : reply.error,
        }),
      () => undefined,
    );
    return () => gone.abort();
  }, [path, column, user, changes, saved]);
  const length = found.rows?.rows.length ?? 0;
  const isFull = length === PAGE_ROWS;
  const isCurrent = found.path === path && found.rows !== undefined;
  const isCounting = schema.isKnown && extent === undefined && filter?.kind !== 'cql' && isCurrent && isFull;
  const counted = useTotal(isCounting ? totalPath(layer, filter) : undefined, JSON.stringify([changes, saved]));
  if (found.rows === undefined) return { rows: undefined, failure: found.failure, hasNext: false };
  // The last page tells by itself how many there are.
  const isLast = isCurrent && !isFull && (length > 0 || page === 0);
  const total = found.rows.total ?? (isLast ? page * PAGE_ROWS + length : counted);
  return {
    rows: { rows: found.rows.rows, total },
    failure: undefined,
    hasNext: isFull && (total === undefined || (page + 1) * PAGE_ROWS < total),
  };
}

/** How many rows are at a path; undefined until it is known. The number stays while other pages of the same are looked at. */
function useTotal(path: string | undefined, stamp: string): number | undefined {
  const { user } = useSession();
  const [counted, setCounted] = useState<{ readonly key: string; readonly total: number | undefined }>();
  const isSignedIn = user === undefined ? undefined : user !== null;
  const key = path === undefined ? undefined : JSON.stringify([path, stamp, isSignedIn]);
  const isKnown = key === undefined || counted?.key === key;
  useEffect(() => {
    if (isKnown || path === undefined || isSignedIn === undefined) return;
    const gone = new AbortController();
    void restTotal(path, isSignedIn, gone.signal).then((total) => {
      if (!gone.signal.aborted) setCounted({ key, total });
    });
    return () => gone.abort();
  }, [isKnown, key, path, isSignedIn]);
  return isKnown ? counted?.total : undefined;
}
