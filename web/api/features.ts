// Rows and features of a layer, from the service that fits the question: the REST service by conditions, OGC API Features by place.

import type { FeatureCollection, Geometry } from 'geojson';
import { parseRows } from '../lib/exact-json.ts';
import { isEither, isListOf, isNumber, isObject, isOneOf, isRecordOf, isText } from '../lib/guard.ts';
import { ok, type Result } from '../lib/result.ts';
import { getFor, sendFor } from './client.ts';
import type { Failure } from './failure.ts';
import { bearer, type Rows, restName } from './rest.ts';

type Items = {
  readonly features: readonly {
    readonly id?: string | number | undefined;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
  readonly numberMatched?: number | undefined;
};

const isItems = isRecordOf<Items>({
  features: isListOf(
    isRecordOf<Items['features'][number]>({
      id: isEither(isEither(isText, isNumber), isOneOf(undefined)),
      properties: isObject,
    }),
  ),
  numberMatched: isEither(isNumber, isOneOf(undefined)),
});

/** Features as rows; `key` is the column that names one. */
export async function itemRows(
  path: string,
  key: string | undefined,
  signal: AbortSignal,
): Promise<Result<Rows, Failure>> {
  const reply = await sendFor(isItems, 'GET', path, { signal, parse: parseRows });
  if (!reply.ok) return reply;
  const { features, numberMatched } = reply.value;
  return ok({
    rows: features.map(({ id, properties }) => (key === undefined ? properties : { ...properties, [key]: id })),
    total: numberMatched,
  });
}

const isFeatureCollection = (value: unknown): value is FeatureCollection =>
  isObject(value) && value['type'] === 'FeatureCollection' && isListOf(isObject)(value['features']);

export type RowName = { readonly key: string; readonly value: string | number };

/** The shape of one row, in degrees; empty where there is nothing to show of it. */
export async function loadShape(table: string, row: RowName, isSignedIn: boolean): Promise<FeatureCollection> {
  const token = await bearer(isSignedIn);
  const condition = `${encodeURIComponent(restName(row.key))}=eq.${encodeURIComponent(String(row.value))}`;
  try {
    const reply = await fetch(`/rest/v1/${encodeURIComponent(table)}?${condition}`, {
      headers: { Accept: 'application/geo+json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
    });
    const shape: unknown = reply.ok ? await reply.json() : undefined;
    if (isFeatureCollection(shape)) return shape;
  } catch {
    // Then there is nothing to show of it.
  }
  return { type: 'FeatureCollection', features: [] };
}

const isFeature = (value: unknown): value is { readonly geometry: Geometry } =>
  isObject(value) && value['type'] === 'Feature' && isObject(value['geometry']);

/** The whole shape of one feature, in degrees; undefined: it cannot be told. */
export async function featureShape(
  layer: string,
  id: string | number,
  signal: AbortSignal,
): Promise<Geometry | undefined> {
  const path = `/ogc/collections/${encodeURIComponent(layer)}/items/${encodeURIComponent(String(id))}`;
  const reply = await getFor(isFeature, path, signal);
  return reply.ok ? reply.value.geometry : undefined;
}
