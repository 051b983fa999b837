// What plots with axes share: their size, the axes, and a row of buttons over them by which groups are chosen.

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Text } from '../../lib/i18n/text.ts';
import type { ChartItem } from './chart-item.ts';

export const MARGIN = { left: 48, right: 12, top: 10, bottom: 26 } as const;
type Size = { readonly width: number; readonly height: number };

/** As large as there is room; drawn once that is known. */
export function Sized({
  className,
  children,
}: {
  readonly className: string;
  readonly children: (size: Size) => ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width > 0 && height > 0) setSize({ width, height });
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return (
    <div className={className} ref={box}>
      {size !== undefined && children(size)}
    </div>
  );
}

type Scale = { (value: number): number; ticks(count?: number): number[] };

export function Axes({
  size,
  x,
  y,
  isWhole,
  t,
}: {
  readonly size: Size;
  readonly x: { readonly at: number; readonly text: string }[];
  readonly y: Scale;
  /** What is measured are whole numbers. */
  readonly isWhole: boolean;
  readonly t: Text;
}) {
  const foot = size.height - MARGIN.bottom;
  return (
    <g className="axes">
      {y
        .ticks(Math.max(2, Math.floor(size.height / 50)))
        .filter((tick) => !isWhole || Number.isInteger(tick))
        .map((tick) => (
          <g key={tick}>
            <line x1={MARGIN.left} x2={size.width - MARGIN.right} y1={y(tick)} y2={y(tick)} />
            <text x={MARGIN.left - 6} y={y(tick)} dy="0.32em" textAnchor="end">
              {t.number(tick, { notation: 'compact', maximumSignificantDigits: 3 })}
            </text>
          </g>
        ))}
      {x.map(({ at, text }) => (
        <text key={`${at} ${text}`} x={at} y={foot + 17} textAnchor="middle">
          {text}
        </text>
      ))}
    </g>
  );
}

/** A row of buttons over the plot, one for each group; Tab comes to one of them, the arrow keys go to the others. */
export function Hits({
  label,
  items,
  size,
  edges,
  onChoose,
}: {
  readonly label: string;
  readonly items: readonly ChartItem[];
  readonly size: Size;
  readonly edges: (i: number) => readonly [left: number, width: number];
  readonly onChoose: (item: ChartItem) => void;
}) {
  const [active, setActive] = useState(0);
  const row = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -items.length, End: items.length }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const to = Math.min(items.length - 1, Math.max(0, active + by));
    setActive(to);
    row.current?.querySelectorAll('button')[to]?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and a legend of its own.
    <div className="hits" role="group" aria-label={label} ref={row} onKeyDown={move}>
      {items.map((item, i) => {
        const [left, width] = edges(i);
        return (
          <button
            key={item.key}
            type="button"
            tabIndex={i === Math.min(active, items.length - 1) ? 0 : -1}
            aria-pressed={item.isChosen}
            aria-label={`${item.label}: ${item.shown}`}
            title={`${item.label}: ${item.shown}`}
            style={{ left, width, top: MARGIN.top, height: size.height - MARGIN.top - MARGIN.bottom }}
            onFocus={() => setActive(i)}
            onClick={() => onChoose(item)}
          />
        );
      })}
    </div>
  );
}
