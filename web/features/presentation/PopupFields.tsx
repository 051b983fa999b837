// The pop-up of a layer: its title, chosen columns or a template, and charts.

import { useId, useRef } from 'react';
import {
  CHART_KINDS,
  type ColumnLook,
  MAX_CHARTS,
  MAX_TEMPLATE,
  MAX_TITLE,
  type Popup,
  type PopupChart,
} from '../../../src/geo/presentation/presentation.ts';
import { useText } from '../../lib/i18n/text.ts';
import { replacedAt } from '../../lib/ordered.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { InputField, TextField } from '../../ui/Field.tsx';
import { ColumnChoice } from './ColumnChoice.tsx';

export function PopupFields({
  popup,
  columns,
  numeric,
  onChange,
}: {
  readonly popup: Popup;
  readonly columns: readonly ColumnLook[];
  /** Columns that can be drawn. */
  readonly numeric: ReadonlySet<string>;
  readonly onChange: (popup: Popup) => void;
}) {
  const t = useText();
  const id = useId();
  const shown = columns.filter(({ visible }) => visible).map(({ column }) => column);
  const numbers = columns.filter(({ column }) => numeric.has(column));
  return (
    <div className="stack">
      <InputField
        label={t('look.popup-title')}
        hint={t('look.popup-title-hint')}
        maxLength={MAX_TITLE}
        value={popup.title}
        onChange={(event) => onChange({ ...popup, title: event.target.value })}
      />
      <fieldset className="look-kind">
        <legend>{t('look.content')}</legend>
        {(['list', 'template'] as const).map((kind) => (
          <label key={kind} className="check">
            <input
              type="radio"
              name={`${id}-kind`}
              checked={popup.kind === kind}
              onChange={() => onChange({ ...popup, kind })}
            />
            {t(`look.kind-${kind}`)}
          </label>
        ))}
      </fieldset>
      {popup.kind === 'list' ? (
        <>
          <label className="check">
            <input
              type="checkbox"
              checked={popup.columns === undefined}
              onChange={({ target }) => onChange({ ...popup, columns: target.checked ? undefined : shown })}
            />
            {t('look.all-shown')}
          </label>
          {popup.columns !== undefined && (
            <ColumnChoice
              label={t('look.popup-columns')}
              columns={columns}
              chosen={popup.columns}
              onChange={(next) => onChange({ ...popup, columns: next })}
            />
          )}
        </>
      ) : (
        <TemplateField
          template={popup.template}
          columns={columns}
          onChange={(template) => onChange({ ...popup, template })}
        />
      )}
      <section className="stack tight" aria-label={t('look.charts')}>
        <h3>{t('look.charts')}</h3>
        {numbers.length === 0 && <p className="soft small-text">{t('look.no-numbers')}</p>}
        {popup.charts.map((chart, i) => (
          <ChartFields
            // biome-ignore lint/suspicious/noArrayIndexKey: charts have no names.
            key={i}
            n={i + 1}
            chart={chart}
            columns={numbers}
            onChange={(next) => onChange({ ...popup, charts: replacedAt(popup.charts, i, next) })}
            onRemove={() => onChange({ ...popup, charts: popup.charts.filter((_, at) => at !== i) })}
          />
        ))}
        {numbers.length > 0 && popup.charts.length < MAX_CHARTS && (
          <Button
            small
            icon="plus"
            onClick={() => onChange({ ...popup, charts: [...popup.charts, { kind: 'bar', title: '', columns: [] }] })}
          >
            {t('look.add-chart')}
          </Button>
        )}
      </section>
    </div>
  );
}

function TemplateField({
  template,
  columns,
  onChange,
}: {
  readonly template: string;
  readonly columns: readonly ColumnLook[];
  readonly onChange: (template: string) => void;
}) {
  const t = useText();
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (column: string): void => {
    const at = area.current;
    const [from, to] = [at?.selectionStart ?? template.length, at?.selectionEnd ?? template.length];
    onChange(`${template.slice(0, from)}{{${column}}}${template.slice(to)}`);
    at?.focus();
  };
  return (
    <>
      <TextField
        label={t('look.template')}
        hint={t('look.template-hint')}
        ref={area}
        className="input look-template"
        rows={8}
        spellCheck={false}
        maxLength={MAX_TEMPLATE}
        value={template}
        onChange={(event) => onChange(event.target.value)}
      />
      <select
        className="input small"
        aria-label={t('look.insert')}
        value=""
        onChange={({ target }) => target.value !== '' && insert(target.value)}
      >
        <option value="">{t('look.insert')}</option>
        {columns.map(({ column, label }) => (
          <option key={column} value={column}>
            {label === '' ? column : `${label} (${column})`}
          </option>
        ))}
      </select>
    </>
  );
}

function ChartFields({
  n,
  chart,
  columns,
  onChange,
  onRemove,
}: {
  readonly n: number;
  readonly chart: PopupChart;
  readonly columns: readonly ColumnLook[];
  readonly onChange: (chart: PopupChart) => void;
  readonly onRemove: () => void;
}) {
  const t = useText();
  return (
    <fieldset className="look-chart">
      <legend>{t('look.chart-n', { n })}</legend>
      <div className="row tight">
        <select
          className="input small"
          aria-label={t('look.chart-kind')}
          value={chart.kind}
          onChange={({ target }) =>
            onChange({ ...chart, kind: CHART_KINDS.find((one) => one === target.value) ?? 'bar' })
          }
        >
          {CHART_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`look.chart-${kind}`)}
            </option>
          ))}
        </select>
        <input
          className="input small grow"
          aria-label={t('look.chart-title')}
          placeholder={t('look.chart-title')}
          maxLength={MAX_TITLE}
          value={chart.title}
          onChange={(event) => onChange({ ...chart, title: event.target.value })}
        />
        <IconButton small icon="trash" name={t('look.remove-chart', { n })} onClick={onRemove} />
      </div>
      <ColumnChoice
        label={t('look.chart-columns', { n })}
        columns={columns}
        chosen={chart.columns}
        onChange={(next) => onChange({ ...chart, columns: next })}
      />
    </fieldset>
  );
}
