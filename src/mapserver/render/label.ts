// Labels: what they say and where they want to stand, and which of them get their place. One label never covers another; what
// comes later in the style, and the earlier feature in it, is served first.

import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Stage } from '../../kernel/in-slices.ts';
import type { Paint, Scope, SymbolLayer } from './compile-style.ts';
import { fontText } from './fonts.ts';
import { alongLine, longest, middleOf } from './measure.ts';
import type { Feature } from './read-features.ts';

export type LabelCandidate = {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** Radians. */
  readonly angle: number;
  /** How long the line is that it has to fit on. */
  readonly room: number;
  readonly font: string;
  readonly size: number;
  readonly color: Paint;
  readonly haloColor: Paint;
  readonly haloWidth: number;
  readonly anchor: string;
  readonly dx: number;
  readonly dy: number;
  readonly overlaps: boolean;
};

const MAX_TEXT = 200;
const MAX_SIZE = 200;
/** Words beyond it go on a line of their own; in widths of the letter m, as viewers have it. */
const WRAP = 10;

export function labelOf(layer: SymbolLayer, scope: Scope, feature: Feature): LabelCandidate | undefined {
  const text = layer.text(scope).trim().slice(0, MAX_TEXT);
  const size = Math.min(MAX_SIZE, layer.size(scope));
  const color = layer.color(scope);
  if (text === '' || !(size > 0) || color === undefined) return undefined;
  const isAlong = layer.alongLine(scope) && feature.type !== 'Point';
  const line = isAlong ? longest(feature.parts) : undefined;
  const place = line === undefined ? undefined : alongLine(line);
  const spot =
    place !== undefined
      ? ([place.x, place.y] as const)
      : feature.place === undefined
        ? middleOf(feature)
        : feature.place;
  if (spot === undefined || spot === null) return undefined;
  const [dx = 0, dy = 0] = layer.offset(scope);
  return {
    text,
    x: spot[0],
    y: spot[1],
    angle: (place?.angle ?? 0) + (layer.rotate(scope) * Math.PI) / 180,
    room: place?.length ?? Number.POSITIVE_INFINITY,
    font: fontOf(layer.fonts(scope), size),
    size,
    color,
    haloColor: layer.haloColor(scope),
    haloWidth: Math.min(20, layer.haloWidth(scope)),
    anchor: isAlong ? 'center' : layer.anchor(scope),
    dx: dx * size,
    dy: dy * size,
    overlaps: layer.overlaps(scope),
  };
}

/** The style's font if the machine has it, and one that covers most scripts if not. */
function fontOf(fonts: readonly string[], size: number): string {
  const words = fonts[0] ?? '';
  const family = words
    .replace(/\b(regular|medium|light|bold|semibold|italic|oblique)\b/gi, '')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim();
  const look = `${/italic|oblique/i.test(words) ? 'italic ' : ''}${/bold/i.test(words) ? 'bold ' : ''}`;
  return fontText(look, size, family);
}

type Rect = readonly [xmin: number, ymin: number, xmax: number, ymax: number];

/** A grid of the places that are taken. */
class Taken {
  readonly #cells = new Map<number, Rect[]>();

  /** True: it was free, and is not any more. */
  take(rect: Rect): boolean {
    const cells = [...cellsOf(rect)];
    for (const cell of cells) for (const other of this.#cells.get(cell) ?? []) if (meet(rect, other)) return false;
    for (const cell of cells) {
      const list = this.#cells.get(cell);
      if (list === undefined) this.#cells.set(cell, [rect]);
      else list.push(rect);
    }
    return true;
  }
}

const CELL = 64;

function* cellsOf([xmin, ymin, xmax, ymax]: Rect): Generator<number> {
  for (let x = Math.floor(xmin / CELL); x <= Math.floor(xmax / CELL); x++)
    for (let y = Math.floor(ymin / CELL); y <= Math.floor(ymax / CELL); y++) yield x * 100_003 + y;
}

function meet(a: Rect, b: Rect): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

/** Measures no more of them than this: a picture has no room for more. */
const MAX_TRIED = 20_000;

export function* drawLabels(
  context: SKRSContext2D,
  groups: readonly (readonly LabelCandidate[])[],
  width: number,
  height: number,
): Stage<void> {
  const taken = new Taken();
  const chosen: { readonly label: LabelCandidate; readonly lines: readonly string[]; readonly widest: number }[] = [];
  let tried = 0;
  for (const labels of [...groups].reverse()) {
    for (const label of labels) {
      if (++tried > MAX_TRIED) break;
      context.font = label.font;
      const lines = Number.isFinite(label.room) ? [label.text] : wrap(context, label.text, label.size * WRAP);
      const widest = Math.max(...lines.map((line) => context.measureText(line).width));
      if (widest > label.room) continue;
      const rect = rectOf(label, widest, lines.length);
      if (rect[2] < 0 || rect[3] < 0 || rect[0] > width || rect[1] > height) continue;
      if (!taken.take(rect) && !label.overlaps) continue;
      chosen.push({ label, lines, widest });
      yield;
    }
  }
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  for (const { label, lines, widest } of chosen.reverse()) {
    drawText(context, label, lines, widest);
    yield;
  }
}

const LINE_HEIGHT = 1.2;

/** Where the text stands relative to its spot, before it is turned. */
function shiftOf({ anchor, size }: LabelCandidate, widest: number, count: number): readonly [number, number] {
  const height = count * size * LINE_HEIGHT;
  const across = anchor.includes('left') ? widest / 2 : anchor.includes('right') ? -widest / 2 : 0;
  const along = anchor.includes('top') ? height / 2 : anchor.includes('bottom') ? -height / 2 : 0;
  return [across, along];
}

/** The box around the turned text. */
function rectOf(label: LabelCandidate, widest: number, count: number): Rect {
  const [sx, sy] = shiftOf(label, widest, count);
  const [cos, sin] = [Math.cos(label.angle), Math.sin(label.angle)];
  const [ax, ay] = [sx + label.dx, sy + label.dy];
  const [cx, cy] = [label.x + ax * cos - ay * sin, label.y + ax * sin + ay * cos];
  const [w, h] = [widest / 2 + label.haloWidth + 1, (count * label.size * LINE_HEIGHT) / 2 + label.haloWidth];
  const [dx, dy] = [Math.abs(w * cos) + Math.abs(h * sin), Math.abs(w * sin) + Math.abs(h * cos)];
  return [cx - dx, cy - dy, cx + dx, cy + dy];
}

function drawText(context: SKRSContext2D, label: LabelCandidate, lines: readonly string[], widest: number): void {
  const [sx, sy] = shiftOf(label, widest, lines.length);
  context.save();
  context.translate(label.x, label.y);
  if (label.angle !== 0) context.rotate(label.angle);
  context.translate(sx + label.dx, sy + label.dy);
  context.font = label.font;
  context.textAlign = 'center';
  const top = -((lines.length - 1) * label.size * LINE_HEIGHT) / 2;
  for (const [i, line] of lines.entries()) {
    const y = top + i * label.size * LINE_HEIGHT;
    if (label.haloWidth > 0 && label.haloColor !== undefined) {
      context.strokeStyle = label.haloColor;
      context.lineWidth = label.haloWidth * 2;
      context.strokeText(line, 0, y);
    }
    if (label.color !== undefined) {
      context.fillStyle = label.color;
      context.fillText(line, 0, y);
    }
  }
  context.restore();
}

function wrap(context: SKRSContext2D, text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/)) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && context.measureText(longer).width > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    lines.push(line);
  }
  return lines.slice(0, 10);
}
