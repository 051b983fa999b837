// Features read whole and written through OGC API Features, each change bound to the state it was made from (If-Match).

import type { Geometry } from 'geojson';
import type { EditFeature, StoredFeature, Trouble } from '../lib/edit/edit-session.ts';
import { hasNewShape } from '../lib/edit/edit-session.ts';
import { parseRows } from '../lib/exact-json.ts';
import { isEither, isListOf, isNumber, isObject, isRecordOf, isText } from '../lib/guard.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { exchange, sendFor } from './client.ts';
import type { Failure } from './failure.ts';

const collection = (layer: string): string => `/ogc/collections/${encodeURIComponent(layer)}`;
const itemPath = (layer: string, id: string | number): string =>
  `${collection(layer)}/items/${encodeURIComponent(String(id))}`;

type Read = {
  readonly id: string | number;
  readonly geometry: Geometry | null;
  readonly properties: Readonly<Record<string, unknown>>;
};

const isGeometry = (value: unknown): value is Geometry => isObject(value) && isText(value['type']);
const isNothing = (value: unknown): value is null => value === null;
const isRead = isRecordOf<Read>({
  id: isEither(isText, isNumber),
  geometry: isEither(isGeometry, isNothing),
  properties: isObject,
});

/** With all digits of its coordinates. */
export async function readFeature(layer: string, id: string | number): Promise<Result<StoredFeature, Failure>> {
  const reply = await exchange('GET', `${itemPath(layer, id)}?exact=true`, { parse: parseRows });
  if (!reply.ok) return reply;
  const { content, headers } = reply.value;
  if (!isRead(content)) return err({ kind: 'server', status: 200, said: [] });
  const { geometry, properties } = content;
  return ok({ id: content.id, tag: headers.get('ETag') ?? '', geometry, properties });
}

/** Undefined: it is written. */
export async function writeFeature(layer: string, feature: EditFeature): Promise<Trouble | undefined> {
  const { stored, geometry, changes, isDeleted } = feature;
  const reply =
    stored === undefined
      ? await exchange('POST', `${collection(layer)}/items`, {
          body: { type: 'Feature', geometry, properties: changes },
        })
      : await exchange(isDeleted ? 'DELETE' : 'PATCH', itemPath(layer, stored.id), {
          headers: { 'If-Match': stored.tag },
          ...(isDeleted ? {} : { body: { properties: changes, ...(hasNewShape(feature) ? { geometry } : {}) } }),
        });
  if (reply.ok) return undefined;
  const { error } = reply;
  if (stored === undefined) return { kind: 'failed', failure: error };
  if (error.kind === 'not-found') return { kind: 'conflict', theirs: undefined };
  if (error.kind !== 'invalid' || error.status !== 412) return { kind: 'failed', failure: error };
  const theirs = await readFeature(layer, stored.id);
  if (theirs.ok) return { kind: 'conflict', theirs: theirs.value };
  return theirs.error.kind === 'not-found'
    ? { kind: 'conflict', theirs: undefined }
    : { kind: 'failed', failure: error };
}

const isShapes = isRecordOf<{ readonly geometries: readonly Geometry[] }>({ geometries: isListOf(isGeometry) });

/** The pieces of a shape along a line, the largest first. */
export async function splitShape(
  layer: string,
  geometry: Geometry,
  line: Geometry,
): Promise<Result<readonly Geometry[], Failure>> {
  const reply = await sendFor(isShapes, 'POST', `${collection(layer)}/split`, { body: { geometry, line } });
  return reply.ok ? ok(reply.value.geometries) : reply;
}

export async function mergeShapes(layer: string, geometries: readonly Geometry[]): Promise<Result<Geometry, Failure>> {
  const reply = await sendFor(isShapes, 'POST', `${collection(layer)}/merge`, { body: { geometries } });
  if (!reply.ok) return reply;
  const [merged] = reply.value.geometries;
  return merged === undefined ? err({ kind: 'server', status: 200, said: [] }) : ok(merged);
}

const isItems = isRecordOf<{ readonly features: readonly Read[] }>({ features: isListOf(isRead) });

/** What can be snapped to in a view: its first features. */
export async function featuresNear(
  layer: string,
  [west, south, east, north]: readonly [number, number, number, number],
  most: number,
  signal: AbortSignal,
): Promise<readonly Read[]> {
  const box = [Math.max(-180, west), Math.max(-90, south), Math.min(180, east), Math.min(90, north)];
  const reply = await sendFor(isItems, 'GET', `${collection(layer)}/items?limit=${most}&bbox=${box.join(',')}`, {
    signal,
    parse: parseRows,
  });
  return reply.ok ? reply.value.features : [];
}
