// The tag of a feature, by which a client says which state of it it has: of the bytes of its GeoJSON, so that the service (for what it
// sends) and the database (for what it is about to change) find the same one.

import { createHash } from 'node:crypto';
import type { VectorLayer } from '../../layers/layer.ts';
import { quoteLiteral } from '../../sql/index.ts';
import { featureJson, wholeLayer } from './feature-query.ts';
import { type KnownCrs, WGS84 } from './known-crs.ts';

const LENGTH = 27;
/** A client that knows more states of one feature than this has lost its way. */
const MAX_TAGS = 20;

export function featureTag(json: Uint8Array): string {
  return `"${createHash('sha256').update(json).digest('base64url').slice(0, LENGTH)}"`;
}

/** What an If-Match asks of the row `f`; undefined: nothing but that it is there. Weak tags are never the same. */
export function tagCondition(header: string, layer: VectorLayer, crs: KnownCrs): string | undefined {
  if (header.trim() === '*') return undefined;
  const tags = [...header.matchAll(/(W\/)?"([\w-]{1,64})"/g)].flatMap(([, weak, tag = '']) =>
    weak === undefined ? [tag] : [],
  );
  if (tags.length === 0 || tags.length > MAX_TAGS) return 'false';
  const list = tags.map((tag) => quoteLiteral(tag).trim()).join(', ');
  // A client that works in another system has looked at it in that one.
  const systems = crs.uri === WGS84.uri ? [WGS84] : [WGS84, crs];
  return `(${systems.map((system) => `${tagSql(layer, system)} in (${list})`).join(' or ')})`;
}

function tagSql(layer: VectorLayer, crs: KnownCrs): string {
  const json = featureJson(wholeLayer(layer, crs));
  return `translate(left(encode(sha256(convert_to(${json}, 'UTF8')), 'base64'), ${LENGTH}), '+/', '-_')`;
}
