// A feature as it is sent, in GeoJSON → what of it is written. Pure.

import { isOnEarth, parseGeometry } from '../../geo/geojson.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import type { Sent } from '../query/edit-sql.ts';
import type { KnownCrs } from '../query/known-crs.ts';

export type EditError = { readonly kind: 'bad-request'; readonly detail: string };

/** A feature as it is sent. `isWhole`: all of it has to be there, as for a new one. */
export function parseFeature(
  body: unknown,
  layer: VectorLayer,
  crs: KnownCrs,
  isWhole: boolean,
): Result<Sent, EditError> {
  const refuse = (detail: string): Result<never, EditError> => err({ kind: 'bad-request', detail });
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refuse('A GeoJSON feature was expected.');
  const { type, geometry: shape, properties = {} } = body as Record<string, unknown>;
  if (type !== 'Feature' && (isWhole || type !== undefined)) return refuse('A GeoJSON feature was expected.');
  if (isWhole && shape === undefined) return refuse('A feature has a member "geometry", null where it has none.');
  if (properties !== null && (typeof properties !== 'object' || Array.isArray(properties)))
    return refuse('The properties of a feature are an object.');
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(properties ?? {})) {
    const column = layer.columns.find((one) => one.name === name);
    if (column === undefined) return refuse(`There is no property "${name.slice(0, 100)}".`);
    // Whoever sends a feature back as it came sends these, too.
    if (column.generated || name === layer.primaryKey) continue;
    values[name] = value;
  }
  if (shape === undefined || shape === null) return ok({ geometry: shape, properties: values });
  const geometry = parseGeometry(shape);
  if (!geometry.ok) return refuse(`geometry: ${geometry.error.said}.`);
  if (crs.srid === 4326 && !isOnEarth(geometry.value, crs.isNorthFirst))
    return refuse('geometry: a position lies beyond the poles.');
  return ok({ geometry: geometry.value, properties: values });
}
