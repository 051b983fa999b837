// What a service of somebody else offers, whatever protocol it speaks: one description that pages, maps and the catalogue read. Pure.

import type { RemoteLayer } from '../remote-layer.ts';
import type { Box } from '../remote-request.ts';

export const SERVICE_KINDS = ['wms', 'wmts', 'xyz', 'ogc-api', 'arcgis'] as const;
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
  /** As maps show it. */
  readonly layer: RemoteLayer;
};

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
};
