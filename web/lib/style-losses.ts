// What of a style the simple editor cannot show and would not keep. Layers of a MapLibre style in, names of properties (or kinds of
// layers) out; none: the editor gives the style back as it was. Pure.

import { readSize } from '../../src/geo/style/proportional-size.ts';
import type { StyleLayer } from '../map/drawn.ts';
import { attributeOf, fromLayers, type GeometryKind, parseColour, toLayers } from './simple-style.ts';

/** Lines are joined and fonts are chosen by whoever draws. */
const COSMETIC: ReadonlySet<string> = new Set(['line-cap', 'line-join', 'text-font']);

export function styleLosses(layers: readonly StyleLayer[], geometry: GeometryKind): readonly string[] {
  const simple = fromLayers(layers);
  const twins = simple === undefined ? [] : [...toLayers(simple, geometry)];
  const losses = new Set<string>();
  for (const layer of layers) {
    const at = twins.findIndex(({ type, filter }) => type === layer.type && same(filter, layer.filter));
    const [twin] = at < 0 ? [] : twins.splice(at, 1);
    if (twin === undefined) {
      losses.add(layer.type);
      continue;
    }
    if (layer.minzoom !== undefined) losses.add('minzoom');
    if (layer.maxzoom !== undefined) losses.add('maxzoom');
    const mark = layer.metadata?.['survest:mark'] ?? 'circle';
    if (mark !== (twin.metadata?.['survest:mark'] ?? 'circle')) losses.add('survest:mark');
    for (const part of ['paint', 'layout'] as const)
      for (const [name, value] of Object.entries(layer[part] ?? {}))
        if (!COSMETIC.has(name) && !isKept(name, value, twin[part]?.[name])) losses.add(name);
  }
  return [...losses].sort();
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A colour by attribute and a label may be written in several ways that mean the same. */
function isKept(name: string, before: unknown, after: unknown): boolean {
  if (same(before, after)) return true;
  if (name === 'visibility') return before === 'visible';
  if (name === 'text-field') return attributeOf(before) !== undefined && attributeOf(before) === attributeOf(after);
  if (name === 'circle-radius') return readSize(before) !== undefined && same(readSize(before), readSize(after));
  if (!name.endsWith('-color')) return false;
  const [one, other] = [parseColour(before), parseColour(after)];
  return one !== undefined && same(asText(one), asText(other));
}

const asText = (colour: ReturnType<typeof parseColour>): unknown =>
  colour?.kind === 'categories'
    ? { ...colour, entries: colour.entries.map(({ value, colour: one }) => [String(value), one]) }
    : colour;
