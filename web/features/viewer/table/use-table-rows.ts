// A page of a layer's rows: filtered, sorted, and within what the map shows if that is asked for. It is read anew when somebody changes its
// rows.

import { useEffect, useState } from 'react';
import type { Failure } from '../../../api/failure.ts';
import { itemRows } from '../../../api/features.ts';
import { whenRowsChange } from '../../../api/live.ts';
import { type Rows, restName, restRows } from '../../../api/rest.ts';
import type { Extent } from '../../../lib/catalogue-state.ts';
import { useSession } from '../../../lib/session.ts';
import { itemsPath, rowsPath, type TableFilter } from '../../../lib/table-filter.ts';
import type { LayerSchema } from './use-layer-schema.ts';

export type TableSort = { readonly column: string; readonly down: boolean };
export type TableRows = { readonly rows: Rows | undefined; readonly failure: Failure | undefined };

export const PAGE_ROWS = 50;
/** Changes that come together are read together. */
const TOGETHER_MS = 300;

export function useTableRows(
  layer: string,
  schema: LayerSchema,
  ask: {
    readonly filter: TableFilter;
    readonly sort: TableSort | undefined;
    readonly page: number;
    /** Undefined: wherever they lie. */
    readonly extent: Extent | undefined;
    /** Another number asks again. */
    readonly saved: number;
  },
): TableRows {
  const { user } = useSession();
  const [rows, setRows] = useState<TableRows>({ rows: undefined, failure: undefined });
  const { filter, sort, page, extent, saved } = ask;
  const column = schema.isKnown ? schema.key : undefined;
  const order = [
    ...(sort === undefined ? [] : [`${restName(sort.column)}.${sort.down ? 'desc' : 'asc'}.nullslast`]),
    // Pages neither overlap nor leave anything out only where the order of all rows is known.
    ...(column === undefined || sort?.column === column ? [] : [`${restName(column)}.asc`]),
  ].join(',');
  const path = !schema.isKnown
    ? undefined
    : extent === undefined
      ? rowsPath(layer, { filter, sort: order === '' ? undefined : order, page, size: PAGE_ROWS })
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
      : restRows(path, user !== null, gone.signal);
    asking.then(
      (reply) =>
        setRows(reply.ok ? { rows: reply.value, failure: undefined } : { rows: undefined, failure: reply.error }),
      () => undefined,
    );
    return () => gone.abort();
  }, [path, column, user, changes, saved]);
  return rows;
}
