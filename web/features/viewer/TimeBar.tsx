// The time slider of a layer: how many features there are in each period, and the chosen one on the map; played as an animation if wanted.

import { useEffect, useState } from 'react';
import { aggregatesPath, NO_CONDITIONS } from '../../api/aggregates.ts';
import type { Layer } from '../../api/types.ts';
import { dataColumns } from '../../lib/dashboard/columns.ts';
import { conditionsOf, datesOf, mapConditions } from '../../lib/dashboard/selection.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import type { FeatureFilter } from '../../map/drawn.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { timeText } from '../dashboard/chart-words.ts';
import { useAggregates } from '../dashboard/use-aggregates.ts';
import './time-bar.css';

const STEP_MS = 900;
const WIDTH = 600;
const HEIGHT = 40;

export function TimeBar({
  layer,
  onFilter,
  onClose,
}: {
  readonly layer: Layer;
  /** For the features on the map. */
  readonly onFilter: (filter: FeatureFilter | undefined) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const columns = dataColumns(layer).filter(({ kind }) => kind === 'date');
  const [column, setColumn] = useState(columns[0]?.name ?? '');
  const [unit, setUnit] = useState('auto');
  const { value, failure } = useAggregates(aggregatesPath(layer.name, { group: column, unit }, NO_CONDITIONS), 0);
  const [at, setAt] = useState(0);
  const [isUpTo, setUpTo] = useState(false);
  const [isPlaying, setPlaying] = useState(false);
  const groups = value?.groups ?? [];
  const last = Math.max(0, groups.length - 1);
  const here = Math.min(at, last);
  const start = groups[here]?.value;
  const told = value?.unit;
  // Maps tell days apart, and nothing finer.
  useEffect(() => {
    if (told === 'hour') setUnit('day');
  }, [told]);
  const filter = filterOf(column, start, told, isUpTo);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told again only when the filter is another.
  useEffect(() => onFilter(filter === undefined ? undefined : (JSON.parse(filter) as FeatureFilter)), [filter]);
  useEffect(() => {
    if (!isPlaying) return;
    const timer = window.setInterval(() => setAt((now) => Math.min(last, now + 1)), STEP_MS);
    return () => window.clearInterval(timer);
  }, [isPlaying, last]);
  useEffect(() => {
    if (here >= last) setPlaying(false);
  }, [here, last]);
  const play = (): void => {
    if (here >= last) setAt(0);
    setPlaying(!isPlaying);
  };
  const most = Math.max(1, ...groups.map(({ count }) => count));
  const step = WIDTH / Math.max(1, groups.length);
  const period = start === undefined || start === null ? '' : timeText(t, String(start), told);
  return (
    <section className="time-bar" aria-label={t('time.title', { title: layer.title })}>
      <div className="row apart">
        <strong className="number" role="status">
          {period}
          {groups[here] !== undefined && ` · ${t.count('table.rows', groups[here].count)}`}
        </strong>
        <IconButton small icon="close" name={t('time.close')} onClick={onClose} />
      </div>
      {failure !== undefined && <p className="notice warm">{failureText(t, failure)}</p>}
      {value !== undefined && groups.length === 0 && <p className="soft">{t('dash.no-rows')}</p>}
      {groups.length > 0 && (
        <>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {groups.map(({ value: name, count }, i) => (
              <rect
                key={String(name)}
                className={i === here || (isUpTo && i < here) ? 'here' : ''}
                x={i * step}
                width={Math.max(0.5, step - (step > 3 ? 1 : 0))}
                y={HEIGHT - (HEIGHT * count) / most}
                height={(HEIGHT * count) / most}
              />
            ))}
          </svg>
          <input
            type="range"
            min={0}
            max={last}
            value={here}
            aria-label={t('time.period')}
            aria-valuetext={period}
            onChange={(event) => {
              setPlaying(false);
              setAt(Number(event.target.value));
            }}
          />
          <div className="row tight">
            <Button small look="primary" disabled={last === 0} onClick={play}>
              {t(isPlaying ? 'time.pause' : 'time.play')}
            </Button>
            <label className="check small-text">
              <input type="checkbox" checked={isUpTo} onChange={(event) => setUpTo(event.target.checked)} />
              {t('time.up-to')}
            </label>
            <span className="grow" />
            {columns.length > 1 && (
              <select
                className="input small"
                aria-label={t('dash.column')}
                value={column}
                onChange={(event) => {
                  setColumn(event.target.value);
                  setUnit('auto');
                  setAt(0);
                }}
              >
                {columns.map(({ name, label }) => (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ))}
              </select>
            )}
            <select
              className="input small"
              aria-label={t('dash.unit')}
              value={unit === 'auto' ? (told ?? 'day') : unit}
              onChange={(event) => {
                setUnit(event.target.value);
                setAt(0);
              }}
            >
              {(['year', 'quarter', 'month', 'week', 'day'] as const).map((one) => (
                <option key={one} value={one}>
                  {t(`unit.${one}`)}
                </option>
              ))}
            </select>
          </div>
        </>
      )}
    </section>
  );
}

/** As text, so that two that mean the same are the same. */
function filterOf(column: string, start: unknown, unit: string | undefined, isUpTo: boolean): string | undefined {
  if (typeof start !== 'string' || unit === undefined || unit === 'hour') return undefined;
  const dates = datesOf(column, start, unit);
  if (dates.kind !== 'dates') return undefined;
  const chosen = [isUpTo ? { ...dates, from: undefined } : dates];
  return JSON.stringify({ map: mapConditions(chosen), cql: conditionsOf(chosen).filter });
}
