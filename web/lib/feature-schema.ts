// The schema of a layer's features, as OGC API Features gives it → which column names a feature, and what the columns hold. Read
// from whatever is there. Pure.

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined: nothing names one. */
export function keyColumn(schema: unknown): string | undefined {
  return propertiesIn(schema).find(([, about]) => about['x-ogc-role'] === 'id')?.[0];
}

/** What can be asked of a column. */
export type ColumnKind = 'text' | 'number' | 'boolean' | 'date' | 'time' | 'uuid' | 'json';

export function columnKinds(schema: unknown): ReadonlyMap<string, ColumnKind> {
  return new Map(propertiesIn(schema).map(([name, about]) => [name, kindOf(about)]));
}

function propertiesIn(schema: unknown): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  return Object.entries(properties).flatMap(([name, about]) => (isObject(about) ? [[name, about] as const] : []));
}

function kindOf({ type, format }: Readonly<Record<string, unknown>>): ColumnKind {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return format === 'date' ? 'date' : format === 'date-time' ? 'time' : format === 'uuid' ? 'uuid' : 'text';
    default:
      return 'json';
  }
}
