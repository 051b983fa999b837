// A chart: its groups are counted by the database, with the filters of the other widgets. The same groups are there as a table.

import { lazy, Suspense, useState } from 'react';
import { type AggregateGroup, type AggregateQuery, type Aggregates, aggregatesPath } from '../../api/aggregates.ts';
import type { Layer } from '../../api/types.ts';
import type { ChartKind, Widget } from '../../lib/dashboard/dashboard.ts';
import { isSame, type Selection, toggled } from '../../lib/dashboard/selection.ts';
import { type Text, useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { IconButton } from '../../ui/Button.tsx';
import type { ChartItem } from './chart-item.ts';
import { type ColumnWords, groupText, measureText, selectionOf } from './chart-words.ts';
import { useWidgetScope } from './dashboard-scope.ts';
import { useAggregates } from './use-aggregates.ts';
import { useColumnWords } from './use-column-words.ts';

const BarChart = lazy(() => import('./Charts.tsx').then((m) => ({ default: m.BarChart })));
const PieChart = lazy(() => import('./Charts.tsx').then((m) => ({ default: m.PieChart })));
const Histogram = lazy(() => import('./PlottedCharts.tsx').then((m) => ({ default: m.Histogram })));
const TimeChart = lazy(() => import('./PlottedCharts.tsx').then((m) => ({ default: m.TimeChart })));
const ScatterChart = lazy(() => import('./PlottedCharts.tsx').then((m) => ({ default: m.ScatterChart })));

const USUAL_GROUPS = 20;
const PIE_GROUPS = 8;

function queryOf({ kind, column, across, measure, of, unit, groups }: Widget): AggregateQuery {
  const measured = measure === 'count' ? {} : { measure, of };
  switch (kind) {
    case 'histogram':
      return { group: column, bins: groups ?? USUAL_GROUPS, ...measured };
    case 'scatter':
      return { group: column, across, bins: Math.min(40, groups ?? USUAL_GROUPS), ...measured };
    case 'line':
      return { group: column, unit: unit ?? 'auto', ...measured };
    default:
      return { group: column, limit: groups ?? (kind === 'pie' ? PIE_GROUPS : USUAL_GROUPS), ...measured };
  }
}

export function ChartWidget({
  widget,
  layer,
  kind,
}: {
  readonly widget: Widget;
  readonly layer: Layer;
  readonly kind: ChartKind;
}) {
  const t = useText();
  const { own, conditions, select, changes } = useWidgetScope(widget, layer);
  const { value, failure, isWaiting } = useAggregates(aggregatesPath(layer.name, queryOf(widget), conditions), changes);
  const words = useColumnWords(layer);
  const [isTable, setTable] = useState(false);
  if (failure !== undefined) return <p className="notice warm">{failureText(t, failure)}</p>;
  if (value === undefined)
    return <div className="widget-wait skeleton" role="status" aria-label={t('state.loading')} />;
  const items = itemsOf(t, words, widget, layer, kind, value, own);
  const choose = ({ group }: ChartItem): void => {
    if (group === undefined) return;
    const next = selectionOf(widget, group, value, highAcross(value));
    const several = kind === 'bar' || kind === 'pie';
    if (several) select(toggled(own, widget.column ?? '', group.value ?? null));
    else select(isSame(own, next) ? undefined : next);
  };
  const props = { label: widget.title, items, hasChosen: own !== undefined, onChoose: choose };
  return (
    <div className="chart" aria-busy={isWaiting}>
      {items.length === 0 ? (
        <p className="soft">{t('dash.no-rows')}</p>
      ) : isTable ? (
        <GroupTable {...props} />
      ) : (
        <Suspense fallback={<div className="widget-wait skeleton" />}>
          {kind === 'bar' && <BarChart {...props} />}
          {kind === 'pie' && <PieChart {...props} />}
          {kind === 'histogram' && <Histogram {...props} />}
          {kind === 'line' && <TimeChart {...props} unit={value.unit} />}
          {kind === 'scatter' && <ScatterChart {...props} />}
        </Suspense>
      )}
      <div className="chart-foot">
        <Note value={value} kind={kind} t={t} />
        <IconButton
          small
          className="chart-switch"
          icon={isTable ? 'chart' : 'table'}
          name={t(isTable ? 'dash.as-chart' : 'dash.as-table', { title: widget.title })}
          onClick={() => setTable(!isTable)}
        />
      </div>
    </div>
  );
}

/** What the chart leaves out is said. */
function Note({ value, kind, t }: { readonly value: Aggregates; readonly kind: ChartKind; readonly t: Text }) {
  const parts = [
    ...(value.empty > 0 ? [t.count('dash.empty-rows', value.empty)] : []),
    ...(value.others !== null && kind === 'line' ? [t.count('dash.earlier', value.others.groups)] : []),
  ];
  return parts.length === 0 ? null : <p className="soft small-text chart-note">{parts.join(' · ')}</p>;
}

function highAcross({ groups }: Aggregates): number {
  return Math.max(...groups.map(({ across_to }) => across_to ?? Number.NEGATIVE_INFINITY));
}

function itemsOf(
  t: Text,
  words: ColumnWords,
  widget: Widget,
  layer: Layer,
  kind: ChartKind,
  value: Aggregates,
  own: Selection | undefined,
): readonly ChartItem[] {
  const chosen = (group: AggregateGroup): boolean =>
    own?.kind === 'values'
      ? own.values.includes(group.value ?? null)
      : isSame(own, selectionOf(widget, group, value, highAcross(value)));
  const items = value.groups.map((group, i) => ({
    key: `${i} ${group.value ?? group.from}`,
    label: groupText(t, words, widget, kind, group, value.unit),
    value: Number(group.measure ?? 0),
    shown: measureText(t, group.measure, widget, layer),
    group,
    isChosen: chosen(group),
  }));
  const { others } = value;
  if (others === null || kind === 'line') return items;
  // Of an average or a median of the others there is no honest bar.
  const n = others.measure === null ? undefined : Number(others.measure);
  return [
    ...items,
    {
      key: 'others',
      label: t.count('dash.others', others.groups),
      value: n ?? 0,
      shown: measureText(t, others.measure, widget, layer),
      group: undefined,
      isChosen: false,
    },
  ];
}

function GroupTable({
  label,
  items,
  onChoose,
}: {
  readonly label: string;
  readonly items: readonly ChartItem[];
  readonly onChoose: (item: ChartItem) => void;
}) {
  const t = useText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="widget-scroll" tabIndex={0} aria-label={label}>
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">{t('dash.group')}</th>
            <th scope="col" className="right">
              {t('dash.measure')}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.key} className={item.isChosen ? 'chosen' : ''}>
              <th scope="row">
                {item.group === undefined ? (
                  item.label
                ) : (
                  <button
                    type="button"
                    className="button quiet small"
                    aria-pressed={item.isChosen}
                    onClick={() => onChoose(item)}
                  >
                    {item.label}
                  </button>
                )}
              </th>
              <td className="right number">{item.shown}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
