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
  // A path that is filled and stroked is handed over once.
  const usesPaths = shown.filter((layer) => layer.type === 'fill' || layer.type === 'line').length > 1;
  const paths: (Path2D | undefined)[] = usesPaths ? new Array(features.length) : [];
  const pathOf = (i: number, feature: Feature): Path2D => {
    const known = paths[i];
    if (known !== undefined) return known;
    const path = new Path2D();
    trace(path, feature);
    if (usesPaths) paths[i] = path;
    return path;
  };
  for (const layer of shown) {
    drawing.context.save();
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
          if (feature.type === 'Polygon') fill(drawing.context, layer, scope, pathOf(i, feature));
          break;
        case 'line':
          if (feature.type !== 'Point') stroke(drawing.context, layer, scope, feature, () => pathOf(i, feature));
          break;
        case 'circle':
          circle(drawing.context, layer, scope, feature);
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
    drawing.context.restore();
    forgetColors(drawing.context);
  }
}

export function isShown(layer: DrawLayer, zoom: number): boolean {
  return zoom >= layer.minzoom && zoom < layer.maxzoom;
}

type Pen = Pick<Path2D, 'moveTo' | 'lineTo' | 'closePath'>;

function trace(pen: Pen, { type, parts }: Feature): void {
  for (const part of parts) tracePart(pen, part, type === 'Polygon');
}

function tracePart(pen: Pen, part: ArrayLike<number>, isRing: boolean): void {
  pen.moveTo(part[0] ?? 0, part[1] ?? 0);
  // A ring ends where it began; closing it does the last side.
  const end = isRing ? part.length - 2 : part.length;
  for (let i = 2; i < end; i += 2) pen.lineTo(part[i] ?? 0, part[i + 1] ?? 0);
  if (isRing) pen.closePath();
}

function fill(context: SKRSContext2D, layer: FillLayer, scope: Scope, path: Path2D): void {
  const color = layer.color(scope);
  if (color !== undefined) {
    setFill(context, color);
    // Holes are rings too: what is inside of an even number of rings is outside.
    context.fill(path, 'evenodd');
  }
  const outline = layer.outline?.(scope);
  if (outline === undefined) return;
  setStroke(context, outline, 1);
  context.stroke(path);
}

function stroke(context: SKRSContext2D, layer: LineLayer, scope: Scope, feature: Feature, path: () => Path2D): void {
  const color = layer.color(scope);
  const width = layer.width(scope);
  if (color === undefined || width <= 0) return;
  setStroke(context, color, width);
  const cap = layer.cap(scope);
  const join = layer.join(scope);
  if (context.lineCap !== cap && (cap === 'butt' || cap === 'round' || cap === 'square')) context.lineCap = cap;
  if (context.lineJoin !== join && (join === 'miter' || join === 'round' || join === 'bevel')) context.lineJoin = join;
  const dashes = layer.dashes(scope);
  if (dashes.length > 0) context.setLineDash(dashes.map((dash) => dash * width));
  const offset = layer.offset(scope);
  if (offset === 0) context.stroke(path());
  else {
    context.beginPath();
    for (const part of feature.parts) tracePart(context, offsetLine(part, offset), false);
    context.stroke();
  }
  if (dashes.length > 0) context.setLineDash([]);
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
const fills = new WeakMap<SKRSContext2D, string>();
const strokes = new WeakMap<SKRSContext2D, string>();

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
