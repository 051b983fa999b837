// What the symbolizers of an SLD are read into, and the values they have in common: parameters, texts with expressions in them. Pure.

import { err, ok, type Result } from '../../kernel/result.ts';
import { guess, type ReadContext, readValue } from './read-filter.ts';
import type { Json, JsonObject, StyleLayer } from './style-layer.ts';
import { childrenOf, textOf, type XmlElement } from './xml-tree.ts';

export type SldFault = { readonly message: string };

export type Part = Omit<StyleLayer, 'id' | 'minzoom' | 'maxzoom' | 'filter'>;

export type Parts = Result<readonly Part[], SldFault>;

/** `<CssParameter name="…">` and `<SvgParameter name="…">` by their names. */
export function cssParameters(
  element: XmlElement | undefined,
  context: ReadContext,
): Result<Map<string, Json>, SldFault> {
  const found = new Map<string, Json>();
  for (const parameter of childrenOf(element, 'CssParameter', 'SvgParameter')) {
    const value = mixedValue(parameter, context);
    if (!value.ok) return value;
    found.set(parameter.attributes['name'] ?? '', value.value);
  }
  return ok(found);
}

/** A value that may be text, an expression, or both one after the other. */
export function mixedValue(element: XmlElement, context: ReadContext): Result<Json, SldFault> {
  const inside = childrenOf(element);
  if (inside.length === 0) return ok(guess(textOf(element)));
  const parts: Json[] = [];
  for (const child of element.children) {
    if (typeof child === 'string') {
      if (child.trim() !== '') parts.push(child.replace(/\s+/g, ' '));
      continue;
    }
    const value = readValue(child, context);
    if (!value.ok) return value;
    parts.push(value.value);
  }
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return ok(typeof only === 'string' ? guess(only) : only);
  return ok(['concat', ...parts]);
}

/** Only what says something: a property that is as it would be anyway is left out. */
export function properties(entries: readonly (readonly [name: string, value: Json | undefined])[]): JsonObject {
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
}

export function sldFault(message: string): Result<never, SldFault> {
  return err({ message });
}
