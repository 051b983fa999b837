// Columns that the layers of a style read: in expressions, functions of the older form, and texts with names in braces. Pure.

type Styled = {
  readonly paint?: unknown;
  readonly layout?: unknown;
  readonly filter?: unknown;
};

/** Of those that are known, so that a word which only looks like a name is none. */
export function styleColumns(layers: readonly Styled[], known: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  const add = (name: unknown): void => {
    if (typeof name === 'string' && known.has(name)) found.add(name);
  };
  const look = (value: unknown): void => {
    if (typeof value === 'string') for (const [, name] of value.matchAll(/\{([^{}]+)\}/g)) add(name);
    else if (Array.isArray(value)) {
      // `["get", column]`, `["has", column]`, and in older filters `["==", column, value]`.
      add(value[1]);
      value.forEach(look);
    } else if (typeof value === 'object' && value !== null) {
      if ('property' in value) add(value.property);
      Object.values(value).forEach(look);
    }
  };
  for (const { paint, layout, filter } of layers) [paint, layout, filter].forEach(look);
  return [...found].sort();
}
