// Symbolizers of points in an SLD → circle layers. Pure.

import { ok } from '../../kernel/result.ts';
import { ICON_SCHEME } from './icons.ts';
import { guess, type ReadContext } from './read-filter.ts';
import { type Json, MARKS, type Mark, METADATA } from './style-layer.ts';
import { cssParameters, mixedValue, type Parts, properties } from './symbolizer.ts';
import { childOf, textOf, type XmlElement } from './xml-tree.ts';

/** What QGIS and GeoServer call marks that we draw under another name. */
const ALIASES: Readonly<Record<string, Mark>> = {
  cross2: 'x',
  equilateral_triangle: 'triangle',
  filled_circle: 'circle',
  regular_star: 'star',
  rectangle: 'square',
  'shape://dot': 'circle',
  'shape://plus': 'cross',
  'shape://times': 'x',
};

export function readPoint(symbolizer: XmlElement, context: ReadContext): Parts {
  const graphic = childOf(symbolizer, 'Graphic');
  const mark = childOf(graphic, 'Mark');
  if (childOf(graphic, 'ExternalGraphic') !== undefined)
    context.warn('Pictures from other addresses are not fetched; a plain symbol is drawn.');
  const fill = cssParameters(childOf(mark, 'Fill'), context);
  if (!fill.ok) return fill;
  const stroke = cssParameters(childOf(mark, 'Stroke'), context);
  if (!stroke.ok) return stroke;
  const sizeElement = childOf(graphic, 'Size');
  const size = sizeElement === undefined ? ok<Json>(6) : mixedValue(sizeElement, context);
  if (!size.ok) return size;
  const opacityElement = childOf(graphic, 'Opacity');
  const opacity = opacityElement === undefined ? undefined : guess(textOf(opacityElement));
  const said = textOf(childOf(mark, 'WellKnownName')).toLowerCase() || 'square';
  const shape = said.startsWith(ICON_SCHEME) ? said.slice(ICON_SCHEME.length) : said;
  const known = MARKS.find((one) => one === (ALIASES[shape] ?? shape));
  if (known === undefined) context.warn(`The symbol ${shape.slice(0, 60)} is drawn as a circle.`);
  const isPlain = mark === undefined;
  const hasFill = isPlain || childOf(mark, 'Fill') !== undefined;
  const hasStroke = isPlain || childOf(mark, 'Stroke') !== undefined;
  const radius: Json = typeof size.value === 'number' ? size.value / 2 : ['/', size.value, 2];
  return ok([
    {
      type: 'circle',
      paint: properties([
        ['circle-radius', radius],
        ['circle-color', fill.value.get('fill') ?? '#808080'],
        ['circle-opacity', hasFill ? (fill.value.get('fill-opacity') ?? opacity) : 0],
        ['circle-stroke-width', hasStroke ? (stroke.value.get('stroke-width') ?? 1) : undefined],
        ['circle-stroke-color', hasStroke ? (stroke.value.get('stroke') ?? '#000000') : undefined],
        ['circle-stroke-opacity', hasStroke ? (stroke.value.get('stroke-opacity') ?? opacity) : undefined],
      ]),
      ...(known === undefined || known === 'circle' ? {} : { metadata: { [METADATA.mark]: known } }),
    },
  ]);
}
