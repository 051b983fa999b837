// The shapes of point symbols, as paths around their middle. Icons are paths of their own (geo/style/icons.ts).

import type { Path2D } from '@napi-rs/canvas';
import type { SHAPES } from '../../geo/style/style-layer.ts';

type Pen = Pick<Path2D, 'moveTo' | 'lineTo' | 'closePath' | 'arc'>;

export function drawMark(pen: Pen, mark: (typeof SHAPES)[number], x: number, y: number, radius: number): void {
  switch (mark) {
    case 'circle':
      pen.moveTo(x + radius, y);
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      return;
    case 'square':
      polygon(pen, x, y, [-1, -1, 1, -1, 1, 1, -1, 1], radius);
      return;
    case 'triangle':
      polygon(pen, x, y, [0, -1, 0.866, 0.5, -0.866, 0.5], radius);
      return;
    case 'star':
      polygon(pen, x, y, STAR, radius);
      return;
    case 'cross':
      polygon(pen, x, y, CROSS, radius);
      return;
    case 'x':
      pen.moveTo(x - radius, y - radius);
      pen.lineTo(x + radius, y + radius);
      pen.moveTo(x + radius, y - radius);
      pen.lineTo(x - radius, y + radius);
      return;
  }
}

const STAR: readonly number[] = Array.from({ length: 10 }, (_, i) => {
  const [turn, reach] = [(i * Math.PI) / 5, i % 2 === 0 ? 1 : 0.4];
  return [Math.sin(turn) * reach, -Math.cos(turn) * reach];
}).flat();

const ARM = 0.3;
const CROSS: readonly number[] = [
  [-ARM, -1, ARM, -1, ARM, -ARM, 1, -ARM, 1, ARM, ARM, ARM],
  [ARM, 1, -ARM, 1, -ARM, ARM, -1, ARM, -1, -ARM, -ARM, -ARM],
].flat();

function polygon(pen: Pen, x: number, y: number, corners: readonly number[], radius: number): void {
  for (let i = 0; i < corners.length; i += 2) {
    const [cx, cy] = [x + (corners[i] ?? 0) * radius, y + (corners[i + 1] ?? 0) * radius];
    if (i === 0) pen.moveTo(cx, cy);
    else pen.lineTo(cx, cy);
  }
  pen.closePath();
}
