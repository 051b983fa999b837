// Charts with axes: histogram, time series, scatter plot. Scales, ticks and shapes are d3's; the elements are ours.

import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, line } from 'd3-shape';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { type ChartItem, type ChartProps, look } from './chart-item.ts';
import { Axes, Hits, MARGIN, Sized } from './Plot.tsx';

export function Histogram({ label, items, hasChosen, onChoose }: ChartProps) {
  const t = useText();
  const [first, last] = [items[0]?.group?.from ?? 0, items.at(-1)?.group?.to ?? 1];
  return (
    <Sized className="plot-box">
      {(size) => {
        const x = scaleLinear([first, last === first ? first + 1 : last], [MARGIN.left, size.width - MARGIN.right]);
        const y = scaleLinear(
          [Math.min(0, ...items.map(({ value }) => value)), Math.max(1e-9, ...items.map(({ value }) => value))],
          [size.height - MARGIN.bottom, MARGIN.top],
        ).nice();
        const ticks = x.ticks(Math.max(2, Math.floor(size.width / 90)));
        const step = (size.width - MARGIN.left - MARGIN.right) / Math.max(1, items.length);
        return (
          <>
            <svg width={size.width} height={size.height} aria-hidden="true">
              <Axes
                size={size}
                t={t}
                y={y}
                isWhole={items.every(({ value }) => Number.isInteger(value))}
                x={ticks.map((tick) => ({
                  at: x(tick),
                  text: t.number(tick, {
                    notation: Math.abs(tick) >= 10_000 ? 'compact' : 'standard',
                    useGrouping: false,
                  }),
                }))}
              />
              {items.map((item, i) => (
                <rect
                  key={item.key}
                  className={look('plot-bar', item, hasChosen)}
                  x={MARGIN.left + i * step + 0.5}
                  width={Math.max(1, step - 1)}
                  y={Math.min(y(0), y(item.value))}
                  height={Math.abs(y(0) - y(item.value))}
                />
              ))}
            </svg>
            <Hits
              label={label}
              items={items}
              size={size}
              edges={(i) => [MARGIN.left + i * step, step]}
              onChoose={onChoose}
            />
          </>
        );
      }}
    </Sized>
  );
}

export function TimeChart({
  label,
  items,
  hasChosen,
  onChoose,
  unit,
}: ChartProps & { readonly unit: string | undefined }) {
  const t = useText();
  const times = items.map(({ group }) => Date.parse(String(group?.value)));
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 1];
  return (
    <Sized className="plot-box">
      {(size) => {
        const x = scaleUtc(
          [first, last === first ? first + 86_400_000 : last],
          [MARGIN.left + 4, size.width - MARGIN.right - 4],
        );
        const y = scaleLinear(
          [Math.min(0, ...items.map(({ value }) => value)), Math.max(1e-9, ...items.map(({ value }) => value))],
          [size.height - MARGIN.bottom, MARGIN.top],
        ).nice();
        const at = (i: number): number => x(times[i] ?? 0);
        const drawn = line<ChartItem>(
          (_, i) => at(i),
          ({ value }) => y(value),
        );
        const filled = area<ChartItem>(
          (_, i) => at(i),
          y(0),
          ({ value }) => y(value),
        );
        const few = items.length <= 60;
        const ticks = x.ticks(Math.max(2, Math.floor(size.width / 110)));
        const shown = new Intl.DateTimeFormat(t.language, { ...tickWords(first, last, unit), timeZone: 'UTC' });
        const edges = (i: number): readonly [number, number] => {
          const left = i === 0 ? MARGIN.left : (at(i - 1) + at(i)) / 2;
          const right = i === items.length - 1 ? size.width - MARGIN.right : (at(i) + at(i + 1)) / 2;
          return [left, Math.max(1, right - left)];
        };
        return (
          <>
            <svg width={size.width} height={size.height} aria-hidden="true">
              <Axes
                size={size}
                t={t}
                y={y}
                isWhole={items.every(({ value }) => Number.isInteger(value))}
                x={ticks.map((tick) => ({ at: x(tick), text: shown.format(tick) }))}
              />
              <path className="plot-area" d={filled([...items]) ?? ''} />
              <path className="plot-line" d={drawn([...items]) ?? ''} />
              {items.map((item, i) =>
                few || item.isChosen ? (
                  <circle
                    key={item.key}
                    className={look('plot-point', item, hasChosen)}
                    cx={at(i)}
                    cy={y(item.value)}
                    r={item.isChosen ? 5 : 3}
                  />
                ) : null,
              )}
            </svg>
            <Hits label={label} items={items} size={size} edges={edges} onChoose={onChoose} />
          </>
        );
      }}
    </Sized>
  );
}

const YEAR_MS = 31_556_952_000;

function tickWords(first: number, last: number, unit: string | undefined): Intl.DateTimeFormatOptions {
  if (last - first > 4 * YEAR_MS || unit === 'year') return { year: 'numeric' };
  if (last - first > YEAR_MS / 4) return { month: 'short', year: '2-digit' };
  return last - first > 3 * 86_400_000 ? { day: 'numeric', month: 'short' } : { hour: 'numeric', day: 'numeric' };
}

/** Cells of two columns, as circles whose area is what they measure. */
export function ScatterChart({ label, items, hasChosen, onChoose }: ChartProps) {
  const t = useText();
  const ends = (low: 'from' | 'across_from', high: 'to' | 'across_to'): readonly [number, number] => {
    const least = Math.min(...items.map(({ group }) => group?.[low] ?? 0));
    const most = Math.max(...items.map(({ group }) => group?.[high] ?? 0));
    return least < most ? [least, most] : [least - 0.5, least + 0.5];
  };
  const [across, up] = [ends('from', 'to'), ends('across_from', 'across_to')];
  const most = Math.max(1e-9, ...items.map(({ value }) => value));
  const [active, setActive] = useState(0);
  const row = useRef<HTMLDivElement>(null);
  return (
    <Sized className="plot-box">
      {(size) => {
        const x = scaleLinear(across, [MARGIN.left + 8, size.width - MARGIN.right - 8]);
        const y = scaleLinear(up, [size.height - MARGIN.bottom - 8, MARGIN.top + 8]);
        const largest = Math.max(4, Math.min(size.width, size.height) / 24);
        const place = ({ group, value }: ChartItem): { cx: number; cy: number; r: number } => ({
          cx: x(((group?.from ?? 0) + (group?.to ?? 0)) / 2),
          cy: y(((group?.across_from ?? 0) + (group?.across_to ?? 0)) / 2),
          r: Math.max(2, largest * Math.sqrt(Math.max(0, value) / most)),
        });
        const move = (event: KeyboardEvent): void => {
          const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 1, ArrowDown: -1 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          const to = Math.min(items.length - 1, Math.max(0, active + by));
          setActive(to);
          row.current?.querySelectorAll('button')[to]?.focus();
        };
        return (
          <>
            <svg width={size.width} height={size.height} aria-hidden="true">
              <Axes
                size={size}
                t={t}
                y={y}
                isWhole={false}
                x={x.ticks(Math.max(2, Math.floor(size.width / 90))).map((tick) => ({
                  at: x(tick),
                  text: t.number(tick, { maximumSignificantDigits: 4, useGrouping: false }),
                }))}
              />
              {items.map((item) => (
                <circle key={item.key} className={look('plot-point', item, hasChosen)} {...place(item)} />
              ))}
            </svg>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and a legend of its own. */}
            <div className="hits" role="group" aria-label={label} ref={row} onKeyDown={move}>
              {items.map((item, i) => {
                const { cx, cy, r } = place(item);
                const side = Math.max(10, 2 * r);
                return (
                  <button
                    key={item.key}
                    type="button"
                    className="round"
                    tabIndex={i === Math.min(active, items.length - 1) ? 0 : -1}
                    aria-pressed={item.isChosen}
                    aria-label={`${item.label}: ${item.shown}`}
                    title={`${item.label}: ${item.shown}`}
                    style={{ left: cx - side / 2, top: cy - side / 2, width: side, height: side }}
                    onFocus={() => setActive(i)}
                    onClick={() => onChoose(item)}
                  />
                );
              })}
            </div>
          </>
        );
      }}
    </Sized>
  );
}
