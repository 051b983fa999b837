// What lies at a place, as GetFeatureInfo tells it: also to those who see a layer on maps and may not list its rows, one row at a time.

import type { Geometry } from 'geojson';
import type { Extent } from '../lib/catalogue-state.ts';
import { parseRows } from '../lib/exact-json.ts';
import { isEither, isListOf, isObject, isOneOf, isRecordOf, isText } from '../lib/guard.ts';
import { sendFor } from './client.ts';
import type { Layer } from './types.ts';

export type PlaceFeature = {
  readonly id: string | number | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly shape: Geometry | undefined;
};

type Info = {
  readonly features: readonly {
    readonly id?: string | undefined;
    readonly geometry?: object | null | undefined;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
};

const isInfo = isRecordOf<Info>({
  features: isListOf(
    isRecordOf<Info['features'][number]>({
      id: isEither(isText, isOneOf(undefined)),
      geometry: isEither(isObject, isOneOf(null, undefined)),
      properties: isObject,
    }),
  ),
});

/** Rows of a layer within an extent; undefined: they cannot be told. `filter`: CQL2 as JSON. */
export async function featuresWithin(
  { name, alternate }: Pick<Layer, 'name' | 'alternate'>,
  [west, south, east, north]: Extent,
  ask: { readonly filter: unknown; readonly most: number },
  signal: AbortSignal,
): Promise<readonly PlaceFeature[] | undefined> {
  // Maps go on beyond the edge of the world.
  const shift = Math.floor(((west + east) / 2 + 180) / 360) * 360;
  const query = new URLSearchParams({
    SERVICE: 'WMS',
    VERSION: '1.3.0',
    REQUEST: 'GetFeatureInfo',
    LAYERS: alternate ?? name,
    QUERY_LAYERS: alternate ?? name,
    STYLES: '',
    CRS: 'CRS:84',
    BBOX: [west - shift, south, east - shift, north].join(','),
    WIDTH: '1',
    HEIGHT: '1',
    I: '0',
    J: '0',
    // One pixel is all of the extent.
    BUFFER: '0',
    FEATURE_COUNT: String(ask.most),
    INFO_FORMAT: 'application/json',
    ...(ask.filter === undefined ? {} : { CQL_FILTER: JSON.stringify(ask.filter) }),
  });
  const reply = await sendFor(isInfo, 'GET', `/wms?${query}`, { signal, parse: parseRows });
  if (!reply.ok) return undefined;
  return reply.value.features.map(({ id, properties, geometry }) => ({
    id: idOf(id, name),
    properties,
    shape: geometry === null || geometry === undefined ? undefined : (geometry as Geometry),
  }));
}

/** `parcels.17` → 17, as features of tiles have it. */
function idOf(id: string | undefined, layer: string): string | number | undefined {
  const key = id?.startsWith(`${layer}.`) === true ? id.slice(layer.length + 1) : undefined;
  return key !== undefined && /^\d{1,15}$/.test(key) ? Number(key) : key;
}
