// A layer or a map of the catalogue → its small picture: land and water, and the data on them.

import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { VISITOR } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import { type Box, makeProject, WEB_MERCATOR, WGS84 } from '../../geo/projection.ts';
import { inSlices } from '../../kernel/in-slices.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { LayerAccess } from '../../layers/layer-access.ts';
import type { ThumbnailStore, ThumbnailSubject } from '../../layers/thumbnail-store.ts';
import type { DbError } from '../../pg/driver.ts';
import type { CrsRegistry } from '../render/crs-registry.ts';
import type { MapRenderer } from '../render/map-renderer.ts';
import { type DrawRaster, type MapLayer, type RenderError, renderMap } from '../render/render-map.ts';
import { makeView, type View } from '../render/view.ts';
import { drawBasemap, loadBasemap } from './basemap.ts';

export type ThumbnailParts = {
  readonly store: ThumbnailStore;
  /** As the service sees them. */
  readonly layers: LayerAccess;
  readonly renderer: MapRenderer;
  readonly crs: CrsRegistry;
  readonly drawRaster: DrawRaster;
};

export type ThumbnailError = RenderError | { readonly kind: 'database'; readonly error: DbError };

const [WIDTH, HEIGHT] = [480, 320];
const INFO: RequestInfo = { method: '', path: '' };
/** A single point is shown with so much around it, in metres of a web map. */
const LEAST_SPAN = 2000;
const WORLD_HALF = 20_037_508.342_789_244;

/** Undefined: there is nothing to draw. */
export async function renderThumbnail(
  parts: ThumbnailParts,
  subject: ThumbnailSubject,
): Promise<Result<Buffer | undefined, ThumbnailError>> {
  const chosen: MapLayer[] = [];
  const wanted = subject.kind === 'layer' ? [{ id: subject.id, opacity: 1, style: '' }] : subject.layers;
  for (const { id, opacity, style } of wanted) {
    const found = await parts.layers.find(VISITOR, INFO, String(id));
    if (!found.ok) {
      if (found.error.kind === 'no-such-layer') continue;
      return err(found.error);
    }
    const layer = found.value;
    for (const name of [style, '']) {
      const ready = await parts.renderer.styleOf(VISITOR, INFO, layer, name);
      if (!ready.ok) return ready.error.kind === 'database' ? err(ready.error) : ok(undefined);
      if (ready.value === undefined) continue;
      chosen.push({ layer, style: ready.value.compiled, opacity });
      break;
    }
  }
  const [first] = chosen;
  if (subject.kind === 'layer' && first === undefined) return ok(undefined);
  const view = subject.kind === 'map' ? viewOfMap(subject) : viewOfExtent(first?.layer.extent?.wgs84);
  const canvas = createCanvas(WIDTH, HEIGHT);
  await drawWorld(canvas, view);
  for (const one of chosen) {
    // With row rules of its own a table shows everybody something else; the picture has what all of them see.
    const isOwn = one.layer.kind === 'vector' && one.layer.ownRowRules;
    const db = isOwn ? parts.store.visitorDb : parts.store.serviceDb;
    const drawn = await renderMap(
      { db, crs: parts.crs, drawRaster: parts.drawRaster },
      { caller: VISITOR, info: INFO, view, layers: [one], background: undefined, most: MAX_FEATURES },
    );
    if (!drawn.ok) return drawn;
    canvas.getContext('2d').drawImage(drawn.value, 0, 0);
  }
  return ok(await canvas.encode('png'));
}

/** More would hardly be told apart in so small a picture. */
const MAX_FEATURES = 8000;

const toMercator = makeProject(WGS84, WEB_MERCATOR);
const toDegrees = makeProject(WEB_MERCATOR, WGS84);

async function drawWorld(canvas: Canvas, view: View): Promise<void> {
  const [xmin, ymin, xmax, ymax] = view.box;
  const [west, south] = toDegrees(xmin, ymin) ?? [-180, -85];
  const [east, north] = toDegrees(xmax, ymax) ?? [180, 85];
  const [sx, sy] = [view.width / (xmax - xmin), view.height / (ymax - ymin)];
  const place = (x: number, y: number): readonly [number, number] => {
    const [mx, my] = toMercator(x, Math.max(-85.06, Math.min(85.06, y))) ?? [0, 0];
    return [(mx - xmin) * sx, (ymax - my) * sy];
  };
  const world = await loadBasemap(view.zoom);
  await inSlices(drawBasemap(canvas.getContext('2d'), world, [west, south, east, north], place));
}

/** The extent with some room around it, in the shape of the picture. */
export function viewOfExtent(extent: Box | undefined): View {
  const [west, south, east, north] = extent ?? [-180, -60, 180, 75];
  const clamp = (latitude: number): number => Math.max(-85, Math.min(85, latitude));
  const [xmin, ymin] = toMercator(west, clamp(south)) ?? [-WORLD_HALF, -WORLD_HALF];
  const [xmax, ymax] = toMercator(east, clamp(north)) ?? [WORLD_HALF, WORLD_HALF];
  return viewAround(
    [(xmin + xmax) / 2, (ymin + ymax) / 2],
    Math.max(LEAST_SPAN, xmax - xmin) * 1.12,
    Math.max(LEAST_SPAN, ymax - ymin) * 1.12,
  );
}

function viewAround([x, y]: readonly [number, number], width: number, height: number): View {
  const resolution = Math.min((2 * WORLD_HALF) / WIDTH, Math.max(width / WIDTH, height / HEIGHT));
  const [dx, dy] = [(resolution * WIDTH) / 2, (resolution * HEIGHT) / 2];
  // Above the highest and below the lowest place of a web map there is nothing to see.
  const middle = Math.max(-WORLD_HALF + dy, Math.min(WORLD_HALF - dy, y));
  return makeView(WEB_MERCATOR, [x - dx, middle - dy, x + dx, middle + dy], WIDTH, HEIGHT);
}

/** A map has its extent, or the middle and zoom it opens with. */
function viewOfMap({ extent, center, zoom }: Extract<ThumbnailSubject, { kind: 'map' }>): View {
  if (extent !== undefined) return viewOfExtent(extent);
  const [x, y] = center;
  const isDegrees = Math.abs(x) <= 180 && Math.abs(y) <= 90;
  const middle = isDegrees ? (toMercator(x, Math.max(-85, Math.min(85, y))) ?? [0, 0]) : ([x, y] as const);
  // As much as a window of about a thousand pixels shows.
  const span = ((2 * WORLD_HALF) / 256 / 2 ** Math.max(0, Math.min(22, zoom))) * 1000;
  return viewAround(middle, span, (span * HEIGHT) / WIDTH);
}
