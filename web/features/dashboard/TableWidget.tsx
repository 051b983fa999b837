// A page of rows, with what the other widgets leave of them. Features come from OGC API Features, rows of plain tables from the REST service.

import { useEffect, useState } from 'react';
import { showValue } from '../../../src/geo/presentation/show-value.ts';
import type { Failure } from '../../api/failure.ts';
import { itemRows } from '../../api/features.ts';
import { type Rows, restName, restRows } from '../../api/rest.ts';
import type { Layer } from '../../api/types.ts';
import { type DataColumn, dataColumns, hasPlaces } from '../../lib/dashboard/columns.ts';
import type { Widget } from '../../lib/dashboard/dashboard.ts';
import { restConditions } from '../../lib/dashboard/selection.ts';
import { useText } from '../../lib/i18n/text.ts';
import { readerWords } from '../../lib/presentation.ts';
import { failureText } from '../../lib/server-message.ts';
import { useSession } from '../../lib/session.ts';
import { PageTurn } from '../../ui/PageTurn.tsx';
import { ShownValue } from '../../ui/ShownValue.tsx';
import { useWidgetScope, type WidgetScope } from './dashboard-scope.ts';

const PAGE = 20;
/** More columns than anybody reads, unless they were chosen. */
const MAX_COLUMNS = 12;

type Sort = { readonly column: string; readonly isDown: boolean };

export function TableWidget({ widget, layer }: { readonly widget: Widget; readonly layer: Layer }) {
  const t = useText();
  const { user } = useSession();
  const scope = useWidgetScope(widget, layer);
  const [sort, setSort] = useState<Sort>();
  const [page, setPage] = useState(0);
  const [shown, setShown] = useState<{ readonly rows?: Rows; readonly failure?: Failure }>({});
  const all = dataColumns(layer);
  const columns =
    widget.columns === undefined
      ? all.slice(0, MAX_COLUMNS)
      : widget.columns.flatMap((name) => all.find((one) => one.name === name) ?? []);
  const path = pathOf(layer, columns, scope, sort, page);
  const filter = JSON.stringify(scope.conditions);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows begin with their first page.
  useEffect(() => setPage(0), [filter]);
  const { changes } = scope;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that have changed are read anew.
  useEffect(() => {
    if (user === undefined) return;
    const gone = new AbortController();
    const asking = path.startsWith('/')
      ? itemRows(path, undefined, gone.signal)
      : restRows(path, user !== null, gone.signal);
    asking.then(
      (reply) => setShown(reply.ok ? { rows: reply.value } : { failure: reply.error }),
      () => undefined,
    );
    return () => gone.abort();
  }, [path, user, changes]);
  const { rows, failure } = shown;
  if (failure !== undefined)
    return (
      <p className="notice warm">
        {failure.kind === 'refused' ? t('dash.no-rows-permission') : failureText(t, failure)}
      </p>
    );
  if (rows === undefined) return <div className="widget-wait skeleton" />;
  const { total } = rows;
  const words = readerWords(t);
  const rowsOf = t('table.rows-of', { title: widget.title === '' ? layer.title : widget.title });
  const isLast = total === undefined ? rows.rows.length < PAGE : (page + 1) * PAGE >= total;
  return (
    <div className="widget-table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="widget-scroll" tabIndex={0} aria-label={rowsOf}>
        <table className="data-table">
          <thead>
            <tr>
              {columns.map(({ name, label, kind }) => (
                <th
                  key={name}
                  className={kind === 'number' ? 'right' : ''}
                  scope="col"
                  aria-sort={sort?.column === name ? (sort.isDown ? 'descending' : 'ascending') : 'none'}
                >
                  <button
                    type="button"
                    className="sort-button"
                    onClick={() => setSort({ column: name, isDown: sort?.column === name && !sort.isDown })}
                  >
                    {label}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.rows.map((row, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a page of rows is drawn as a whole.
              <tr key={i}>
                {columns.map((column) => (
                  <td key={column.name} className={column.kind === 'number' ? 'right number' : ''}>
                    <ShownValue shown={showValue(row[column.name], column, words)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.rows.length === 0 && <p className="soft">{t('dash.no-rows')}</p>}
      </section>
      <div className="row apart small-text">
        <span className="soft number">{total === undefined ? '' : t.count('dash.rows', total)}</span>
        <span className="row tight">
          <PageTurn page={page} isLast={isLast} onTurn={setPage} />
        </span>
      </div>
    </div>
  );
}

function pathOf(
  layer: Layer,
  columns: readonly DataColumn[],
  { conditions, others }: WidgetScope,
  sort: Sort | undefined,
  page: number,
): string {
  const params = new URLSearchParams();
  if (hasPlaces(layer)) {
    const { filter, bbox } = conditions;
    params.set('f', 'json');
    params.set('skipGeometry', 'true');
    params.set('properties', columns.map(({ name }) => name).join(','));
    if (filter !== undefined) {
      params.set('filter', JSON.stringify(filter));
      params.set('filter-lang', 'cql2-json');
    }
    if (bbox !== undefined) params.set('bbox', bbox.map((edge) => edge.toFixed(6)).join(','));
    if (sort !== undefined) params.set('sortby', `${sort.isDown ? '-' : ''}${sort.column}`);
    params.set('limit', String(PAGE));
    params.set('offset', String(page * PAGE));
    return `/ogc/collections/${encodeURIComponent(layer.name)}/items?${params}`;
  }
  params.set('select', columns.map(({ name }) => restName(name)).join(','));
  for (const [name, value] of restConditions(others)) params.append(name, value);
  if (sort !== undefined) params.set('order', `${restName(sort.column)}.${sort.isDown ? 'desc' : 'asc'}.nullslast`);
  params.set('limit', String(PAGE));
  params.set('offset', String(page * PAGE));
  return `${encodeURIComponent(layer.name)}?${params}`;
}
