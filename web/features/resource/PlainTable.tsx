// The rows of a table without places, on its page: filtered, sorted and in pages, by the REST service.

import { useEffect, useMemo, useState } from 'react';
import type { Layer } from '../../api/types.ts';
import type { FormField } from '../../lib/edit/feature-form.ts';
import type { ColumnKind } from '../../lib/feature-schema.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import type { TableFilter } from '../../lib/table-filter.ts';
import { IconButton } from '../../ui/Button.tsx';
import { FilterFields, kindOf, startFilter } from '../viewer/table/FilterFields.tsx';
import { RowsTable } from '../viewer/table/RowsTable.tsx';
import { PAGE_ROWS, type TableSort, useTableRows } from '../viewer/table/use-table-rows.ts';
import '../viewer/viewer.css';
import './plain-table.css';

const TYPING_MS = 300;
/** Imports and forms call it so. */
const KEY = 'fid';
const NO_FIELDS: readonly FormField[] = [];

const KINDS: Readonly<Record<string, ColumnKind>> = {
  'xsd:boolean': 'boolean',
  'xsd:date': 'date',
  'xsd:dateTime': 'time',
};

export function PlainTable({ layer }: { readonly layer: Layer }) {
  const t = useText();
  const columns = useMemo(() => layer.attribute_set.filter(({ visible }) => visible), [layer]);
  const kinds = useMemo(
    () =>
      new Map(
        columns.flatMap(({ attribute, attribute_type: type }) => {
          const kind = KINDS[type];
          return kind === undefined ? [] : [[attribute, kind] as const];
        }),
      ),
    [columns],
  );
  const schema = useMemo(() => ({ isKnown: true, key: KEY, kinds, fields: NO_FIELDS }) as const, [kinds]);
  const [filter, setFilter] = useState<TableFilter>(() => startFilter(columns[0], kindOf(columns[0], kinds)));
  const [asked, setAsked] = useState(filter);
  const [sort, setSort] = useState<TableSort>();
  const [page, setPage] = useState(0);
  const { rows, failure } = useTableRows(layer.name, schema, {
    filter: asked,
    sort,
    page,
    extent: undefined,
    saved: 0,
  });
  useEffect(() => {
    const later = window.setTimeout(() => {
      setAsked(filter);
      setPage(0);
    }, TYPING_MS);
    return () => window.clearTimeout(later);
  }, [filter]);
  const total = rows?.total ?? 0;
  return (
    <div className="plain-table">
      <div className="table-bar">
        <FilterFields columns={columns} kinds={kinds} filter={filter} onChange={setFilter} />
        <span className="soft small-text number" role="status">
          {rows === undefined ? '' : t.count('table.plain-rows', total)}
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
          disabled={(page + 1) * PAGE_ROWS >= total}
          onClick={() => setPage(page + 1)}
        />
      </div>
      {failure !== undefined && <p className="notice bad">{failureText(t, failure)}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="table-rows" tabIndex={0} aria-label={t('table.of', { title: layer.title })}>
        <RowsTable
          columns={columns}
          rows={rows?.rows ?? []}
          keyColumn={undefined}
          sort={sort}
          onSort={setSort}
          chosen={undefined}
          onChoose={() => undefined}
        />
        {rows?.rows.length === 0 && <p className="soft table-empty">{t('table.no-rows')}</p>}
      </section>
    </div>
  );
}
