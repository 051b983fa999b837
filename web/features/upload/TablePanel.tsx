// A table before it is imported: its first rows, how it is read, and what would be lost. Each choice can be changed, and the table is looked at again.

import { useId } from 'react';
import type { MessageKey } from '../../lib/i18n/en.ts';
import { type Text, useText } from '../../lib/i18n/text.ts';
import {
  isWished,
  lossesOf,
  NO_WISH,
  type PreviewColumn,
  type TablePreview,
  type TableWish,
  withColumn,
  withWish,
} from '../../lib/table-choices.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';

const TYPES = ['text', 'integer', 'number', 'boolean', 'date', 'time'] as const;
const TYPE_WORDS: Readonly<Record<(typeof TYPES)[number], MessageKey>> = {
  text: 'column-type.text',
  integer: 'column-type.integer',
  number: 'column-type.double precision',
  boolean: 'column-type.boolean',
  date: 'column-type.date',
  time: 'column-type.timestamptz',
};
const CHARSETS = [
  'UTF-8',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
  'utf-16le',
];
const MAX_COLUMNS = 100;
const MAX_ROWS = 10;

type Change = (wish: TableWish) => void;

export function TablePanel({
  preview,
  wish,
  isLooking,
  isRemembered,
  onChange,
}: {
  readonly preview: TablePreview;
  readonly wish: TableWish;
  readonly isLooking: boolean;
  /** The choices are those of the last file of this form. */
  readonly isRemembered: boolean;
  readonly onChange: Change;
}) {
  const t = useText();
  const id = useId();
  const shown = preview.columns.slice(0, MAX_COLUMNS);
  return (
    <section className="stack table-panel" aria-labelledby={id} aria-busy={isLooking}>
      <div className="row apart">
        <h4 id={id}>{t('preview.title')}</h4>
        <span className="soft small-text number" role="status">
          {isLooking
            ? t('preview.looking')
            : t.count(preview.isPart ? 'preview.first-rows' : 'preview.all-rows', preview.rows)}
        </span>
      </div>
      <Losses preview={preview} />
      {isWished(wish) && (
        <div className="row">
          {isRemembered && <p className="soft small-text">{t('preview.remembered')}</p>}
          <Button small onClick={() => onChange(NO_WISH)}>
            {t('preview.reset')}
          </Button>
        </div>
      )}
      <Reading preview={preview} wish={wish} onChange={onChange} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="table-rows" tabIndex={0} aria-label={t('preview.rows')}>
        <table className="preview-table">
          <thead>
            <tr>
              {shown.map((column) => (
                <ColumnHead key={column.name} column={column} wish={wish} onChange={onChange} />
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.first.slice(0, MAX_ROWS).map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name.
              <tr key={row}>
                {shown.map(({ name }, i) => (
                  <td key={name} className={wish.columns?.[name]?.skip === true ? 'left-out' : undefined}>
                    {cells[i]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {preview.columns.length > MAX_COLUMNS && (
        <p className="soft small-text">{t.count('preview.more-columns', preview.columns.length - MAX_COLUMNS)}</p>
      )}
    </section>
  );
}

/** "14 of 3,200 values in “Date” cannot be read as dates: lines 5, 118 …" */
function Losses({ preview }: { readonly preview: TablePreview }) {
  const t = useText();
  const { columns, rows } = lossesOf(preview);
  const linesOf = (lines: readonly number[], count: number): string =>
    `${lines.map((line) => t.number(line, { useGrouping: false })).join(', ')}${count > lines.length ? ' …' : ''}`;
  return (
    <div role="status" className="stack tight">
      {rows !== undefined && (
        <p className="notice bad">
          <Icon name="warning" />
          {t.count('preview.misplaced', rows.count, { lines: linesOf(rows.lines, rows.count) })}
        </p>
      )}
      {columns.length > 0 && (
        <div className="notice warm">
          <Icon name="warning" />
          <ul className="plain-list small-text grow">
            {columns.map(({ name, type, lost, empty }) => (
              <li key={name}>
                {t.count('preview.lost', lost.count, {
                  of: t.number(preview.rows - empty),
                  column: name,
                  type: t(TYPE_WORDS[type]),
                  lines: linesOf(lost.lines, lost.count),
                })}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function Reading({
  preview,
  wish,
  onChange,
}: {
  readonly preview: TablePreview;
  readonly wish: TableWish;
  readonly onChange: Change;
}) {
  const t = useText();
  const set = (change: Parameters<typeof withWish>[1]): void => onChange(withWish(wish, change));
  const names = preview.columns.map(({ name }) => name);
  const isText = preview.format === 'CSV';
  const places = wish.places ?? preview.places;
  const [x = '', y = ''] = preview.places === 'columns' ? preview.placed : [wish.x, wish.y];
  const wkt = preview.places === 'geometries' ? preview.placed[0] : wish.wkt;
  const unset = { places: undefined, x: undefined, y: undefined, wkt: undefined };
  return (
    <div className="upload-fields">
      {preview.sheets.length > 0 && (
        <Choice
          label={t('add.sheet')}
          value={wish.sheet ?? preview.sheet ?? ''}
          options={preview.sheets.map((name) => [name, name])}
          onChange={(sheet) => onChange({ sheet })}
        />
      )}
      {isText && (
        <Choice
          label={t('preview.charset')}
          value={wish.charset ?? preview.charset}
          options={[...new Set([preview.charset, ...CHARSETS])].map((name) => [name, name])}
          onChange={(charset) => set({ charset })}
        />
      )}
      {isText && (
        <Choice
          label={t('preview.delimiter')}
          value={wish.delimiter ?? preview.delimiter}
          options={[
            [',', t('preview.comma')],
            [';', t('preview.semicolon')],
            ['\t', t('preview.tab')],
            ['|', t('preview.bar')],
          ]}
          // The columns are others.
          onChange={(delimiter) => set({ delimiter, columns: undefined, ...unset })}
        />
      )}
      <Choice
        label={t('preview.decimal')}
        value={wish.decimal ?? preview.decimal}
        options={[
          ['.', t('preview.point')],
          [',', t('preview.comma')],
        ]}
        onChange={(decimal) => set({ decimal: decimal === ',' ? ',' : '.' })}
      />
      <Choice
        label={t('preview.header')}
        value={String(wish.header ?? preview.header)}
        options={[
          ['0', t('preview.no-header')],
          ...Array.from(
            { length: Math.max(10, preview.header) },
            (_, i) => [String(i + 1), t('preview.header-row', { n: i + 1 })] as const,
          ),
        ]}
        onChange={(header) => set({ header: Number(header), columns: undefined, ...unset })}
      />
      <Choice
        label={t('preview.dates')}
        value={wish.dates ?? preview.dates}
        options={[
          ['ymd', t('preview.dates.ymd')],
          ['dmy', t('preview.dates.dmy')],
          ['mdy', t('preview.dates.mdy')],
        ]}
        onChange={(dates) => set({ dates: dates === 'dmy' || dates === 'mdy' ? dates : 'ymd' })}
      />
      <Choice
        label={t('preview.places')}
        value={
          wish.x !== undefined || wish.y !== undefined ? 'columns' : wish.wkt !== undefined ? 'geometries' : places
        }
        options={[
          ...(places === 'unknown' ? [['unknown', t('preview.places.unknown')] as const] : []),
          ['columns', t('preview.places.columns')],
          ['geometries', t('preview.places.geometries')],
          ['none', t('preview.places.none')],
        ]}
        onChange={(kind) =>
          set(
            kind === 'none'
              ? { ...unset, places: 'none' }
              : kind === 'geometries'
                ? { ...unset, wkt: names[0] }
                : kind === 'columns'
                  ? { ...unset, x: names[0], y: names[1] ?? names[0] }
                  : unset,
          )
        }
      />
      {(wish.x !== undefined || preview.places === 'columns') && (
        <>
          <Choice
            label={t('add.column-x')}
            value={wish.x ?? x}
            options={names.map((name) => [name, name])}
            onChange={(name) => set({ ...unset, x: name, y: wish.y ?? y })}
          />
          <Choice
            label={t('add.column-y')}
            value={wish.y ?? y}
            options={names.map((name) => [name, name])}
            onChange={(name) => set({ ...unset, x: wish.x ?? x, y: name })}
          />
        </>
      )}
      {(wish.wkt !== undefined || preview.places === 'geometries') && (
        <Choice
          label={t('preview.column-wkt')}
          value={wish.wkt ?? wkt ?? ''}
          options={names.map((name) => [name, name])}
          onChange={(name) => set({ ...unset, wkt: name })}
        />
      )}
    </div>
  );
}

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <SelectField label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </SelectField>
  );
}

function ColumnHead({
  column,
  wish,
  onChange,
}: {
  readonly column: PreviewColumn;
  readonly wish: TableWish;
  readonly onChange: Change;
}) {
  const t = useText();
  const { name, lost, dates } = column;
  const { skip = false, type = column.type, name: as = name } = wish.columns?.[name] ?? {};
  const set = (change: Parameters<typeof withColumn>[2]): void => onChange(withColumn(wish, name, change));
  const asDates = (): void => {
    const [order] = dates;
    onChange(withColumn(withWish(wish, { dates: order }), name, { type: 'date' }));
  };
  return (
    <th scope="col" className={skip ? 'left-out' : undefined}>
      <div className="stack tight">
        <label className="check small-text">
          <input type="checkbox" checked={!skip} onChange={(event) => set({ skip: !event.target.checked })} />
          <span className="column-name">{name}</span>
        </label>
        {!skip && (
          <>
            <input
              className="input small"
              aria-label={t('preview.name-of', { column: name })}
              defaultValue={as}
              key={as}
              maxLength={255}
              onBlur={(event) => {
                const wanted = event.target.value.trim();
                set({ name: wanted === '' || wanted === name ? undefined : wanted });
              }}
            />
            <select
              className="input small"
              aria-label={t('preview.type-of', { column: name })}
              value={type}
              onChange={(event) => set({ type: TYPES.find((known) => known === event.target.value) })}
            >
              {TYPES.map((known) => (
                <option key={known} value={known}>
                  {t(TYPE_WORDS[known])}
                </option>
              ))}
            </select>
            {type === 'text' && dates.length > 0 && (
              <Button small onClick={asDates}>
                {t(datesKey(dates[0]))}
              </Button>
            )}
            {lost.count > 0 && <span className="badge warm number">{lostBadge(t, lost.count)}</span>}
          </>
        )}
      </div>
    </th>
  );
}

function datesKey(order: PreviewColumn['dates'][number] | undefined): MessageKey {
  return order === 'mdy' ? 'preview.as-dates.mdy' : order === 'dmy' ? 'preview.as-dates.dmy' : 'preview.as-dates.ymd';
}

function lostBadge(t: Text, count: number): string {
  return t.count('preview.lost-badge', count);
}
