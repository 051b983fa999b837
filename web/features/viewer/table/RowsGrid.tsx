// The rows of a table: filtered, sorted, in pages and edited, by the REST service as the one who looks.

import { useEffect, useMemo, useState } from 'react';
import type { Failure } from '../../../api/failure.ts';
import { type Row, tableStore } from '../../../api/row-store.ts';
import type { Layer } from '../../../api/types.ts';
import type { FormField } from '../../../lib/edit/feature-form.ts';
import type { ColumnKind } from '../../../lib/feature-schema.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { allOf, filterCql } from '../../../lib/layer-filter.ts';
import { failureText } from '../../../lib/server-message.ts';
import type { TableFilter } from '../../../lib/table-filter.ts';
import { Button } from '../../../ui/Button.tsx';
import { PageTurn } from '../../../ui/PageTurn.tsx';
import { Wrong } from '../../../ui/States.tsx';
import { say } from '../../../ui/toast.tsx';
import { CleanMenu } from '../clean/CleanMenu.tsx';
import { ConflictDialog } from '../edit/ConflictDialog.tsx';
import { FilterFields, kindOf, startFilter } from './FilterFields.tsx';
import type { GridColumn } from './grid-column.ts';
import { NewRowDialog } from './NewRowDialog.tsx';
import { RowsTable } from './RowsTable.tsx';
import { TickedBar } from './TickedBar.tsx';
import { useCellEdit } from './use-cell-edit.ts';
import { PAGE_ROWS, type TableSort, useTableRows } from './use-table-rows.ts';
import { useTicked } from './use-ticked.ts';
import '../viewer.css';
import './rows-grid.css';

const TYPING_MS = 300;
const NO_FIELDS: readonly FormField[] = [];
const NUMBERS: ReadonlySet<string> = new Set([
  'xsd:int',
  'xsd:long',
  'xsd:double',
  'xsd:decimal',
  'xsd:float',
  'xsd:short',
]);
const WHOLE: ReadonlySet<string> = new Set(['xsd:int', 'xsd:long', 'xsd:short']);

const KINDS: Readonly<Record<string, ColumnKind>> = {
  'xsd:boolean': 'boolean',
  'xsd:date': 'date',
  'xsd:dateTime': 'time',
};

export function RowsGrid({
  table,
  layer,
  title,
  columns,
  keyColumn: key,
  mayEdit,
  adds,
  onColumns,
}: {
  /** Its name in the REST service. */
  readonly table: string;
  /** The layer that it is, whose history says who changed a row; undefined: it is none. */
  readonly layer?: Layer;
  readonly title: string;
  readonly columns: readonly GridColumn[];
  /** The column that names its rows; undefined: none does, and nothing is edited. */
  readonly keyColumn: string | undefined;
  readonly mayEdit: boolean;
  /** A new row is empty at first, or filled in a form; undefined: none is added. */
  readonly adds: 'empty' | 'form' | undefined;
  /** Columns of the layer were changed here. */
  readonly onColumns?: () => void;
}) {
  const t = useText();
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
  const schema = useMemo(() => ({ isKnown: true, key, kinds, fields: NO_FIELDS }) as const, [key, kinds]);
  const [filter, setFilter] = useState<TableFilter>(() => startFilter(columns[0], kindOf(columns[0], kinds)));
  const [asked, setAsked] = useState(filter);
  const [sort, setSort] = useState<TableSort>();
  const [page, setPage] = useState(0);
  const [saved, setSaved] = useState(0);
  const { rows, failure, hasNext } = useTableRows(table, schema, {
    filter: allOf(asked),
    sort,
    page,
    extent: undefined,
    saved,
  });
  const onSaved = (): void => setSaved((count) => count + 1);
  const store = useMemo(() => tableStore(table, key ?? ''), [table, key]);
  const fields = useMemo(() => fieldsOf(columns, rows?.rows ?? []), [columns, rows]);
  const edit = useCellEdit(store, fields, onSaved);
  const isEdited = mayEdit && key !== undefined;
  const [isFilling, setFilling] = useState(false);
  const place = JSON.stringify([asked, sort, page]);
  const ticked = useTicked(place);
  const [made, setMade] = useState<{ readonly row: Row; readonly place: string }>();
  const shownMade = made?.place === place ? made.row : undefined;
  const madeKey = key === undefined ? undefined : shownMade?.[key];
  // A new row is seen wherever the order would put it, and as it is now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew with every change.
  useEffect(() => {
    if (typeof madeKey !== 'string' && typeof madeKey !== 'number') return;
    let isGone = false;
    void store.read(madeKey).then((found) => {
      if (!isGone) setMade((now) => now && (found.ok ? { ...now, row: found.value.properties } : undefined));
    });
    return () => {
      isGone = true;
    };
  }, [store, madeKey, saved]);
  const listed =
    shownMade === undefined || key === undefined
      ? (rows?.rows ?? [])
      : [shownMade, ...(rows?.rows ?? []).filter((row) => row[key] !== madeKey)];
  const [refused, setRefused] = useState<Failure>();
  const addRow = async (changes: Readonly<Record<string, unknown>>): Promise<void> => {
    const made = await store.add(changes);
    setRefused(made.ok ? undefined : made.error);
    if (made.ok) {
      say(t('table.row-made'));
      setFilling(false);
      // Without a key it cannot be told from the others: then at the end of all rows, where new ones are.
      if (key === undefined) setPage(Math.floor((rows?.total ?? 0) / PAGE_ROWS));
      else setMade({ row: made.value, place });
    }
    onSaved();
  };
  useEffect(() => {
    const later = window.setTimeout(() => {
      setAsked(filter);
      setPage(0);
    }, TYPING_MS);
    return () => window.clearTimeout(later);
  }, [filter]);
  const total = rows?.total;
  return (
    <div className="rows-grid">
      <div className="table-bar">
        <FilterFields columns={columns} kinds={kinds} filter={filter} onChange={setFilter} />
        <span className="soft small-text number" role="status">
          {total === undefined ? '' : t.count('table.plain-rows', total)}
        </span>
        <span className="grow" />
        {layer !== undefined && isEdited && (
          <CleanMenu
            layer={layer}
            columns={columns.filter(({ attribute }) => attribute !== key)}
            target={
              ticked.names.size > 0 && !ticked.isAll
                ? { kind: 'some', key, names: [...ticked.names] }
                : { kind: 'all', filter: filterCql(allOf(asked)), extent: undefined }
            }
            total={total}
            onDone={() => {
              ticked.clear();
              onColumns?.();
              onSaved();
            }}
          />
        )}
        {adds !== undefined && (
          <Button small icon="plus" onClick={() => (adds === 'form' ? setFilling(true) : void addRow({}))}>
            {t('table.add-row')}
          </Button>
        )}
        <PageTurn page={page} isLast={!hasNext} onTurn={setPage} />
      </div>
      <TickedBar ticked={ticked} total={total} fields={fields} store={store} onDone={onSaved} />
      {!isFilling && <Wrong failure={refused} />}
      {failure !== undefined && <p className="notice bad">{failureText(t, failure)}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="table-rows" tabIndex={0} aria-label={t('table.rows-of', { title })}>
        <RowsTable
          columns={columns}
          rows={listed}
          keyColumn={key}
          sort={sort}
          onSort={setSort}
          chosen={typeof madeKey === 'string' || typeof madeKey === 'number' ? madeKey : undefined}
          edit={isEdited ? edit : undefined}
          ticked={isEdited ? ticked.names : undefined}
          onTick={ticked.tick}
        />
        {rows !== undefined && listed.length === 0 && <p className="soft table-empty">{t('table.no-rows')}</p>}
      </section>
      {isFilling && (
        <NewRowDialog
          fields={fields}
          failure={refused}
          onSave={addRow}
          onClose={() => {
            setFilling(false);
            setRefused(undefined);
          }}
        />
      )}
      {edit.conflict !== undefined && (
        <ConflictDialog
          layer={layer}
          mine={edit.conflict.mine}
          theirs={edit.conflict.theirs}
          fields={fields}
          onMine={() => void edit.keepMine()}
          onTheirs={edit.takeTheirs}
          onClose={edit.takeTheirs}
        />
      )}
    </div>
  );
}

/** Columns as fields of a form. What holds documents is not written here. */
function fieldsOf(
  columns: readonly GridColumn[],
  rows: readonly Readonly<Record<string, unknown>>[],
): readonly FormField[] {
  const holdsDocuments = (name: string): boolean =>
    rows.some((row) => typeof row[name] === 'object' && row[name] !== null);
  return columns.map(({ attribute: name, attribute_label: label, attribute_type: type, description }) => ({
    name,
    title: label ?? name,
    hint: description ?? undefined,
    kind: KINDS[type] ?? (NUMBERS.has(type) ? 'number' : 'text'),
    isWhole: WHOLE.has(type),
    isRequired: false,
    isReadOnly: holdsDocuments(name),
    choices: undefined,
    minimum: undefined,
    maximum: undefined,
    isMinimumOpen: false,
    isMaximumOpen: false,
    step: undefined,
    minLength: undefined,
    maxLength: undefined,
  }));
}
