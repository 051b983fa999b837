// The schema of a layer's features, as OGC API Features gives it → which column names a feature. Read from whatever is there. Pure.

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined: nothing names one. */
export function keyColumn(schema: unknown): string | undefined {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  return Object.entries(properties).find(([, about]) => isObject(about) && about['x-ogc-role'] === 'id')?.[0];
}
