// A geometry as text: GeoJSON begins with a brace, anything else is WKT.

import type { GeometryValue } from './api-request.ts';

export function geometryValue(text: string, values: string[]): GeometryValue {
  const format = text.trimStart().startsWith('{') ? 'geojson' : 'wkt';
  return { format, value: values.push(text) - 1 };
}
