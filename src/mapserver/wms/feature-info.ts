// A place in a map → what lies there, layer by layer: rows of vector layers, numbers of rasters.

import type { Caller } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import type { Filter } from '../../geo/cql/cql.ts';
import { growBox, makeProject, projectBox } from '../../geo/projection.ts';
import type { View } from '../../geo/view.ts';
import { parseExact } from '../../kernel/exact-numbers.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer, VectorLayer } from '../../layer-ports/layer.ts';
import type { BatchResult } from '../../pg/driver.ts';
import type { MapContext } from '../map-context.ts';
import type { ReadyStyle } from '../pictures/map-renderer.ts';
import { featureInfoStatement } from '../query/feature-info-sql.ts';
import { timeLimit } from '../query/layer-sql.ts';
import { shownRows } from '../query/shown-rows.ts';
import type { TimeSpan } from '../query/time-sql.ts';
import type { RasterReader } from '../raster/raster-reader.ts';
import type { CrsRegistry } from '../render/crs-registry.ts';
import type { RenderError } from '../render/render-map.ts';

export type FoundFeature = {
  readonly layer: Layer;
  readonly id: string;
  /** GeoJSON text, in the system of the view. */
  readonly geometry: string | undefined;
  /** With the digits of long numbers, as `parseExact` has them. */
  readonly properties: Readonly<Record<string, unknown>>;
};

export type InfoQuery = {
  readonly view: View;
  /** Middle of the pixel. */
  readonly x: number;
  readonly y: number;
  readonly buffer: number | undefined;
  readonly count: number;
  readonly time: TimeSpan | undefined;
  /** The format has a place for it. */
  readonly hasGeometry: boolean;
};

const MAX_MS = 10_000;
/** As which PostGIS reports what PROJ and GEOS cannot do. */
const INTERNAL_ERROR = 'XX000';

export async function findFeatures(
  context: MapContext,
  rasters: RasterReader,
  crs: CrsRegistry,
  caller: Caller,
  info: RequestInfo,
  layer: Layer,
  style: ReadyStyle,
  filter: Filter | undefined,
  query: InfoQuery,
): Promise<Result<readonly FoundFeature[], RenderError>> {
  if (layer.kind === 'raster') return rasterValues(rasters, layer, query);
  const passing = shownRows(layer, query.time, filter);
  if (!passing.ok) return err({ kind: 'bad-filter', layer: layer.name, said: passing.error.said });
  const native = await crs.find(layer.srid);
  if (!native.ok) return err({ kind: 'database', error: native.error });
  const box = native.value === undefined ? undefined : placeOf(native.value, layer, style, query);
  if (box === undefined) return ok([]);
  // Who may not download the layer looks at one feature at a time: a hundred around each place would be the whole of it.
  const may = query.count === 1 ? ok(false) : await context.layers.may(caller, info, layer.id, 'download_resourcebase');
  if (!may.ok && may.error.kind === 'database') return err(may.error);
  const count = may.ok && may.value ? query.count : 1;
  const ask = (within: View['box'] | undefined): Promise<BatchResult> => {
    const geometry = query.hasGeometry ? { crs: query.view.crs, within } : undefined;
    const statement = featureInfoStatement(layer, box, count, passing.value, geometry);
    return context.db.read(caller, info, [timeLimit(MAX_MS), statement]);
  };
  let executed = await ask(undefined);
  // What reaches further than the view's system does (Antarctica, in web maps) cannot be transformed whole: the part in view can.
  if (
    !executed.ok &&
    executed.error.kind === 'sql' &&
    executed.error.sqlstate === INTERNAL_ERROR &&
    query.hasGeometry
  ) {
    const seen = projectBox(makeProject(query.view.crs, native.value ?? query.view.crs), query.view.box);
    if (seen !== undefined) executed = await ask(growBox(seen, 0.05));
  }
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  return ok(
    (executed.value[1]?.rows ?? []).map(([id, geometry, properties]) => ({
      layer,
      id: id?.toString() ?? '',
      geometry: geometry?.toString(),
      properties: parseExact(properties?.toString() ?? '{}') as Record<string, unknown>,
    })),
  );
}

async function rasterValues(
  rasters: RasterReader,
  layer: Extract<Layer, { kind: 'raster' }>,
  { view, x, y }: InfoQuery,
): Promise<Result<readonly FoundFeature[], RenderError>> {
  const values = await rasters.valuesAt(layer, view, x, y);
  if (!values.ok) return values;
  if (values.value === undefined) return ok([]);
  const properties = Object.fromEntries(values.value.map((value, i) => [`band_${i + 1}`, value]));
  return ok([{ layer, id: '', geometry: undefined, properties }]);
}

/** As far around the place as the symbols reach: people click on what they see. */
function placeOf(
  native: View['crs'],
  layer: VectorLayer,
  style: ReadyStyle,
  { view, x, y, buffer }: InfoQuery,
): View['box'] | undefined {
  const usual = layer.geometry.kind === 'polygon' ? 0.5 : Math.max(4, Math.min(24, style.compiled.reach));
  const reach = buffer ?? usual;
  const [xmin, , , ymax] = view.box;
  const [px, py] = [(view.box[2] - xmin) / view.width, (ymax - view.box[1]) / view.height];
  const around = Math.max(0.5, reach);
  const box = [
    xmin + (x - around) * px,
    ymax - (y + around) * py,
    xmin + (x + around) * px,
    ymax - (y - around) * py,
  ] as const;
  return projectBox(makeProject(view.crs, native), box);
}
