// The tag of a feature, by which a client says which state of it it has: of the bytes of its GeoJSON, so that the service (for what it
// sends) and the database (for what it is about to change) find the same one.

import { createHash } from 'node:crypto';
import type { VectorLayer } from '../../layer-ports/layer.ts';
import { join, sql } from '../../sql/index.ts';
import { featureJson, wholeLayer } from './feature-query.ts';
import { type KnownCrs, WGS84 } from './known-crs.ts';
import { list, type Sql, whole } from './value.ts';

const LENGTH = 27;
/** A client that knows more states of one feature than this has lost its way. */
const MAX_TAGS = 20;

export function featureTag(json: Uint8Array): string {
  return `"${createHash('sha256').update(json).digest('base64url').slice(0, LENGTH)}"`;
}

/** What an If-Match asks of the row `f`; undefined: nothing but that it is there. Weak tags are never the same. */
export function tagCondition(header: string, layer: VectorLayer, crs: KnownCrs): Sql | undefined {
  if (header.trim() === '*') return undefined;
  const tags = [...header.matchAll(/(W\/)?"([\w-]{1,64})"/g)].flatMap(([, weak, tag = '']) =>
    weak === undefined ? [tag] : [],
  );
  if (tags.length === 0 || tags.length > MAX_TAGS) return sql`false`;
  // A client that works in another system has looked at it in that one.
  const systems = crs.uri === WGS84.uri ? [WGS84] : [WGS84, crs];
  return sql`(${join(
    systems.flatMap((system) =>
      [false, true].map((isExact) => sql`${tagSql(layer, system, isExact)} = any(${list(tags)})`),
    ),
    ' or ',
  )})`;
}

/** `isExact`: of the feature with all digits of its coordinates, as editors read it. */
function tagSql(layer: VectorLayer, crs: KnownCrs, isExact: boolean): Sql {
  const json = featureJson({ ...wholeLayer(layer, crs), isExact });
  return sql`translate(left(encode(sha256(convert_to(${json}, 'UTF8')), 'base64'), ${whole(LENGTH)}), '+/', '-_')`;
}
