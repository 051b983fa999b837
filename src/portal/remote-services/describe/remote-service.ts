// What a service of somebody else offers, whatever protocol it speaks: one description that pages, maps and the catalogue read. Pure.

import type { RemoteLayer } from '../remote-layer.ts';
import type { Box } from '../remote-request.ts';

export const SERVICE_KINDS = [
  'wms',
  'wmts',
  'xyz',
  'wfs',
  'ogc-api',
  'arcgis',
  'geonode',
  'csw',
  'records',
  'stac',
] as const;
type ServiceKind = (typeof SERVICE_KINDS)[number];

export type RemoteOffer = {
  /** What the service calls it; names it among its others. */
  readonly name: string;
  readonly title: string;
  readonly abstract: string;
  readonly keywords: readonly string[];
  /** In degrees; undefined: the service does not say. */
  readonly bbox: Box | undefined;
  readonly attribution: string;
  /** As maps show it; undefined: a map cannot, and `reason` says why. */
  readonly layer: RemoteLayer | undefined;
  readonly reason?: OfferReason;
  /** Where people read about it, or get it. */
  readonly page?: string;
};

/** Why something that is offered is none for maps: it links to files or to pages alone, to a service that does not name the layer, or to nothing. */
export const OFFER_REASONS = ['files', 'page', 'unnamed', 'no-links'] as const;
export type OfferReason = (typeof OFFER_REASONS)[number];

export type RemoteService = {
  readonly kind: ServiceKind;
  readonly title: string;
  readonly abstract: string;
  readonly offers: readonly RemoteOffer[];
  /** It has more than are listed. */
  readonly truncated: boolean;
};

export const MAX_OFFERS = 2000;

export function bounded(text: string | undefined, most: number): string {
  return (text ?? '').trim().slice(0, most);
}

/** Undefined: it is none, or none of the earth. */
export function boxOf(numbers: readonly unknown[]): Box | undefined {
  const [west, south, east, north] = numbers.map(Number);
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined;
  if (![west, south, east, north].every(Number.isFinite)) return undefined;
  const within = (value: number, most: number): number => Math.min(most, Math.max(-most, value));
  return west > east || south > north
    ? undefined
    : [within(west, 180), within(south, 90), within(east, 180), within(north, 90)];
}

export const PLAIN_LAYER: Omit<RemoteLayer, 'kind' | 'url'> = {
  name: '',
  style: '',
  version: '1.3.0',
  image: 'image/png',
  info: undefined,
  output: '',
  srs: '',
};

export function keywordsOf(words: readonly string[]): readonly string[] {
  return words
    .slice(0, 1000)
    .map((word) => bounded(word, 100))
    .filter((word) => word !== '')
    .slice(0, 30);
}

/** As the API and the database have it. */
export function offerJson({ bbox, layer, reason, page, ...one }: RemoteOffer): Readonly<Record<string, unknown>> {
  return {
    ...one,
    bbox: bbox ?? null,
    layer: layer === undefined ? null : { ...layer, info: layer.info ?? null },
    reason: layer === undefined ? (reason ?? 'no-links') : null,
    page: page ?? null,
  };
}
