// What was found at a place → GeoJSON, GML 2, text or a page. Pure.

import type { GeoGeometry } from '../../geo/geojson.ts';
import { cleanHtml } from '../../geo/presentation/clean-html.ts';
import type { ColumnFormat } from '../../geo/presentation/column-format.ts';
import { fillHtml, fillText, shownHtml } from '../../geo/presentation/fill-template.ts';
import { type Popup, USUAL_POPUP } from '../../geo/presentation/presentation.ts';
import { type ReaderWords, type Shown, showValue } from '../../geo/presentation/show-value.ts';
import { escapeXml } from '../../kernel/escape-xml.ts';
import { exactDigits, exactText, writeExact } from '../../kernel/exact-numbers.ts';
import { shownColumns } from '../columns/shown-columns.ts';
import type { FoundFeature } from './feature-info.ts';
import { writeInfoGml } from './info-gml.ts';
import { FIRST_OWN_SRID, type InfoFormat, shortCrs } from './wms-request.ts';

/** `srid`: of the system that the geometries are in. `words` and `popups`: of the page, which shows features as people are to see them; the others have values as they are. */
export function writeInfo(
  features: readonly FoundFeature[],
  format: InfoFormat,
  srid: number,
  words: ReaderWords,
  /** By the id of the layer. */
  popups: ReadonlyMap<number, Popup>,
): string {
  switch (format) {
    case 'application/json':
      return writeExact({
        type: 'FeatureCollection',
        features: features.map(({ layer, id, geometry, properties }) => ({
          type: 'Feature',
          id: id === '' ? layer.name : `${layer.name}.${id}`,
          geometry: geometry === undefined ? null : (JSON.parse(geometry) as GeoGeometry),
          properties,
        })),
        numberReturned: features.length,
        crs: { type: 'name', properties: { name: geojsonCrs(srid) } },
      });
    case 'application/vnd.ogc.gml':
    case 'text/xml':
      return writeInfoGml(features, srid);
    case 'text/plain':
      return features.length === 0 ? 'No features were found.\n' : features.map(asText).join('\n');
    case 'text/html':
      return `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>Features</title></head><body>${features.map((feature) => asPage(feature, popups.get(feature.layer.id) ?? USUAL_POPUP, words)).join('')}</body></html>\n`;
  }
}

/** Formats that show where a feature is. */
export function hasGeometry(format: InfoFormat): boolean {
  return format !== 'text/plain' && format !== 'text/html';
}

/** Positions in GeoJSON have x first, so degrees are those of CRS84. */
function geojsonCrs(srid: number): string {
  if (srid === 4326) return 'urn:ogc:def:crs:OGC:1.3:CRS84';
  return srid < FIRST_OWN_SRID ? `urn:ogc:def:crs:EPSG::${srid}` : shortCrs(srid);
}

function asText({ layer, id, properties }: FoundFeature): string {
  const lines = Object.entries(properties).map(([name, value]) => `${name} = ${exactText(value)}`);
  return `Results for '${layer.alternate}'${id === '' ? '' : `, feature ${id}`}:\n${lines.join('\n')}\n`;
}

/** What a click on a map of ours opens, without its charts. */
function asPage({ layer, id, properties }: FoundFeature, popup: Popup, words: ReaderWords): string {
  const columns =
    layer.kind === 'raster' ? [] : layer.columns.map(({ name, look }) => ({ name, format: look?.format }));
  const row = Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, exactDigits(value) ?? value] as const),
  );
  const title =
    popup.title === '' ? `${layer.title}${id === '' ? '' : ` ${id}`}` : fillText(popup.title, row, columns, words);
  if (popup.kind === 'template')
    return `<div><h2>${escapeXml(title)}</h2>${cleanHtml(fillHtml(popup.template, row, columns, words))}</div>`;
  const rows = shownOf(layer, properties, popup.columns).map(([name, label, format]) => {
    const shown = showValue(row[name], { name, format }, words);
    return `<tr><th>${escapeXml(label)}</th><td>${cellHtml(shown)}</td></tr>`;
  });
  return `<table><caption>${escapeXml(title)}</caption>${rows.join('')}</table>`;
}

/** Pixels have values that no column describes. */
function shownOf(
  layer: FoundFeature['layer'],
  properties: FoundFeature['properties'],
  chosen: readonly string[] | undefined,
): readonly (readonly [name: string, label: string, format: ColumnFormat | undefined])[] {
  if (layer.kind === 'raster') return Object.keys(properties).map((name) => [name, name, undefined] as const);
  const listed =
    chosen === undefined
      ? shownColumns(layer.columns)
      : chosen.flatMap((name) => layer.columns.find((one) => one.name === name) ?? []);
  return listed
    .filter(({ name }) => Object.hasOwn(properties, name))
    .map(({ name, label, look }) => [name, label || name, look?.format] as const);
}

/** The page loads nothing, no pictures either. */
const cellHtml = (shown: Shown): string =>
  shownHtml(shown.kind === 'picture' ? { kind: 'link', to: shown.from, text: shown.text || '…' } : shown);
