// The rows behind a layer: filtered and sorted by the portal. The same filter holds on the map; a chosen row is shown there, and a
// feature clicked there is the chosen row here.

import type { FeatureCollection } from 'geojson';
import { useEffect, useMemo, useState } from 'react';
import { get } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { bearer, type Rows, restName, restRows } from '../../api/rest.ts';
import type { Extent } from '../../lib/catalogue-state.ts';
import { useText } from '../../lib/i18n/text.ts';
import { ok, type Result } from '../../lib/result.ts';
import { useSession } from '../../lib/session.ts';
import { extentOfShapes } from '../../lib/shapes.ts';
import {
  itemsPath,
  mapFilter,
  NUMBER_OPERATORS,
  type Operator,
  rowsPath,
  type TableFilter,
  TEXT_OPERATORS,
} from '../../lib/table-filter.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { failureText } from '../../ui/States.tsx';
import type { ViewerLayer } from './viewer-state.ts';

export type ChosenRow = {
  readonly fid: string | number;
  readonly shape: FeatureCollection;
  readonly isFromMap: boolean;
};

const SIZE = 50;
const KEY = 'fid';
const NUMERIC = /^xsd:(?:int|integer|long|short|byte|double|float|decimal)$/;
const TYPING_MS = 300;

export function AttributeTable({
  one,
  chosen,
  extent,
  onChoose,
  onFilter,
  onClose,
}: {
  readonly one: ViewerLayer;
  readonly chosen: ChosenRow | undefined;
  /** What the map shows. */
  readonly extent: Extent | undefined;
  readonly onChoose: (row: ChosenRow | undefined, extent: Extent | undefined) => void;
  readonly onFilter: (filter: unknown) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { user } = useSession();
  const { layer } = one;
  const columns = useMemo(
    () => layer.attribute_set.filter(({ attribute_type, visible }) => visible && !attribute_type.startsWith('gml:')),
    [layer],
  );
  const [filter, setFilter] = useState<TableFilter>({
    column: columns[0]?.attribute ?? '',
    operator: 'contains',
    value: '',
    isNumber: NUMERIC.test(columns[0]?.attribute_type ?? ''),
  });
  const [asked, setAsked] = useState(filter);
  const [sort, setSort] = useState<{ readonly column: string; readonly down: boolean }>();
  const [page, setPage] = useState(0);
  const [isInView, setInView] = useState(false);
  const [rows, setRows] = useState<{ readonly rows: Rows | undefined; readonly failure: Failure | undefined }>({
    rows: undefined,
    failure: undefined,
  });

  useEffect(() => {
    const later = window.setTimeout(() => {
      setAsked(filter);
      setPage(0);
    }, TYPING_MS);
    return () => window.clearTimeout(later);
  }, [filter]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when the filter changes, not when the listener does.
  useEffect(() => onFilter(mapFilter(asked)), [asked]);

  const order = sort === undefined ? undefined : `${restName(sort.column)}.${sort.down ? 'desc' : 'asc'}.nullslast`;
  const path =
    isInView && extent !== undefined
      ? itemsPath(layer.name, { filter: asked, sort, extent, page, size: SIZE })
      : rowsPath(layer.name, { filter: asked, sort: order, page, size: SIZE });
  useEffect(() => {
    if (user === undefined) return;
    const gone = new AbortController();
    const asking = path.startsWith('/ogc/') ? itemRows(path, gone.signal) : restRows(path, user !== null, gone.signal);
    asking.then(
      (reply) =>
        setRows(reply.ok ? { rows: reply.value, failure: undefined } : { rows: undefined, failure: reply.error }),
      () => undefined,
    );
    return () => gone.abort();
  }, [path, user]);

  const choose = async (fid: string | number, isFromMap: boolean): Promise<void> => {
    const shape = await loadShape(layer.name, fid, user !== null && user !== undefined);
    onChoose({ fid, shape, isFromMap }, isFromMap ? undefined : extentOfShapes(shape));
  };
  const fromMap = chosen?.isFromMap === true && chosen.shape.features.length === 0 ? chosen.fid : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a feature clicked on the map gets its shape once.
  useEffect(() => {
    if (fromMap !== undefined) void choose(fromMap, true);
  }, [fromMap]);

  const column = columns.find(({ attribute }) => attribute === filter.column);
  const isNumber = NUMERIC.test(column?.attribute_type ?? '');
  const operators: readonly Operator[] = isNumber ? NUMBER_OPERATORS : TEXT_OPERATORS;
  const total = rows.rows?.total ?? 0;
  return (
    <section className="attribute-table" aria-label={t('table.of', { title: layer.title })}>
      <div className="table-bar">
        <h2>{layer.title}</h2>
        <select
          className="input small"
          aria-label={t('table.column')}
          value={filter.column}
          onChange={(event) => {
            const next = columns.find(({ attribute }) => attribute === event.target.value);
            const nextIsNumber = NUMERIC.test(next?.attribute_type ?? '');
            setFilter({
              column: event.target.value,
              operator: nextIsNumber ? 'is' : 'contains',
              value: filter.value,
              isNumber: nextIsNumber,
            });
          }}
        >
          {columns.map(({ attribute, attribute_label }) => (
            <option key={attribute} value={attribute}>
              {attribute_label ?? attribute}
            </option>
          ))}
        </select>
        <select
          className="input small"
          aria-label={t('table.operator')}
          value={filter.operator}
          onChange={(event) =>
            setFilter({ ...filter, isNumber, operator: operators.find((name) => name === event.target.value) ?? 'is' })
          }
        >
          {operators.map((name) => (
            <option key={name} value={name}>
              {t(`operator.${name}`)}
            </option>
          ))}
        </select>
        <input
          className="input small table-value"
          aria-label={t('table.value')}
          value={filter.value}
          disabled={filter.operator === 'empty'}
          inputMode={isNumber ? 'decimal' : 'text'}
          onChange={(event) => setFilter({ ...filter, isNumber, value: event.target.value })}
        />
        <label className="check small-text">
          <input
            type="checkbox"
            checked={isInView}
            onChange={(event) => {
              setInView(event.target.checked);
              setPage(0);
            }}
          />
          {t('table.in-view')}
        </label>
        <span className="soft small-text number" role="status">
          {rows.rows === undefined ? '' : t.count('table.rows', total)}
        </span>
        <span className="grow" />
        <IconButton
          small
          icon="left"
          name={t('pager.previous')}
          disabled={page === 0}
          onClick={() => setPage(page - 1)}
        />
        <IconButton
          small
          icon="right"
          name={t('pager.next')}
          disabled={(page + 1) * SIZE >= total}
          onClick={() => setPage(page + 1)}
        />
        <IconButton small icon="close" name={t('table.hide')} onClick={onClose} />
      </div>
      {rows.failure !== undefined && <p className="notice bad">{failureText(t, rows.failure)}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="table-rows" tabIndex={0} aria-label={t('table.of', { title: layer.title })}>
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{t('table.on-map')}</span>
              </th>
              {columns.map(({ attribute, attribute_label }) => (
                <th
                  key={attribute}
                  scope="col"
                  aria-sort={sort?.column === attribute ? (sort.down ? 'descending' : 'ascending') : 'none'}
                >
                  <button
                    type="button"
                    className="sort-button"
                    onClick={() =>
                      setSort(
                        sort?.column === attribute
                          ? sort.down
                            ? undefined
                            : { column: attribute, down: true }
                          : { column: attribute, down: false },
                      )
                    }
                  >
                    {attribute_label ?? attribute}
                    <Icon name={sort?.column === attribute ? (sort.down ? 'down' : 'up') : 'sort'} />
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.rows?.rows.map((row) => {
              const fid = row[KEY] as string | number;
              const isChosen = chosen !== undefined && String(chosen.fid) === String(fid);
              return (
                <tr key={String(fid)} className={isChosen ? 'chosen' : ''}>
                  <td>
                    <Button
                      small
                      look="quiet"
                      icon="target"
                      className="icon"
                      aria-pressed={isChosen}
                      aria-label={t('table.show-row', { n: String(fid) })}
                      onClick={() => (isChosen ? onChoose(undefined, undefined) : void choose(fid, false))}
                    />
                  </td>
                  {columns.map(({ attribute }) => (
                    <td key={attribute} className={typeof row[attribute] === 'number' ? 'right' : ''}>
                      {cell(row[attribute], t)}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
        {rows.rows?.rows.length === 0 && <p className="soft table-empty">{t('table.empty')}</p>}
      </section>
    </section>
  );
}

function cell(value: unknown, t: ReturnType<typeof useText>): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return t.number(value, { maximumFractionDigits: 6 });
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

type Items = {
  readonly features: readonly { readonly id?: string | number; readonly properties: Record<string, unknown> }[];
  readonly numberMatched?: number;
};

/** Features as rows. */
async function itemRows(path: string, signal: AbortSignal): Promise<Result<Rows, Failure>> {
  const reply = await get<Items>(path, signal);
  if (!reply.ok) return reply;
  const { features, numberMatched } = reply.value;
  return ok({ rows: features.map(({ id, properties }) => ({ ...properties, [KEY]: id })), total: numberMatched });
}

/** Of one row, in degrees. */
async function loadShape(table: string, fid: string | number, isSignedIn: boolean): Promise<FeatureCollection> {
  const token = await bearer(isSignedIn);
  try {
    const reply = await fetch(`/rest/v1/${encodeURIComponent(table)}?${KEY}=eq.${encodeURIComponent(String(fid))}`, {
      headers: { Accept: 'application/geo+json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
    });
    if (reply.ok) return (await reply.json()) as FeatureCollection;
  } catch {
    // Then there is nothing to show of it.
  }
  return { type: 'FeatureCollection', features: [] };
}
