// A place in a map → what lies there, layer by layer, and that as JSON, text or a page.

import type { Caller } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import { makeProject, projectBox } from '../../geo/projection.ts';
import { escapeXml } from '../../geo/style/xml-tree.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Layer, VectorLayer } from '../../layers/layer.ts';
import { timeLimit } from '../layers/layer-sql.ts';
import type { MapContext } from '../map-context.ts';
import type { RasterReader } from '../raster/raster-reader.ts';
import type { CrsRegistry } from '../render/crs-registry.ts';
import type { TimeSpan } from '../render/feature-sql.ts';
import type { ReadyStyle } from '../render/map-renderer.ts';
import type { RenderError } from '../render/render-map.ts';
import type { View } from '../render/view.ts';
import { featureInfoStatement } from './feature-info-sql.ts';
import type { InfoFormat } from './wms-request.ts';

export type FoundFeature = {
  readonly layer: Layer;
  readonly id: string;
  /** GeoJSON text. */
  readonly geometry: string | undefined;
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
};

const MAX_MS = 10_000;

export async function findFeatures(
  context: MapContext,
  rasters: RasterReader,
  crs: CrsRegistry,
  caller: Caller,
  info: RequestInfo,
  layer: Layer,
  style: ReadyStyle,
  query: InfoQuery,
): Promise<Result<readonly FoundFeature[], RenderError>> {
  if (layer.kind === 'raster') return rasterValues(rasters, layer, query);
  const native = await crs.find(layer.srid);
  if (!native.ok) return err({ kind: 'database', error: native.error });
  const box = native.value === undefined ? undefined : placeOf(native.value, layer, style, query);
  if (box === undefined) return ok([]);
  const flown = await context.db.read(caller, info, [
    timeLimit(MAX_MS),
    featureInfoStatement(layer, box, query.count, query.time),
  ]);
  if (!flown.ok) return err({ kind: 'database', error: flown.error });
  return ok(
    (flown.value[1]?.rows ?? []).map(([id, geometry, properties]) => ({
      layer,
      id: id?.toString() ?? '',
      geometry: geometry?.toString(),
      properties: JSON.parse(properties?.toString() ?? '{}') as Record<string, unknown>,
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

export function writeInfo(features: readonly FoundFeature[], format: InfoFormat): string {
  switch (format) {
    case 'application/json':
      return JSON.stringify({
        type: 'FeatureCollection',
        features: features.map(({ layer, id, geometry, properties }) => ({
          type: 'Feature',
          id: id === '' ? layer.name : `${layer.name}.${id}`,
          geometry: geometry === undefined ? null : JSON.parse(geometry),
          properties,
        })),
        numberReturned: features.length,
      });
    case 'text/plain':
      return features.length === 0 ? 'No features were found.\n' : features.map(asText).join('\n');
    case 'text/html':
      return `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>Features</title></head><body>${features.map(asTable).join('')}</body></html>\n`;
  }
}

function asText({ layer, id, properties }: FoundFeature): string {
  const lines = Object.entries(properties).map(([name, value]) => `${name} = ${textOf(value)}`);
  return `Results for '${layer.alternate}'${id === '' ? '' : `, feature ${id}`}:\n${lines.join('\n')}\n`;
}

function asTable({ layer, id, properties }: FoundFeature): string {
  const labels = new Map(layer.kind === 'vector' ? layer.columns.map(({ name, label }) => [name, label ?? name]) : []);
  const rows = Object.entries(properties).map(
    ([name, value]) => `<tr><th>${escapeXml(labels.get(name) ?? name)}</th><td>${escapeXml(textOf(value))}</td></tr>`,
  );
  return `<table><caption>${escapeXml(layer.title)}${id === '' ? '' : ` ${escapeXml(id)}`}</caption>${rows.join('')}</table>`;
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}
