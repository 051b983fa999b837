// What has to be said on a small picture: whose map it is drawn on, and that it shows cells; small letters in its corners.

import type { Canvas } from '@napi-rs/canvas';
import { fontText } from '../render/fonts.ts';

/** Lists cut pictures to 16:9: this part at the bottom is not seen there. */
const CUT = 0.08;
const [SIZE, EDGE] = [11, 5];

const SQUARE = 3;

/** A small grid and how wide its cells are, in the other corner: what is seen are cells, and no features. */
export function drawCells(canvas: Canvas, width: string): void {
  const context = canvas.getContext('2d');
  context.save();
  context.font = fontText('', SIZE);
  context.textBaseline = 'middle';
  const grid = 2 * SQUARE + 1;
  const wide = grid + EDGE + context.measureText(width).width + 2 * EDGE;
  const bottom = Math.round(canvas.height * (1 - CUT));
  context.fillStyle = 'rgba(255,255,255,0.8)';
  context.fillRect(0, bottom - SIZE - 6, wide, SIZE + 6);
  context.fillStyle = '#333333';
  const top = Math.round(bottom - (SIZE + 6) / 2 - grid / 2);
  for (const x of [0, SQUARE + 1]) for (const y of [0, SQUARE + 1]) context.fillRect(EDGE + x, top + y, SQUARE, SQUARE);
  context.fillText(width, 2 * EDGE + grid, bottom - (SIZE + 6) / 2);
  context.restore();
}

export function drawCredit(canvas: Canvas, attribution: string): void {
  if (attribution === '') return;
  const context = canvas.getContext('2d');
  context.save();
  context.font = fontText('', SIZE);
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  // A longer one is squeezed: it has to be there as a whole.
  const width = Math.min(canvas.width - 2 * EDGE, context.measureText(attribution).width);
  const bottom = Math.round(canvas.height * (1 - CUT));
  context.fillStyle = 'rgba(255,255,255,0.8)';
  context.fillRect(canvas.width - width - 2 * EDGE, bottom - SIZE - 6, width + 2 * EDGE, SIZE + 6);
  context.fillStyle = '#333333';
  context.fillText(attribution, canvas.width - EDGE, bottom - (SIZE + 6) / 2, width);
  context.restore();
}
