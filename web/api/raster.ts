// What the map server says of a raster: its bands, and the numbers at a place.

import { type Guard, isListOf, isNumber, isObject, isOneOf, isRecordOf } from '../lib/guard.ts';
import { getFor } from './client.ts';

export type RasterSummary = {
  readonly drawn: 'palette' | 'colours' | 'grey';
  readonly bands: readonly {
    readonly band: number;
    readonly min: number;
    readonly max: number;
    /** Numbers that are drawn darkest and brightest where the style says nothing. */
    readonly stretch: readonly [number, number];
  }[];
};

type Info = { readonly features: readonly { readonly properties: Readonly<Record<string, unknown>> }[] };

const isInfo = isRecordOf<Info>({
  features: isListOf(isRecordOf<Info['features'][number]>({ properties: isObject })),
});

const isPair = (value: unknown): value is readonly [number, number] => isListOf(isNumber)(value) && value.length === 2;

export const isRasterSummary: Guard<RasterSummary> = isRecordOf<RasterSummary>({
  drawn: isOneOf('palette', 'colours', 'grey'),
  bands: isListOf(
    isRecordOf<RasterSummary['bands'][number]>({ band: isNumber, min: isNumber, max: isNumber, stretch: isPair }),
  ),
});

/** About a tenth of a metre. */
const AROUND = 1e-6;

/** Undefined: there is nothing, or it is not known. */
export async function rasterValues(
  layer: string,
  [lng, lat]: readonly [number, number],
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  // Maps go on beyond the edge of the world.
  const x = ((((lng + 180) % 360) + 360) % 360) - 180;
  const query = new URLSearchParams({
    SERVICE: 'WMS',
    VERSION: '1.3.0',
    REQUEST: 'GetFeatureInfo',
    LAYERS: layer,
    QUERY_LAYERS: layer,
    STYLES: '',
    CRS: 'CRS:84',
    BBOX: [x - AROUND, lat - AROUND, x + AROUND, lat + AROUND].join(','),
    WIDTH: '1',
    HEIGHT: '1',
    I: '0',
    J: '0',
    INFO_FORMAT: 'application/json',
  });
  const reply = await getFor(isInfo, `/wms?${query}`, signal);
  const values = reply.ok ? reply.value.features[0]?.properties : undefined;
  return values !== undefined && Object.values(values).some((value) => value !== null) ? values : undefined;
}
