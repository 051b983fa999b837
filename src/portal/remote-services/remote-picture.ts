// A layer of somebody else's service in a small view → the pictures and shapes that show it, asked for through the safe client. A host that failed is
// left alone for a while: one that does not answer would keep the pictures of everybody else waiting.

import { parseGeometry } from '../../geo/geojson.ts';
import { type Box, makeProject, WEB_MERCATOR, WGS84 } from '../../geo/projection.ts';
import type { View } from '../../geo/view.ts';
import type { RemoteFetch } from '../../http/outbound/remote-fetch.ts';
import type { DrawRemote, RemotePicture } from '../../layer-ports/remote-picture.ts';
import { gmlFeatures } from './gml-features.ts';
import { featuresOf, isObject, pictureType } from './remote-content.ts';
import { parseRemoteLayer, type RemoteLayer } from './remote-layer.ts';
import { featuresAddress, mapAddress, pictureAddress, srsOf, tileAddress, tilesWithin } from './remote-request.ts';

const TIMEOUT_MS = 10_000;
const MAX_PICTURE_BYTES = 5_000_000;
const MAX_FEATURE_BYTES = 20_000_000;
const REST_MS = 120_000;
/** Hosts that rest. */
const MAX_RESTING = 1000;

const toMercator = makeProject(WGS84, WEB_MERCATOR);
const toDegrees = makeProject(WEB_MERCATOR, WGS84);

/** `now`: milliseconds of a clock that only goes forward. */
export function makeDrawRemote(fetch: RemoteFetch, now: () => number = () => performance.now()): DrawRemote {
  const resting = new Map<string, number>();
  const ask = async (address: string, maxBytes: number): Promise<Buffer | undefined> => {
    const { host } = new URL(address);
    if ((resting.get(host) ?? 0) > now()) return undefined;
    const reply = await fetch(address, { accept: '*/*', maxBytes, timeoutMs: TIMEOUT_MS });
    if (reply.ok) return reply.value.status === 200 ? reply.value.body : undefined;
    if (reply.error.kind === 'timeout' || reply.error.kind === 'unreachable') {
      if (resting.size >= MAX_RESTING) resting.clear();
      resting.set(host, now() + REST_MS);
    }
    return undefined;
  };
  const pictures = async (
    wanted: readonly { readonly address: string | undefined; readonly box: Box }[],
  ): Promise<RemotePicture | undefined> => {
    const found: { readonly bytes: Buffer; readonly box: Box }[] = [];
    for (const { address, box } of wanted) {
      const bytes = address === undefined ? undefined : await ask(address, MAX_PICTURE_BYTES);
      if (bytes !== undefined && pictureType(bytes) !== undefined) found.push({ bytes, box });
    }
    return found.length === 0 ? undefined : { pictures: found, shapes: [] };
  };
  const shapes = async (layer: RemoteLayer, view: View): Promise<RemotePicture | undefined> => {
    const address = featuresAddress(layer, degreesOf(view.box));
    const body = address === undefined ? undefined : await ask(address, MAX_FEATURE_BYTES);
    const found =
      body === undefined
        ? undefined
        : (featuresOf(body) ?? (layer.kind === 'wfs' ? gmlFeatures(body, srsOf(layer)) : undefined));
    if (found === undefined) return undefined;
    const geometries = found.features.flatMap(({ geometry }) => {
      const parsed = parseGeometry(geometry);
      return parsed.ok ? [parsed.value] : [];
    });
    return { pictures: [], shapes: geometries };
  };
  return async (remote, view) => {
    if (!isObject(remote)) return undefined;
    const layer = parseRemoteLayer((name) => {
      const value = remote[name];
      return typeof value === 'string' ? value : undefined;
    });
    if (typeof layer === 'string') return undefined;
    switch (layer.kind) {
      case 'wms':
      case 'arcgis-map':
        return pictures([{ address: mapAddress(layer, view.box, [view.width, view.height]), box: view.box }]);
      case 'tiles':
        return pictures(
          tilesWithin(view.box, view.width).map(({ tile, box }) => ({ address: tileAddress(layer, tile), box })),
        );
      case 'image': {
        const box = mercatorOf(remote['bbox']);
        return box === undefined ? undefined : pictures([{ address: pictureAddress(layer), box }]);
      }
      case 'features':
      case 'arcgis-features':
      case 'wfs':
        return shapes(layer, view);
    }
  };
}

function degreesOf([xmin, ymin, xmax, ymax]: Box): Box {
  const [west, south] = toDegrees(xmin, ymin) ?? [-180, -85];
  const [east, north] = toDegrees(xmax, ymax) ?? [180, 85];
  return [Math.max(-180, west), Math.max(-85, south), Math.min(180, east), Math.min(85, north)];
}

function mercatorOf(bbox: unknown): Box | undefined {
  if (!Array.isArray(bbox) || bbox.length !== 4) return undefined;
  const [west, south, east, north] = bbox.map(Number);
  const within = (latitude = Number.NaN): number => Math.max(-85, Math.min(85, latitude));
  const low = toMercator(west ?? Number.NaN, within(south));
  const high = toMercator(east ?? Number.NaN, within(north));
  return low === undefined || high === undefined ? undefined : [low[0], low[1], high[0], high[1]];
}
