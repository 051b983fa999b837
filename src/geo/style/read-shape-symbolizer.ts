// Symbolizers of areas and lines in an SLD → fill and line layers. Pure.

import { ok } from '../../kernel/result.ts';
import { guess, type ReadContext } from './read-filter.ts';
import type { Json } from './style-layer.ts';
import { cssParameters, type Part, type Parts, properties } from './symbolizer.ts';
import { childOf, textOf, type XmlElement } from './xml-tree.ts';

export function readPolygon(symbolizer: XmlElement, context: ReadContext): Parts {
  const parts: Part[] = [];
  const fill = childOf(symbolizer, 'Fill');
  if (fill !== undefined) {
    const values = cssParameters(fill, context);
    if (!values.ok) return values;
    let color = values.value.get('fill') ?? '#808080';
    let opacity = values.value.get('fill-opacity');
    const graphic = childOf(fill, 'GraphicFill');
    if (graphic !== undefined) {
      context.warn('A fill with a pattern is drawn as a plain colour.');
      color = markColor(graphic, context) ?? color;
      opacity ??= 0.4;
    }
    parts.push({
      type: 'fill',
      paint: properties([
        ['fill-color', color],
        ['fill-opacity', opacity],
      ]),
    });
  }
  const stroke = childOf(symbolizer, 'Stroke');
  if (stroke !== undefined) {
    const line = readLine(stroke, context);
    if (!line.ok) return line;
    parts.push(...line.value);
  }
  return ok(parts);
}

/** Of the mark a pattern repeats. */
function markColor(graphic: XmlElement, context: ReadContext): Json | undefined {
  const mark = childOf(childOf(graphic, 'Graphic'), 'Mark');
  for (const [part, name] of [
    ['Stroke', 'stroke'],
    ['Fill', 'fill'],
  ] as const) {
    const values = cssParameters(childOf(mark, part), context);
    const color = values.ok ? values.value.get(name) : undefined;
    if (color !== undefined) return color;
  }
  return undefined;
}

const CAPS: Readonly<Record<string, string>> = { butt: 'butt', round: 'round', square: 'square' };

const JOINS: Readonly<Record<string, string>> = { mitre: 'miter', miter: 'miter', round: 'round', bevel: 'bevel' };

export function readLine(stroke: XmlElement | undefined, context: ReadContext, offset?: XmlElement): Parts {
  const values = cssParameters(stroke, context);
  if (!values.ok) return values;
  const get = (name: string): Json | undefined => values.value.get(name);
  let color: Json = get('stroke') ?? '#000000';
  const graphic = childOf(stroke, 'GraphicStroke') ?? childOf(stroke, 'GraphicFill');
  if (graphic !== undefined) {
    context.warn('A line of repeated symbols is drawn as a plain line.');
    color = markColor(graphic, context) ?? color;
  }
  const width = get('stroke-width') ?? 1;
  const dashes = dashPattern(get('stroke-dasharray'), width);
  const shift = offset === undefined ? undefined : guess(textOf(offset));
  const layout = properties([
    ['line-cap', CAPS[String(get('stroke-linecap'))]],
    ['line-join', JOINS[String(get('stroke-linejoin'))]],
  ]);
  return ok([
    {
      type: 'line',
      ...(Object.keys(layout).length === 0 ? {} : { layout }),
      paint: properties([
        ['line-color', color],
        ['line-width', width],
        ['line-opacity', get('stroke-opacity')],
        ['line-dasharray', dashes],
        ['line-offset', typeof shift === 'number' ? shift : undefined],
      ]),
    },
  ]);
}

/** SLD counts dashes in pixels, MapLibre in widths of the line. */
function dashPattern(dashes: Json | undefined, width: Json): readonly number[] | undefined {
  if (typeof dashes !== 'string' && typeof dashes !== 'number') return undefined;
  const lengths = String(dashes)
    .split(/[\s,]+/)
    .map(Number);
  if (lengths.length > 20 || lengths.some((length) => !(length >= 0))) return undefined;
  const unit = typeof width === 'number' && width > 0 ? width : 1;
  const pattern = lengths.length % 2 === 0 ? lengths : [...lengths, ...lengths];
  return pattern.some((length) => length > 0) ? pattern.map((length) => Number((length / unit).toFixed(4))) : undefined;
}
