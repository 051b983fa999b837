// Rows and features of a layer, from the service that fits the question: the REST service by conditions, OGC API Features by place.

import type { FeatureCollection } from 'geojson';
import { ok, type Result } from '../lib/result.ts';
import { get } from './client.ts';
import type { Failure } from './failure.ts';
import { bearer, type Rows, restName } from './rest.ts';

type Items = {
  readonly features: readonly { readonly id?: string | number; readonly properties: Record<string, unknown> }[];
  readonly numberMatched?: number;
};

/** Features as rows; `key` is the column that names one. */
export async function itemRows(
  path: string,
  key: string | undefined,
  signal: AbortSignal,
): Promise<Result<Rows, Failure>> {
  const reply = await get<Items>(path, signal);
  if (!reply.ok) return reply;
  const { features, numberMatched } = reply.value;
  return ok({
    rows: features.map(({ id, properties }) => (key === undefined ? properties : { ...properties, [key]: id })),
    total: numberMatched,
  });
}

export type RowName = { readonly key: string; readonly value: string | number };

/** The shape of one row, in degrees; empty where there is nothing to show of it. */
export async function loadShape(table: string, row: RowName, isSignedIn: boolean): Promise<FeatureCollection> {
  const token = await bearer(isSignedIn);
  const condition = `${encodeURIComponent(restName(row.key))}=eq.${encodeURIComponent(String(row.value))}`;
  try {
    const reply = await fetch(`/rest/v1/${encodeURIComponent(table)}?${condition}`, {
      headers: { Accept: 'application/geo+json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
    });
    if (reply.ok) return (await reply.json()) as FeatureCollection;
  } catch {
    // Then there is nothing to show of it.
  }
  return { type: 'FeatureCollection', features: [] };
}
