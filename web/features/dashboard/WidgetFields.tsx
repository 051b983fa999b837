// The fields of a widget: its layer, its columns, what it measures and how it counts.

import { useDeferredValue, useState } from 'react';
import { MEASURES } from '../../api/aggregates.ts';
import type { Layer } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { type DataColumn, type DataKind, dataColumns, hasPlaces, hasRows } from '../../lib/dashboard/columns.ts';
import type { Widget, WidgetKind } from '../../lib/dashboard/dashboard.ts';
import { useText } from '../../lib/i18n/text.ts';
import { InputField, SelectField } from '../../ui/Field.tsx';

const UNITS = ['auto', 'year', 'quarter', 'month', 'week', 'day', 'hour'] as const;

/** Which columns a kind of widget is about. */
export const COLUMN_KINDS: Partial<Readonly<Record<WidgetKind, readonly DataKind[]>>> = {
  bar: ['text', 'boolean', 'number', 'date'],
  pie: ['text', 'boolean', 'number', 'date'],
  line: ['date'],
  histogram: ['number'],
  scatter: ['number'],
  choice: ['text', 'boolean', 'number', 'date'],
  range: ['number'],
  date: ['date'],
  search: ['text'],
};

const MEASURED: ReadonlySet<WidgetKind> = new Set(['bar', 'pie', 'line', 'counter']);
const COUNTED: ReadonlySet<WidgetKind> = new Set(['bar', 'pie', 'histogram', 'scatter']);

export function LayerField({
  kind,
  chosen,
  onChoose,
}: {
  readonly kind: WidgetKind;
  readonly chosen: Layer | undefined;
  readonly onChoose: (layer: Layer) => void;
}) {
  const t = useText();
  const [q, setQ] = useState('');
  const asked = useDeferredValue(q.trim());
  const search = asked === '' ? '' : `&search=${encodeURIComponent(asked)}`;
  const [found] = useLoaded(`/api/v2/layers/?page_size=50&sort[]=title${search}`);
  const listed = found.kind === 'loaded' ? found.value.layers : [];
  const fitting = listed.filter(kind === 'map' ? (one) => one.subtype !== 'tabular' : hasRows);
  const layers = chosen === undefined || fitting.some(({ pk }) => pk === chosen.pk) ? fitting : [chosen, ...fitting];
  return (
    <div className="control-pair">
      <InputField
        label={t('viewer.find-layer')}
        type="search"
        value={q}
        onChange={(event) => setQ(event.target.value)}
      />
      <SelectField
        label={t('dash.layer')}
        value={chosen?.pk ?? ''}
        onChange={(event) => {
          const next = layers.find(({ pk }) => pk === event.target.value);
          if (next !== undefined) onChoose(next);
        }}
      >
        <option value="">{t('sharing.choose')}</option>
        {layers.map((layer) => (
          <option key={layer.pk} value={layer.pk}>
            {hasPlaces(layer) || !hasRows(layer) ? layer.title : t('dash.table-named', { title: layer.title })}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

export function ColumnFields({
  draft,
  layer,
  change,
}: {
  readonly draft: Widget;
  readonly layer: Layer;
  readonly change: (to: Partial<Widget>) => void;
}) {
  const t = useText();
  const all = dataColumns(layer);
  const kinds = COLUMN_KINDS[draft.kind];
  const fitting = kinds === undefined ? [] : all.filter(({ kind }) => kinds.includes(kind));
  const measured = all.filter(
    ({ kind }) =>
      draft.measure === 'distinct' ||
      kind === 'number' ||
      (kind === 'date' && (draft.measure === 'min' || draft.measure === 'max') && draft.kind === 'counter'),
  );
  return (
    <>
      {kinds !== undefined && fitting.length === 0 && <p className="notice warm">{t('dash.no-column')}</p>}
      {fitting.length > 0 && (
        <ColumnSelect
          label={t(draft.kind === 'scatter' ? 'dash.column-x' : 'dash.column')}
          columns={fitting}
          value={draft.column}
          onChange={(column) => change({ column })}
        />
      )}
      {draft.kind === 'scatter' && fitting.length > 0 && (
        <ColumnSelect
          label={t('dash.column-y')}
          columns={fitting}
          value={draft.across}
          onChange={(across) => change({ across })}
        />
      )}
      {MEASURED.has(draft.kind) && (
        <SelectField
          label={t('dash.measure')}
          value={draft.measure}
          onChange={(event) => {
            const measure = MEASURES.find((one) => one === event.target.value) ?? 'count';
            const first = measure === 'distinct' ? all[0] : all.find(({ kind }) => kind === 'number');
            change({ measure, of: measure === 'count' ? undefined : (draft.of ?? first?.name) });
          }}
        >
          {MEASURES.map((measure) => (
            <option key={measure} value={measure}>
              {t(`measure.${measure}`)}
            </option>
          ))}
        </SelectField>
      )}
      {MEASURED.has(draft.kind) && draft.measure !== 'count' && (
        <ColumnSelect label={t('dash.of')} columns={measured} value={draft.of} onChange={(of) => change({ of })} />
      )}
      {draft.kind === 'line' && (
        <SelectField
          label={t('dash.unit')}
          value={draft.unit ?? 'auto'}
          onChange={(event) => change({ unit: event.target.value })}
        >
          {UNITS.map((unit) => (
            <option key={unit} value={unit}>
              {t(`unit.${unit}`)}
            </option>
          ))}
        </SelectField>
      )}
      {COUNTED.has(draft.kind) && (
        <InputField
          label={t('dash.groups')}
          hint={draft.kind === 'bar' || draft.kind === 'pie' ? t('dash.groups-hint') : undefined}
          className="input small"
          type="number"
          min={1}
          max={draft.kind === 'scatter' ? 40 : 100}
          value={draft.groups ?? (draft.kind === 'pie' ? 8 : 20)}
          onChange={(event) => {
            const n = Math.round(Number(event.target.value));
            change({ groups: Math.min(draft.kind === 'scatter' ? 40 : 100, Math.max(1, n || 1)) });
          }}
        />
      )}
      {draft.kind === 'table' && (
        <fieldset className="choices">
          <legend>{t('dash.columns')}</legend>
          {all.map(({ name, label }) => {
            const chosen = draft.columns ?? all.map((one) => one.name);
            return (
              <label key={name} className="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  onChange={(event) =>
                    change({
                      columns: all
                        .map((one) => one.name)
                        .filter((one) => (one === name ? event.target.checked : chosen.includes(one))),
                    })
                  }
                />
                {label}
              </label>
            );
          })}
        </fieldset>
      )}
    </>
  );
}

function ColumnSelect({
  label,
  columns,
  value,
  onChange,
}: {
  readonly label: string;
  readonly columns: readonly DataColumn[];
  readonly value: string | undefined;
  readonly onChange: (name: string | undefined) => void;
}) {
  return (
    <SelectField
      label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    >
      {(value === undefined || columns.every(({ name }) => name !== value)) && <option value="" />}
      {columns.map((column) => (
        <option key={column.name} value={column.name}>
          {column.label}
        </option>
      ))}
    </SelectField>
  );
}
