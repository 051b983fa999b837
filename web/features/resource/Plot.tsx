// The values of an attribute as a picture: how often which number or word occurs.

import type { Bar } from '../../lib/bars.ts';

const WIDTH = 640;
const HEIGHT = 220;
const FOOT = 34;
const HEAD = 16;

export function Plot({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) {
  const most = Math.max(1, ...bars.map(({ n }) => n));
  const step = WIDTH / Math.max(1, bars.length);
  const thin = Math.ceil(bars.length / 10);
  return (
    <svg className="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      {bars.map(({ label: name, n }, i) => {
        const height = ((HEIGHT - FOOT - HEAD) * n) / most;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two classes may have one name, and all are drawn at once.
          <g key={i}>
            <rect
              className="bar"
              x={i * step + 2}
              y={HEIGHT - FOOT - height}
              width={Math.max(1, step - 4)}
              height={height}
              rx="2"
            />
            {bars.length <= 16 && (
              <text x={i * step + step / 2} y={HEIGHT - FOOT - height - 4} textAnchor="middle">
                {n}
              </text>
            )}
            {i % thin === 0 && (
              <text x={i * step + step / 2} y={HEIGHT - FOOT + 16} textAnchor="middle">
                {name.length > 12 ? `${name.slice(0, 11)}…` : name}
              </text>
            )}
          </g>
        );
      })}
      <line x1="0" x2={WIDTH} y1={HEIGHT - FOOT} y2={HEIGHT - FOOT} />
    </svg>
  );
}
