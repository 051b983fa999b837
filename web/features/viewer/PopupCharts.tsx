// Small charts of a feature's numbers, below its attributes. Shapes are drawn, names and numbers are text beside them.

import { type ChartPart, pieSlices } from '../../lib/popup-chart.ts';
import './popup-charts.css';

export type ShownChart = {
  readonly kind: 'bar' | 'column' | 'pie';
  readonly title: string;
  readonly parts: readonly ChartPart[];
};

export function PopupCharts({ charts }: { readonly charts: readonly ShownChart[] }) {
  return charts.map(({ kind, title, parts }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: charts have no names, and are drawn as a whole.
    <figure key={i} className={`popup-chart ${kind}`}>
      {title !== '' && <figcaption>{title}</figcaption>}
      {kind === 'bar' && <Bars parts={parts} />}
      {kind === 'column' && <Columns parts={parts} />}
      {kind === 'pie' && <Pie parts={parts} />}
    </figure>
  ));
}

type Parts = { readonly parts: readonly ChartPart[] };

/** From where to where of the width or height a value goes, in parts of a hundred; values below nought go the other way. */
function spanOf(parts: readonly ChartPart[]): (value: number) => readonly [from: number, length: number] {
  const low = Math.min(0, ...parts.map(({ value }) => value));
  const high = Math.max(0, ...parts.map(({ value }) => value));
  const whole = high - low || 1;
  return (value) => [(100 * (Math.min(0, value) - low)) / whole, (100 * Math.abs(value)) / whole];
}

function Bars({ parts }: Parts) {
  const span = spanOf(parts);
  return (
    <ul>
      {parts.map(({ column, label, value, shown }) => {
        const [from, length] = span(value);
        return (
          <li key={column}>
            <span className="chart-label">{label}</span>
            <span className="chart-value number">{shown}</span>
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect className="chart-track" width="100" height="6" />
              <rect className="chart-0" x={from} width={Math.max(length, 0.5)} height="6" />
            </svg>
          </li>
        );
      })}
    </ul>
  );
}

function Columns({ parts }: Parts) {
  const span = spanOf(parts);
  return (
    <ul>
      {parts.map(({ column, label, value, shown }) => {
        const [from, length] = span(value);
        return (
          <li key={column}>
            <span className="chart-value number">{shown}</span>
            <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
              <rect className="chart-0" y={100 - from - length} width="10" height={Math.max(length, 0.5)} />
            </svg>
            <span className="chart-label" title={label}>
              {label}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

const COLOURS = 8;

function Pie({ parts }: Parts) {
  return (
    <div className="row">
      <svg viewBox="-50 -50 100 100" aria-hidden="true">
        {pieSlices(parts).map(({ column, path }, i) => (
          <path key={column} className={`chart-${i % COLOURS}`} d={path} />
        ))}
      </svg>
      <ul>
        {parts.map(({ column, label, shown }, i) => (
          <li key={column}>
            <svg className="chart-swatch" viewBox="0 0 10 10" aria-hidden="true">
              <rect className={`chart-${i % COLOURS}`} width="10" height="10" rx="2" />
            </svg>
            <span className="chart-label">{label}</span>
            <span className="chart-value number">{shown}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
