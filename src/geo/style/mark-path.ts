// The mark of a point → its path in a box of 24 by 24, for legends in pages. Our renderer draws shapes by itself (mapserver/render/draw-mark.ts). Pure.

import { iconPath } from './icons.ts';

const STAR: string = Array.from({ length: 10 }, (_, i) => {
  const [turn, reach] = [(i * Math.PI) / 5, i % 2 === 0 ? 12 : 4.8];
  return `${(12 + Math.sin(turn) * reach).toFixed(2)} ${(12 - Math.cos(turn) * reach).toFixed(2)}`;
}).join('L');

const SHAPES: Readonly<Record<string, string>> = {
  square: 'M0 0H24V24H0Z',
  triangle: 'M12 0L22.4 18H1.6Z',
  star: `M${STAR}Z`,
  cross: 'M8.4 0H15.6V8.4H24V15.6H15.6V24H8.4V15.6H0V8.4H8.4Z',
  x: 'M2 0L12 10L22 0L24 2L14 12L24 22L22 24L12 14L2 24L0 22L10 12L0 2Z',
};

/** Undefined: a circle. */
export function markPath(mark: string): string | undefined {
  return iconPath(mark) ?? (Object.hasOwn(SHAPES, mark) ? SHAPES[mark] : undefined);
}
