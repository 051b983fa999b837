// Features and a compiled style → strokes on a canvas, layer by layer as the style has them. A generator: whoever runs it lets others
// work in between. Labels are only collected here; they are placed when everything else is drawn.

import { Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import { ICON_RADIUS, iconPath } from '../../geo/style/icons.ts';
import { SHAPES } from '../../geo/style/style-layer.ts';
import type { Stage } from '../../kernel/in-slices.ts';
import type {
  CircleLayer,
  CompiledStyle,
  DrawLayer,
  FillLayer,
  HeatLayer,
  LineLayer,
  Paint,
  Scope,
} from './compile-style.ts';
import { drawMark } from './draw-mark.ts';
import { HeatGrid } from './heatmap.ts';
import { type LabelCandidate, labelOf } from './label.ts';
import { middleOf, offsetLine } from './measure.ts';
import { PathWriter, UNIT } from './path-writer.ts';
import type { Feature } from './read-features.ts';

export type Drawing = {
  readonly context: SKRSContext2D;
  readonly zoom: number;
  /** Labels that want to be drawn, the most important last. */
  readonly labels: LabelCandidate[];
};

export function* drawFeatures(drawing: Drawing, features: readonly Feature[], style: CompiledStyle): Stage<void> {
  const shown = style.layers.filter((layer) => isShown(layer, drawing.zoom));
  for (const layer of shown) {
    const { context } = drawing;
    if (layer.type === 'heatmap') {
      yield* drawHeat(drawing, features, layer);
      continue;
    }
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
          if (feature.type === 'Polygon') fill(batch, layer, scope, feature);
          break;
        case 'line':
          if (feature.type !== 'Point') stroke(batch, layer, scope, feature);
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
      // Whoever runs this looks at the clock each time.
      if ((i & 15) === 15) yield;
    }
    batch.flush();
    context.restore();
    forgetColors(context);
  }
}

function* drawHeat({ context, zoom }: Drawing, features: readonly Feature[], layer: HeatLayer): Stage<void> {
  const { width, height } = context.canvas;
  const grid = new HeatGrid(width, height);
  let i = 0;
  for (const { type, parts, properties, id, count = 1 } of features) {
    const scope: Scope = { properties, geometry: type, zoom, id };
    if (type !== 'Point' || !layer.filter(scope)) continue;
    const [radius, weight] = [layer.radius(scope), layer.weight(scope) * layer.intensity(scope) * count];
    for (const part of parts) {
      for (let at = 0; at < part.length; at += 2) grid.add(part[at] ?? 0, part[at + 1] ?? 0, radius, weight);
      if ((++i & 15) === 15) yield;
    }
  }
  const anywhere: Scope = { properties: {}, geometry: 'Point', zoom };
  const picture = grid.picture((density) => layer.color({ ...anywhere, density }), layer.opacity(anywhere));
  context.drawImage(picture, 0, 0, picture.width * HeatGrid.COARSE, picture.height * HeatGrid.COARSE);
}

export function isShown(layer: DrawLayer, zoom: number): boolean {
  return zoom >= layer.minzoom && zoom < layer.maxzoom;
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
  readonly #boxes: Float64Array = new Float64Array(MAX_BATCH * 4);
  readonly #path: PathWriter = new PathWriter();
  #count = 0;
  #pen: Pen | undefined;

  constructor(context: SKRSContext2D) {
    this.#context = context;
  }

  /** `mayTouch`: shapes over each other look like one anyway. */
  add(pen: Pen, parts: readonly ArrayLike<number>[], isRing: boolean, mayTouch: boolean): void {
    const isOther = this.#pen === undefined || !isSamePen(pen, this.#pen);
    if (isOther || this.#count >= MAX_BATCH) this.flush();
    if (!mayTouch) this.#keepApart(parts, pen.stroke === undefined ? 0 : pen.width);
    this.#pen = pen;
    this.#count++;
    this.#path.add(parts, isRing);
  }

  /** Draws what there is if the new shape could lie on it. */
  #keepApart(parts: readonly ArrayLike<number>[], margin: number): void {
    let xmin = Number.POSITIVE_INFINITY;
    let ymin = Number.POSITIVE_INFINITY;
    let xmax = Number.NEGATIVE_INFINITY;
    let ymax = Number.NEGATIVE_INFINITY;
    for (const part of parts) {
      for (let i = 0; i < part.length; i += 2) {
        const x = part[i] ?? 0;
        const y = part[i + 1] ?? 0;
        if (x < xmin) xmin = x;
        if (x > xmax) xmax = x;
        if (y < ymin) ymin = y;
        if (y > ymax) ymax = y;
      }
    }
    xmin -= margin;
    ymin -= margin;
    xmax += margin;
    ymax += margin;
    const boxes = this.#boxes;
    for (let i = 0; i < this.#count * 4; i += 4) {
      if (
        xmin < (boxes[i + 2] ?? 0) &&
        xmax > (boxes[i] ?? 0) &&
        ymin < (boxes[i + 3] ?? 0) &&
        ymax > (boxes[i + 1] ?? 0)
      ) {
        this.flush();
        break;
      }
    }
    const at = this.#count * 4;
    boxes[at] = xmin;
    boxes[at + 1] = ymin;
    boxes[at + 2] = xmax;
    boxes[at + 3] = ymax;
  }

  flush(): void {
    const pen = this.#pen;
    if (pen !== undefined && !this.#path.isEmpty) this.#draw(pen, new Path2D(this.#path.take()));
    this.#count = 0;
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

function isSamePen(a: Pen, b: Pen): boolean {
  return (
    a.fill === b.fill &&
    a.stroke === b.stroke &&
    a.width === b.width &&
    a.cap === b.cap &&
    a.join === b.join &&
    (a.dashes === b.dashes || a.dashes.join() === b.dashes.join())
  );
}

const NO_DASHES: readonly number[] = [];

function fill(batch: Batch, layer: FillLayer, scope: Scope, { parts }: Feature): void {
  const color = layer.color(scope);
  const outline = layer.outline?.(scope);
  if (color === undefined && outline === undefined) return;
  const pen: Pen = { fill: color, stroke: outline, width: 1, cap: 'butt', join: 'miter', dashes: NO_DASHES };
  batch.add(pen, parts, true, false);
}

/** A pattern of dashes finer than this looks like a plain line, and takes very long. */
const LEAST_DASH = 0.5;

function stroke(batch: Batch, layer: LineLayer, scope: Scope, { parts, type }: Feature): void {
  const color = layer.color(scope);
  const width = layer.width(scope);
  if (color === undefined || width <= 0) return;
  const pattern = layer.dashes(scope);
  let length = 0;
  for (const dash of pattern) length += Math.abs(dash) * width;
  const dashes = length >= LEAST_DASH ? pattern : NO_DASHES;
  const pen: Pen = { fill: undefined, stroke: color, width, cap: layer.cap(scope), join: layer.join(scope), dashes };
  const offset = layer.offset(scope);
  const mayTouch = color.endsWith(',1)');
  if (offset === 0) batch.add(pen, parts, type === 'Polygon', mayTouch);
  else
    batch.add(
      pen,
      parts.map((part) => offsetLine(part, offset)),
      false,
      mayTouch,
    );
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
  const shape = SHAPES.find((one) => one === layer.mark);
  const icon = iconPath(layer.mark);
  const at = (x: number, y: number): void => {
    if (shape === undefined) {
      if (icon !== undefined) drawIcon(context, icon, { x, y, radius, isFilled: color !== undefined, edge, width });
      return;
    }
    context.beginPath();
    drawMark(context, shape, x, y, radius);
    if (color !== undefined && shape !== 'x') context.fill();
    if (edge === undefined) return;
    // The border lies outside of the symbol, as viewers draw it.
    if (shape === 'circle') {
      context.beginPath();
      drawMark(context, shape, x, y, radius + width / 2);
    }
    context.stroke();
  };
  if (feature.type === 'Point') for (const part of feature.parts) at(part[0] ?? 0, part[1] ?? 0);
  else {
    const middle = middleOf(feature);
    if (middle !== undefined) at(middle[0], middle[1]);
  }
}

/** By their paths: made once, for a picture has thousands of one. */
const icons = new Map<string, Path2D>();

type PlacedIcon = {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly isFilled: boolean;
  readonly edge: Paint;
  readonly width: number;
};

/** The border lies behind the icon, so that half of it shows: around the whole of it, as viewers draw it. */
function drawIcon(context: SKRSContext2D, path: string, { x, y, radius, isFilled, edge, width }: PlacedIcon): void {
  const shape = icons.get(path) ?? new Path2D(path);
  icons.set(path, shape);
  const scale = radius / ICON_RADIUS;
  context.save();
  context.translate(x - radius, y - radius);
  context.scale(scale, scale);
  if (edge !== undefined) {
    context.lineWidth = (2 * width) / scale;
    context.lineJoin = 'round';
    context.stroke(shape);
  }
  if (isFilled) context.fill(shape, 'evenodd');
  context.restore();
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
