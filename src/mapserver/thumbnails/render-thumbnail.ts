// A layer or a map of the catalogue → its small picture: land and water, and the data on them.

import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { VISITOR } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import type { Filter } from '../../geo/cql/cql.ts';
import { parseCqlJson } from '../../geo/cql/cql-json.ts';
import { withNoValue } from '../../geo/style/no-value.ts';
import { parseStyle } from '../../geo/style/style-layer.ts';
import { WORLD_HALF } from '../../geo/tile.ts';
import type { View } from '../../geo/view.ts';
import { inSlices } from '../../kernel/in-slices.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import type { LayerAccess } from '../../layer-ports/layer-access.ts';
import type { DrawRemote } from '../../layer-ports/remote-picture.ts';
import type { ThumbnailStore, ThumbnailSubject } from '../../layer-ports/thumbnail-store.ts';
import type { DbError } from '../../pg/driver.ts';
import type { MapRenderer } from '../pictures/map-renderer.ts';
import { shownRows } from '../query/shown-rows.ts';
import { compileStyle } from '../render/compile-style.ts';
import type { CrsRegistry } from '../render/crs-registry.ts';
import { type DrawRaster, type MapLayer, type RenderError, renderMap } from '../render/render-map.ts';
import { cellMetres, widthText } from '../summary/cell-width.ts';
import { summaryTo } from '../summary/shown.ts';
import { drawBasemap, loadBasemap } from './basemap.ts';
import { drawCells, drawCredit } from './draw-credit.ts';
import { drawRemotePicture } from './draw-remote.ts';
import type { DrawNamedBasemap, WantedBasemap } from './named-basemap.ts';
import { thumbnailStyle } from './thumbnail-style.ts';
import { HEIGHT, viewOfExtent, viewOfMap, WIDTH } from './thumbnail-view.ts';

export type ThumbnailParts = {
  readonly store: ThumbnailStore;
  /** As the service sees them. */
  readonly layers: LayerAccess;
  readonly renderer: MapRenderer;
  readonly crs: CrsRegistry;
  readonly drawRaster: DrawRaster;
  /** Rows that one statement aggregates. */
  readonly piece: number;
  /** Undefined: no service of others is asked. */
  readonly drawRemote?: DrawRemote | undefined;
  /** Undefined: the operator named no basemaps. */
  readonly drawNamedBasemap?: DrawNamedBasemap | undefined;
};

export type SmallPicture = { readonly bytes: Buffer; readonly mimeType: string };

export type ThumbnailError = RenderError | { readonly kind: 'database'; readonly error: DbError };

type MapSubject = Extract<ThumbnailSubject, { kind: 'map' }>;

const INFO: RequestInfo = { method: '', path: '' };

/** Undefined: there is nothing to draw. `chosenView`: where somebody wants it to look, instead of at all of it. */
export async function renderThumbnail(
  parts: ThumbnailParts,
  subject: Extract<ThumbnailSubject, { kind: 'layer' | 'map' }>,
  chosenView?: View,
): Promise<Result<SmallPicture | undefined, ThumbnailError>> {
  const chosen: MapLayer[] = [];
  const wanted: MapSubject['layers'] =
    subject.kind === 'layer' ? [{ id: subject.id, opacity: 1, style: '' }] : subject.layers;
  for (const { id, opacity, style, ownStyle, filter: sent } of wanted) {
    const found = await parts.layers.find(VISITOR, INFO, String(id));
    if (!found.ok) {
      if (found.error.kind === 'no-such-layer') continue;
      return err(found.error);
    }
    const layer = found.value;
    const filter = filterOf(layer, sent);
    const own = ownStyle === undefined ? undefined : parseStyle(ownStyle);
    if (own?.ok === true && own.value.length > 0) {
      chosen.push({ layer, style: compileStyle(withNoValue(own.value)), opacity, filter });
      continue;
    }
    for (const name of [style, '']) {
      const ready = await parts.renderer.styleOf(VISITOR, INFO, layer, name);
      if (!ready.ok) return ready.error.kind === 'database' ? err(ready.error) : ok(undefined);
      if (ready.value === undefined) continue;
      chosen.push({ layer, style: ready.value.compiled, opacity, filter });
      break;
    }
  }
  const [first] = chosen;
  if (subject.kind === 'layer' && first === undefined) return ok(undefined);
  const view = chosenView ?? (subject.kind === 'map' ? viewOfMap(subject) : viewOfExtent(first?.layer.extent?.wgs84));
  const canvas = createCanvas(WIDTH, HEIGHT);
  const credit = await drawGround(parts, canvas, view, {
    id: subject.kind === 'map' ? subject.basemap : undefined,
    isOwnAlone: subject.kind === 'layer',
  });
  for (const one of chosen) {
    // With row rules of its own a table shows everybody something else; the picture has what all of them see.
    const isOwn = one.layer.kind === 'vector' && one.layer.ownRowRules;
    const db = isOwn ? parts.store.visitorDb : parts.store.serviceDb;
    const drawn = await renderMap(
      { db, crs: parts.crs, drawRaster: parts.drawRaster, piece: parts.piece },
      {
        caller: VISITOR,
        info: INFO,
        view,
        layers: [{ ...one, style: thumbnailStyle(one, subject.kind === 'layer' ? view.zoom : undefined) }],
        background: undefined,
        most: MAX_FEATURES,
      },
    );
    if (!drawn.ok) {
      // A map is more than the one layer of it that cannot be drawn.
      if (subject.kind === 'map' && drawn.error.kind !== 'database') continue;
      return drawn;
    }
    canvas.getContext('2d').drawImage(drawn.value, 0, 0);
  }
  const cells = cellsOn(view, chosen);
  if (cells !== undefined) drawCells(canvas, cells);
  drawCredit(canvas, credit);
  return ok({ bytes: await canvas.encode('png'), mimeType: 'image/png' });
}

/** How wide cells are, where a layer is shown as cells; of unlike layers they are alike. */
function cellsOn(view: View, layers: readonly MapLayer[]): string | undefined {
  const level = Math.floor(view.zoom + 1e-6);
  const isSummarised = layers.some(
    ({ layer, style, filter }) =>
      layer.kind === 'vector' &&
      filter === undefined &&
      level <= summaryTo(layer) &&
      style.layers.some(({ type, group }) => type !== 'heatmap' && group === undefined),
  );
  if (!isSummarised) return undefined;
  const [, , , top] = view.box;
  const middle = (view.box[1] + top) / 2;
  const lat = (Math.atan(Math.sinh((middle / WORLD_HALF) * Math.PI)) * 180) / Math.PI;
  return widthText(cellMetres(view.zoom + 1e-6, lat));
}

/** One that cannot be read, or that asks for what the layer has not, hides nothing. */
function filterOf(layer: Layer, sent: unknown): Filter | undefined {
  if (sent === undefined || layer.kind === 'raster') return undefined;
  const filter = parseCqlJson(sent);
  return filter.ok && shownRows(layer, undefined, filter.value).ok ? filter.value : undefined;
}

/** Undefined: its service does not show it now. */
export async function renderRemote(
  parts: ThumbnailParts,
  { remote, extent }: Extract<ThumbnailSubject, { kind: 'remote' }>,
  view: View = viewOfExtent(extent),
): Promise<Result<SmallPicture | undefined, ThumbnailError>> {
  const picture = await parts.drawRemote?.(remote, view);
  if (picture === undefined) return ok(undefined);
  const canvas = createCanvas(WIDTH, HEIGHT);
  const credit = await drawGround(parts, canvas, view, { id: undefined, isOwnAlone: true });
  await drawRemotePicture(canvas, view, picture);
  drawCredit(canvas, credit);
  return ok({ bytes: await canvas.encode('png'), mimeType: 'image/png' });
}

/** More would hardly be told apart in so small a picture. */
const MAX_FEATURES = 8000;

/**
 * The basemap that was chosen, or the packaged one where it cannot be drawn here; whose it is. Pictures of layers ask no other server: they are
 * many, and where their layers lie is nobody's business.
 */
async function drawGround(
  { drawNamedBasemap }: ThumbnailParts,
  canvas: Canvas,
  view: View,
  wanted: WantedBasemap,
): Promise<string> {
  const { id } = wanted;
  if (id === 'none') {
    const context = canvas.getContext('2d');
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    return '';
  }
  const credit = await drawNamedBasemap?.(canvas, view, wanted);
  if (credit !== undefined) return credit;
  const world = await loadBasemap(view.zoom);
  await inSlices(drawBasemap(canvas.getContext('2d'), world, view, id === 'dark'));
  return '';
}
