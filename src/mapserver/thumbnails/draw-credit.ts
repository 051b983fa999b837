// Whose map a small picture is drawn on: a line of small letters in its corner.

import type { Canvas } from '@napi-rs/canvas';
import { fontText } from '../render/fonts.ts';

/** Lists cut pictures to 16:9: this part at the bottom is not seen there. */
const CUT = 0.08;
const [SIZE, EDGE] = [11, 5];

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
