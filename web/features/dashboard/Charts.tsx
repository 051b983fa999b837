// Plots of groups. Scales, ticks and shapes are d3's; the elements are ours: bars and slices are buttons, so that whoever has no pointer can choose
// them too, and colours come from the page's style. Nothing of it is drawn with styles or scripts that the content policy would refuse.

import { arc, pie } from 'd3-shape';
import { type ChartItem, type ChartProps, look } from './chart-item.ts';

export function BarChart({ label, items, hasChosen, onChoose }: ChartProps) {
  // The others together may be longer than all the rest; their bar ends where the longest of those does.
  const most = Math.max(0, ...items.filter(({ group }) => group !== undefined).map(({ value }) => value));
  return (
    <ul className="bars" aria-label={label}>
      {items.map((item) => (
        <li key={item.key}>
          <button
            type="button"
            className={look('bar-row', item, hasChosen)}
            aria-pressed={item.isChosen}
            disabled={item.group === undefined}
            onClick={() => onChoose(item)}
          >
            <span className="bar-label" title={item.label}>
              {item.label}
            </span>
            <span className="bar-track" aria-hidden="true">
              <span style={{ width: `${most <= 0 ? 0 : Math.min(100, Math.max(0, (100 * item.value) / most))}%` }} />
            </span>
            <span className="bar-value number">{item.shown}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const COLOURS = 10;

export function PieChart({ label, items, hasChosen, onChoose }: ChartProps) {
  const slices = pie<ChartItem>()
    .sort(null)
    .value(({ value }) => Math.max(0, value))([...items]);
  const shape = arc<(typeof slices)[number]>().innerRadius(28).outerRadius(50).padAngle(0.015);
  const total = items.reduce((sum, { value }) => sum + Math.max(0, value), 0);
  return (
    <div className="pie">
      <svg viewBox="-52 -52 104 104" aria-hidden="true">
        {slices.map((slice, i) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list beside it has a button for each slice.
          <path
            key={slice.data.key}
            className={look(`colour-${i % COLOURS}`, slice.data, hasChosen)}
            d={shape(slice) ?? ''}
            onClick={() => slice.data.group !== undefined && onChoose(slice.data)}
          >
            <title>{`${slice.data.label}: ${slice.data.shown}`}</title>
          </path>
        ))}
      </svg>
      <ul className="pie-legend" aria-label={label}>
        {items.map((item, i) => (
          <li key={item.key}>
            <button
              type="button"
              className={look('bar-row', item, hasChosen)}
              aria-pressed={item.isChosen}
              disabled={item.group === undefined}
              onClick={() => onChoose(item)}
            >
              <span className={`swatch colour-${i % COLOURS}`} aria-hidden="true" />
              <span className="bar-label" title={item.label}>
                {item.label}
              </span>
              <span className="bar-value number">
                {total > 0 ? `${Math.round((100 * Math.max(0, item.value)) / total)} %` : item.shown}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
