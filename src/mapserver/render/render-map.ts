// A view and the layers to be seen in it, each with its style → a picture. Features are read as the caller; rasters are read by
// windows. What a layer cannot show in the view's system is left out, not an error.

import { type Canvas, createCanvas } from '@napi-rs/canvas';
import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import type { Filter } from '../../geo/cql/cql.ts';
import { type Box, growBox, makeProject, projectBox, WEB_MERCATOR } from '../../geo/projection.ts';
import { type Group, groupKey } from '../../geo/style/group.ts';
import type { TileAddress } from '../../geo/tile.ts';
import type { View } from '../../geo/view.ts';
import { inSlices, type Stage } from '../../kernel/in-slices.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer, RasterLayer, VectorLayer } from '../../layer-ports/layer.ts';
import type { CancelSignal, DbError } from '../../pg/driver.ts';
import { splitColumns } from '../cells/split-columns.ts';
import { columnClass } from '../columns/column-class.ts';
import { timeLimitAlone } from '../query/layer-sql.ts';
import { shownRows } from '../query/shown-rows.ts';
import { passingStatement } from '../query/tile-sql.ts';
import type { TimeSpan } from '../query/time-sql.ts';
import type { Sql } from '../query/value.ts';
import { planFeatures } from '../query/view-sql.ts';
import type { CellAsker } from '../summary/find-cells.ts';
import { drawsLarge, FEW_PASSING, summaryTo } from '../summary/shown.ts';
import type { CompiledStyle, DrawLayer } from './compile-style.ts';
import type { CrsRegistry } from './crs-registry.ts';
import { drawFeatures, forgetColors, isShown } from './draw.ts';
import { drawLabels, type LabelCandidate } from './label.ts';
import { type Feature, type ReadOptions, readFeatures } from './read-features.ts';
import { cellsInView, groupsInView, type SummaryAsk, tilesOfView } from './summary-in-view.ts';

export type MapLayer = {
  readonly layer: Layer;
  readonly style: CompiledStyle;
  /** 0–1, of the layer as a whole. */
  readonly opacity?: number;
  /** Only the features that pass it are drawn. */
  readonly filter?: Filter | undefined;
};

export type RenderError =
  | { readonly kind: 'database'; readonly error: DbError }
  /** Its file cannot be read; why was observed where it happened. */
  | { readonly kind: 'raster'; readonly layer: string }
  /** It asks for what the layer has not. */
  | { readonly kind: 'bad-filter'; readonly layer: string; readonly said: string }
  /** More strokes than anybody waits for. */
  | { readonly kind: 'too-long' };

/** Draws a raster onto a canvas of the view's size. */
export type DrawRaster = (
  canvas: Canvas,
  layer: RasterLayer,
  style: CompiledStyle,
  view: View,
) => Promise<Result<void, RenderError>>;

export type RenderParts = {
  readonly db: Pick<CallerDb, 'read'>;
  readonly crs: CrsRegistry;
  readonly drawRaster: DrawRaster;
  /** Rows that one statement aggregates. */
  readonly piece: number;
};

export type RenderRequest = {
  readonly caller: Caller;
  readonly info: RequestInfo;
  readonly view: View;
  readonly layers: readonly MapLayer[];
  /** CSS; undefined: transparent. */
  readonly background: string | undefined;
  readonly time?: TimeSpan;
  /** Features of a layer that are drawn at most; for small pictures, which need not the memory of large ones. */
  readonly most?: number;
  readonly signal?: CancelSignal;
};

const MAX_QUERY_MS = 20_000;
/** For one picture: a style with hundreds of rules on very many features could go on for minutes. */
const MAX_DRAW_MS = 20_000;

class TooLong extends Error {}

/** The same stage, which gives up when its time is over. */
function* bounded(stage: Stage<void>, until: number): Stage<void> {
  for (let step = stage.next(); step.done !== true; step = stage.next()) {
    if (performance.now() > until) throw new TooLong();
    yield;
  }
}

export async function renderMap(parts: RenderParts, request: RenderRequest): Promise<Result<Canvas, RenderError>> {
  try {
    return await drawMap(parts, request);
  } catch (error) {
    if (error instanceof TooLong) return err({ kind: 'too-long' });
    throw error;
  }
}

async function drawMap(parts: RenderParts, request: RenderRequest): Promise<Result<Canvas, RenderError>> {
  const { view, background } = request;
  const canvas = createCanvas(view.width, view.height);
  const context = canvas.getContext('2d');
  if (background !== undefined) {
    context.fillStyle = background;
    context.fillRect(0, 0, view.width, view.height);
  }
  const labels: LabelCandidate[][] = [];
  const until = performance.now() + MAX_DRAW_MS;
  for (const one of request.layers) {
    if (performance.now() > until) throw new TooLong();
    const drawn = await drawLayer(parts, request, canvas, one, labels, until);
    if (!drawn.ok) return drawn;
  }
  await inSlices(bounded(drawLabels(context, labels, view.width, view.height), until));
  return ok(canvas);
}

async function drawLayer(
  parts: RenderParts,
  request: RenderRequest,
  canvas: Canvas,
  { layer, style, opacity = 1, filter }: MapLayer,
  labels: LabelCandidate[][],
  until: number,
): Promise<Result<void, RenderError>> {
  const { view } = request;
  if (!style.layers.some((one) => isShown(one, view.zoom)) || opacity <= 0) return ok(undefined);
  // A layer that shows through as a whole is drawn beside, so that what overlaps in it does not shine through twice.
  const target = opacity < 1 ? createCanvas(view.width, view.height) : canvas;
  const context = target.getContext('2d');
  if (layer.kind === 'raster') {
    const drawn = await parts.drawRaster(target, layer, style, view);
    if (!drawn.ok) return drawn;
  } else {
    const passing = shownRows(layer, request.time, filter);
    if (!passing.ok) return err({ kind: 'bad-filter', layer: layer.name, said: passing.error.said });
    const shown: ShownLayer = { layer, conditions: passing.value, isFiltered: filter !== undefined };
    const names: LabelCandidate[] = [];
    labels.push(names);
    const known = new Map<string, readonly Feature[]>();
    for (const run of runsOf(style, view.zoom)) {
      const [group] = run.layers.map((one) => one.group);
      const key = group === undefined ? '' : groupKey(group);
      let features = known.get(key);
      if (features === undefined) {
        const read =
          group === undefined
            ? await readVisible(parts, request, shown, withoutGroups(style))
            : await readGroups(parts, request, shown, style, group);
        if (!read.ok) return read;
        features = read.value;
        known.set(key, features);
      }
      forgetColors(context);
      await inSlices(bounded(drawFeatures({ context, zoom: view.zoom, labels: names }, features, run), until));
      forgetColors(context);
    }
  }
  if (target !== canvas) {
    const main = canvas.getContext('2d');
    main.globalAlpha = opacity;
    main.drawImage(target, 0, 0);
    main.globalAlpha = 1;
  }
  return ok(undefined);
}

/** What is to be seen of a style, in parts that are drawn of the same: the features, or one kind of groups. */
function runsOf(style: CompiledStyle, zoom: number): readonly CompiledStyle[] {
  const runs: { key: string; layers: DrawLayer[] }[] = [];
  for (const layer of style.layers) {
    if (!isShown(layer, zoom)) continue;
    const key = layer.group === undefined ? '' : groupKey(layer.group);
    const last = runs.at(-1);
    if (last?.key === key) last.layers.push(layer);
    else runs.push({ key, layers: [layer] });
  }
  return runs.map(({ layers }) => ({ ...style, layers }));
}

function withoutGroups(style: CompiledStyle): CompiledStyle {
  return { ...style, layers: style.layers.filter(({ group }) => group === undefined) };
}

/** A layer, and which of its rows are drawn. */
type ShownLayer = {
  readonly layer: VectorLayer;
  readonly conditions: readonly Sql[];
  readonly isFiltered: boolean;
};

type Found = Promise<Result<readonly Feature[], RenderError>>;

async function readGroups(
  parts: RenderParts,
  request: RenderRequest,
  shown: ShownLayer,
  style: CompiledStyle,
  group: Group,
): Found {
  const { layer } = shown;
  // A style may name a column that is gone, or was never one of numbers: then there is nothing to draw.
  const { value } = group;
  const isMissing =
    value !== undefined &&
    !layer.columns.some(({ name, type }) => name === value.column && ['integer', 'number'].includes(columnClass(type)));
  const box = isMissing ? undefined : nativeBox(WEB_MERCATOR, request.view, style.reach);
  if (box === undefined) return ok([]);
  const tiles = tilesOfView(box, request.view.zoom, DEEPEST);
  return asRenderError(
    await groupsInView(askerOf(parts, request), summaryAsk(parts, request, shown, tiles, style), group),
  );
}

/** Groups are made of tiles up to this zoom. */
const DEEPEST = 22;

function summaryAsk(
  { piece }: RenderParts,
  { view }: RenderRequest,
  { layer, conditions }: ShownLayer,
  tiles: readonly TileAddress[],
  { reach }: CompiledStyle,
): SummaryAsk {
  return { layer, conditions, piece, view, tiles, reach: Math.max(reach, 2) };
}

function askerOf({ db }: RenderParts, { caller, info, signal }: RenderRequest): CellAsker {
  return { db, caller, info, signal };
}

function asRenderError<T>(result: Result<T, DbError>): Result<T, RenderError> {
  return result.ok ? result : err({ kind: 'database', error: result.error });
}

async function readVisible(parts: RenderParts, request: RenderRequest, shown: ShownLayer, style: CompiledStyle): Found {
  const { layer, conditions } = shown;
  const { view, most } = request;
  const native = await parts.crs.find(layer.srid);
  if (!native.ok) return err({ kind: 'database', error: native.error });
  const box = native.value === undefined ? undefined : nativeBox(native.value, view, style.reach);
  if (box === undefined) return ok([]);
  const hasNames = style.layers.some((one) => one.type === 'symbol' && isShown(one, view.zoom));
  const plan = planFeatures(layer, view, box, style.columns, conditions, most, hasNames);
  const { caller, info, signal } = request;
  const options = { db: parts.db, caller, info, maxMs: MAX_QUERY_MS, ...(signal === undefined ? {} : { signal }) };
  const deepest = summaryTo(layer);
  const fewPass = shown.isFiltered ? await passFew(options, shown) : ok(false);
  if (!fewPass.ok) return err({ kind: 'database', error: fewPass.error });
  // A small picture of the whole world has a zoom below 0.
  if (fewPass.value || deepest < 0 || Math.floor(view.zoom + 1e-6) > deepest) {
    const read = await readFeatures(plan, options);
    if (!read.ok) return err({ kind: 'database', error: read.error });
    if (read.value !== undefined) return ok(read.value);
  }
  // Cells are those of web maps: a view that has no place on them shows the large features alone.
  const around = nativeBox(WEB_MERCATOR, view, style.reach);
  const tiles = around === undefined ? [] : tilesOfView(around, view.zoom, Math.max(deepest, 0));
  const ask = summaryAsk(parts, request, shown, tiles, style);
  const cells = await cellsInView(askerOf(parts, request), ask, splitColumns(layer, plan.columns));
  if (!cells.ok) return err({ kind: 'database', error: cells.error });
  if (!drawsLarge(layer)) return cells;
  const large = await readFeatures({ ...plan, summaryZoom: tiles[0]?.z ?? 0 }, options);
  if (!large.ok) return err({ kind: 'database', error: large.error });
  return ok([...(large.value ?? []), ...cells.value]);
}

/** As in tiles: if few features of the whole layer pass a filter, they are drawn as they are at every zoom. */
async function passFew(
  { db, caller, info, maxMs, signal }: ReadOptions,
  shown: ShownLayer,
): Promise<Result<boolean, DbError>> {
  const statements = [timeLimitAlone(maxMs), passingStatement(shown, FEW_PASSING)];
  const executed = await db.read(caller, info, statements, signal === undefined ? {} : { signal });
  return executed.ok ? ok(Number(executed.value[1]?.rows[0]?.[0]?.toString()) <= FEW_PASSING) : executed;
}

/** Where the view lies in a layer's own system, with room for symbols that reach into it; undefined: nowhere. */
function nativeBox(native: View['crs'], view: View, reach: number): Box | undefined {
  const margin = Math.max(reach, 2) / Math.min(view.width, view.height);
  const wide = growBox(view.box, margin);
  if (native.srid === view.crs.srid) return wide;
  const box = projectBox(makeProject(view.crs, native), wide);
  if (box === undefined) return undefined;
  // Between the places that were looked at, the edge may bulge.
  const grown = growBox(box, 0.03);
  if (!native.isGeographic) return grown;
  // Beyond the pole, and at it, most projections have nothing.
  const limit = view.crs.srid === 3857 ? 85.06 : 89.9;
  return [Math.max(-540, grown[0]), Math.max(-limit, grown[1]), Math.min(540, grown[2]), Math.min(limit, grown[3])];
}
