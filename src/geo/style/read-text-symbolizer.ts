// Symbolizers of texts in an SLD → symbol layers. Pure.

import { ok } from '../../kernel/result.ts';
import { formatColor, parseColor } from './color.ts';
import { guess, type ReadContext } from './read-filter.ts';
import type { Json, JsonObject } from './style-layer.ts';
import { cssParameters, mixedValue, type Parts, properties } from './symbolizer.ts';
import { childOf, textOf, type XmlElement } from './xml-tree.ts';

export function readText(symbolizer: XmlElement, context: ReadContext): Parts {
  const label = childOf(symbolizer, 'Label');
  if (label === undefined) return ok([]);
  const text = mixedValue(label, context);
  if (!text.ok) return text;
  const font = cssParameters(childOf(symbolizer, 'Font'), context);
  if (!font.ok) return font;
  const fill = cssParameters(childOf(symbolizer, 'Fill'), context);
  if (!fill.ok) return fill;
  const halo = childOf(symbolizer, 'Halo');
  const haloFill = cssParameters(childOf(halo, 'Fill'), context);
  if (!haloFill.ok) return haloFill;
  const size = font.value.get('font-size') ?? 10;
  const placement = readPlacement(childOf(symbolizer, 'LabelPlacement'), typeof size === 'number' ? size : 10);
  const family = font.value.get('font-family');
  const look = [
    typeof family === 'string' ? family.slice(0, 100) : 'Noto Sans',
    font.value.get('font-weight') === 'bold' ? 'Bold' : '',
    font.value.get('font-style') === 'italic' || font.value.get('font-style') === 'oblique' ? 'Italic' : '',
  ].filter((word) => word !== '');
  const opacity = fill.value.get('fill-opacity');
  const haloColor = haloFill.value.get('fill') ?? '#ffffff';
  return ok([
    {
      type: 'symbol',
      layout: {
        'text-field': typeof text.value === 'number' ? String(text.value) : text.value,
        'text-size': size,
        'text-font': [look.length === 1 ? `${look[0]} Regular` : look.join(' ')],
        ...placement,
      },
      paint: properties([
        ['text-color', fill.value.get('fill') ?? '#000000'],
        ['text-opacity', opacity],
        ['text-halo-color', halo === undefined ? undefined : faded(haloColor, haloFill.value.get('fill-opacity'))],
        ['text-halo-width', halo === undefined ? undefined : guess(textOf(childOf(halo, 'Radius')) || '1')],
      ]),
    },
  ]);
}

function faded(color: Json, opacity: Json | undefined): Json {
  const parsed = typeof color === 'string' ? parseColor(color) : undefined;
  if (parsed === undefined || typeof opacity !== 'number') return color;
  return formatColor([parsed[0], parsed[1], parsed[2], Math.min(1, Math.max(0, opacity))]);
}

function readPlacement(placement: XmlElement | undefined, size: number): JsonObject {
  if (childOf(placement, 'LinePlacement') !== undefined) return { 'symbol-placement': 'line' };
  const point = childOf(placement, 'PointPlacement');
  if (point === undefined) return {};
  const number = (element: XmlElement | undefined, otherwise: number): number => {
    const value = Number(textOf(element) || Number.NaN);
    return Number.isFinite(value) ? value : otherwise;
  };
  const anchor = childOf(point, 'AnchorPoint');
  const shift = childOf(point, 'Displacement');
  const across = ['left', '', 'right'][Math.round(2 * number(childOf(anchor, 'AnchorPointX'), 0))] ?? '';
  const along = ['bottom', '', 'top'][Math.round(2 * number(childOf(anchor, 'AnchorPointY'), 0.5))] ?? '';
  const word = [along, across].filter((part) => part !== '').join('-');
  const [dx, dy] = [number(childOf(shift, 'DisplacementX'), 0), number(childOf(shift, 'DisplacementY'), 0)];
  const turn = number(childOf(point, 'Rotation'), 0);
  return {
    ...(anchor === undefined || word === '' ? {} : { 'text-anchor': word }),
    // In widths of the letter m, downwards.
    ...(dx === 0 && dy === 0
      ? {}
      : { 'text-offset': [Number((dx / size).toFixed(4)), Number((-dy / size).toFixed(4))] }),
    ...(turn === 0 ? {} : { 'text-rotate': turn }),
  };
}
