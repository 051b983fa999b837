// Features and a compiled style → strokes on a canvas, layer by layer as the style has them. A generator: whoever runs it lets others
// work in between. Labels are only collected here; they are placed when everything else is drawn.

import { Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import type { Stage } from '../../kernel/in-slices.ts';
import type { CircleLayer, CompiledStyle, DrawLayer, FillLayer, LineLayer, Scope } from './compile-style.ts';
import { drawMark } from './draw-mark.ts';
import { type LabelCandidate, labelOf } from './label.ts';
import { middleOf, offsetLine } from './measure.ts';
import type { Feature } from './read-features.ts';

export type Drawing = {
  readonly context: SKRSContext2D;
  readonly zoom: number;
  /** Labels that want to be drawn, the most important last. */
  readonly labels: LabelCandidate[];
};

export function* drawFeatures(drawing: Drawing, features: readonly Feature[], style: CompiledStyle): Stage<void> {
  const shown = style.layers.filter((layer) => isShown(layer, drawing.zoom));
  // A shape that is filled and stroked is written down once.
  const isShared = shown.filter((layer) => layer.type === 'fill' || layer.type === 'line').length > 1;
  const texts: string[] = [];
  const textOf = (i: number, feature: Feature): string => {
    const known = texts[i];
    if (known !== undefined) return known;
    const text = pathText(feature.parts, feature.type === 'Polygon');
    if (isShared) texts[i] = text;
    return text;
  };
  for (const layer of shown) {
    const { context } = drawing;
    context.save();
    const batch = new Batch(context);
    for (let i = 0; i < features.length; i++) {
      const feature = features[i];
      if (feature === undefined) continue;
      const scope: Scope = {
        properties: feature.properties,
        geometry: feature.type,
        zoom: drawing.zoom,
        id: feature.id,
      };
      if (!layer.filter(scope)) continue;
      switch (layer.type) {
        case 'fill':
          if (feature.type === 'Polygon') fill(batch, layer, scope, feature, textOf(i, feature));
          break;
        case 'line':
          if (feature.type !== 'Point') stroke(batch, layer, scope, feature, () => textOf(i, feature));
          break;
        case 'circle':
          circle(context, layer, scope, feature);
          break;
        case 'symbol': {
          const label = labelOf(layer, scope, feature);
          if (label !== undefined) drawing.labels.push(label);
          break;
        }
        case 'raster':
          break;
      }
      yield;
    }
    batch.flush();
    context.restore();
    forgetColors(context);
  }
}

export function isShown(layer: DrawLayer, zoom: number): boolean {
  return zoom >= layer.minzoom && zoom < layer.maxzoom;
}

/** Shapes are written in tenths of a pixel, the way they came: whole numbers are written faster. */
const UNIT = 10;

function pathText(parts: readonly ArrayLike<number>[], isRing: boolean): string {
  let text = '';
  for (const part of parts) {
    text += `M${Math.round((part[0] ?? 0) * UNIT)} ${Math.round((part[1] ?? 0) * UNIT)}`;
    // A ring ends where it began; closing it does the last side.
    const end = isRing ? part.length - 2 : part.length;
    for (let i = 2; i < end; i += 2)
      text += `L${Math.round((part[i] ?? 0) * UNIT)} ${Math.round((part[i + 1] ?? 0) * UNIT)}`;
    if (isRing) text += 'Z';
  }
  return text;
}

/** How a batch is drawn. */
type Pen = {
  readonly fill: string | undefined;
  readonly stroke: string | undefined;
  readonly width: number;
  readonly cap: string;
  readonly join: string;
  readonly dashes: readonly number[];
};

/** More in one path take longer than several paths do. */
const MAX_BATCH = 64;

/**
 * Shapes that look the same and lie apart are drawn as one: each call of the canvas costs more than a small shape does. What lies over
 * another is drawn after it, as it would be alone.
 */
class Batch {
  readonly #context: SKRSContext2D;
  readonly #boxes: number[] = [];
  #key = '';
  #pen: Pen | undefined;
  #text = '';

  constructor(context: SKRSContext2D) {
    this.#context = context;
  }

  /** `mayTouch`: shapes over each other look like one anyway. */
  add(key: string, pen: Pen, feature: Feature, text: string, mayTouch: boolean): void {
    const box = boxOf(feature, pen.stroke === undefined ? 0 : pen.width);
    const isFull = this.#boxes.length >= MAX_BATCH * 4;
    if (key !== this.#key || isFull || (!mayTouch && this.#touches(box))) this.flush();
    this.#key = key;
    this.#pen = pen;
    this.#text += text;
    this.#boxes.push(...box);
  }

  #touches([xmin, ymin, xmax, ymax]: readonly [number, number, number, number]): boolean {
    const boxes = this.#boxes;
    for (let i = 0; i < boxes.length; i += 4) {
      if (
        xmin < (boxes[i + 2] ?? 0) &&
        xmax > (boxes[i] ?? 0) &&
        ymin < (boxes[i + 3] ?? 0) &&
        ymax > (boxes[i + 1] ?? 0)
      )
        return true;
    }
    return false;
  }

  flush(): void {
    const pen = this.#pen;
    if (pen !== undefined && this.#text !== '') this.#draw(pen, new Path2D(this.#text));
    this.#text = '';
    this.#boxes.length = 0;
    this.#pen = undefined;
  }

  #draw(pen: Pen, path: Path2D): void {
    const context = this.#context;
    context.setTransform(1 / UNIT, 0, 0, 1 / UNIT, 0, 0);
    if (pen.fill !== undefined) {
      setFill(context, pen.fill);
      // Holes are rings too: what is inside of an even number of rings is outside.
      context.fill(path, 'evenodd');
    }
    if (pen.stroke !== undefined) {
      setStroke(context, pen.stroke, pen.width * UNIT);
      const { cap, join } = pen;
      if (cap === 'butt' || cap === 'round' || cap === 'square') context.lineCap = cap;
      if (join === 'miter' || join === 'round' || join === 'bevel') context.lineJoin = join;
      context.setLineDash(pen.dashes.map((dash) => dash * pen.width * UNIT));
      context.stroke(path);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
  }
}

function boxOf({ parts }: Feature, margin: number): readonly [number, number, number, number] {
  let [xmin, ymin, xmax, ymax] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const part of parts) {
    for (let i = 0; i < part.length; i += 2) {
      const [x = 0, y = 0] = [part[i], part[i + 1]];
      if (x < xmin) xmin = x;
      if (x > xmax) xmax = x;
      if (y < ymin) ymin = y;
      if (y > ymax) ymax = y;
    }
  }
  return [xmin - margin, ymin - margin, xmax + margin, ymax + margin];
}

const PLAIN = { width: 1, cap: 'butt', join: 'miter', dashes: [] } as const;

function fill(batch: Batch, layer: FillLayer, scope: Scope, feature: Feature, text: string): void {
  const color = layer.color(scope);
  const outline = layer.outline?.(scope);
  if (color === undefined && outline === undefined) return;
  batch.add(`${color} ${outline}`, { ...PLAIN, fill: color, stroke: outline }, feature, text, false);
}

/** What has been drawn with a pattern of dashes finer than this is a plain line, and takes very long. */
const LEAST_DASH = 0.5;

function stroke(batch: Batch, layer: LineLayer, scope: Scope, feature: Feature, text: () => string): void {
  const color = layer.color(scope);
  const width = layer.width(scope);
  if (color === undefined || width <= 0) return;
  const [cap, join] = [layer.cap(scope), layer.join(scope)];
  const pattern = layer.dashes(scope);
  const length = pattern.reduce((sum, dash) => sum + Math.abs(dash), 0) * width;
  const dashes = length >= LEAST_DASH ? pattern : [];
  const offset = layer.offset(scope);
  const drawn =
    offset === 0
      ? text()
      : pathText(
          feature.parts.map((part) => offsetLine(part, offset)),
          false,
        );
  const key = `${color} ${width} ${cap} ${join} ${dashes.join()}`;
  batch.add(key, { fill: undefined, stroke: color, width, cap, join, dashes }, feature, drawn, color.endsWith(',1)'));
}

function circle(context: SKRSContext2D, layer: CircleLayer, scope: Scope, feature: Feature): void {
  const radius = layer.radius(scope);
  if (!(radius > 0)) return;
  const color = layer.color(scope);
  const width = layer.strokeWidth(scope);
  const edge = width > 0 ? layer.strokeColor(scope) : undefined;
  if (color === undefined && edge === undefined) return;
  if (color !== undefined) setFill(context, color);
  if (edge !== undefined) setStroke(context, edge, width);
  const at = (x: number, y: number): void => {
    context.beginPath();
    drawMark(context, layer.mark, x, y, radius);
    if (color !== undefined && layer.mark !== 'x') context.fill();
    if (edge === undefined) return;
    // The border lies outside of the symbol, as viewers draw it.
    if (layer.mark === 'circle') {
      context.beginPath();
      drawMark(context, layer.mark, x, y, radius + width / 2);
    }
    context.stroke();
  };
  if (feature.type === 'Point') for (const part of feature.parts) at(part[0] ?? 0, part[1] ?? 0);
  else {
    const middle = middleOf(feature);
    if (middle !== undefined) at(middle[0], middle[1]);
  }
}

/** What the canvas has been told last: telling it again costs more than drawing a small shape. */
const fills: WeakMap<SKRSContext2D, string> = new WeakMap();
const strokes: WeakMap<SKRSContext2D, string> = new WeakMap();

function setFill(context: SKRSContext2D, color: string): void {
  if (fills.get(context) === color) return;
  fills.set(context, color);
  context.fillStyle = color;
}

function setStroke(context: SKRSContext2D, color: string, width: number): void {
  const key = `${color} ${width}`;
  if (strokes.get(context) === key) return;
  strokes.set(context, key);
  context.strokeStyle = color;
  context.lineWidth = width;
}

/** After a restore, or somebody else's strokes, what is known is not true any more. */
export function forgetColors(context: SKRSContext2D): void {
  fills.delete(context);
  strokes.delete(context);
}
