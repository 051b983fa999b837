// What the map service can do and which layers it has for the caller, page by page: a catalogue of thousands of layers is never
// held as one text. Both versions.

import { isNorthFirst } from '../../geo/axis-order.ts';
import { insideWorld, toMercator } from '../../geo/bbox.ts';
import type { Box } from '../../geo/projection.ts';
import { escapeXml } from '../../kernel/escape-xml.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import type { StyleName } from '../../layer-ports/style-store.ts';
import { scaleOfZoom } from '../summary/cell-width.ts';
import { summaryTo } from '../summary/shown.ts';
import { withQuery } from '../with-query.ts';
import { MAP_WORDS } from './map-words.ts';
import type { Language } from './reader-words.ts';
import type { WmsVersion } from './wms-fault.ts';
import { INFO_FORMATS, MAX_LAYERS, MAX_SIZE } from './wms-request.ts';

export type CapabilitiesPage = { readonly layers: readonly Layer[]; readonly styles: ReadonlyMap<number, StyleName> };

const IMAGES = ['image/png', 'image/jpeg', 'image/webp'];
/** Every layer can be asked for in these; in any other that the database knows, too. */
const COMMON = ['EPSG:3857', 'EPSG:4326', 'CRS:84'];

/** `address`: of the service, as clients are to ask it. */
export async function* writeCapabilities(
  version: WmsVersion,
  address: string,
  language: Language,
  pages: AsyncIterable<CapabilitiesPage>,
): AsyncGenerator<string> {
  const url = escapeXml(withQuery(address));
  yield version === '1.3.0' ? head130(url) : head111(url);
  for await (const { layers, styles } of pages)
    yield layers.map((layer) => writeLayer(version, url, language, layer, styles)).join('');
  yield version === '1.3.0'
    ? '</Layer></Capability></WMS_Capabilities>\n'
    : '</Layer></Capability></WMT_MS_Capabilities>\n';
}

function resource(url: string): string {
  return `<OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="${url}"/>`;
}

function request(name: string, formats: readonly string[], url: string): string {
  const listed = formats.map((format) => `<Format>${format}</Format>`).join('');
  const door = `<DCPType><HTTP><Get>${resource(url)}</Get><Post>${resource(url)}</Post></HTTP></DCPType>`;
  return `<${name}>${listed}${door}</${name}>`;
}

function head130(url: string): string {
  const systems = COMMON.map((name) => `<CRS>${name}</CRS>`).join('');
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:sld="http://www.opengis.net/sld" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wms http://schemas.opengis.net/wms/1.3.0/capabilities_1_3_0.xsd">' +
    `<Service><Name>WMS</Name><Title>Survest</Title><Abstract>Maps of the layers in the catalogue</Abstract>${resource(url)}<Fees>none</Fees><AccessConstraints>none</AccessConstraints><LayerLimit>${MAX_LAYERS}</LayerLimit><MaxWidth>${MAX_SIZE}</MaxWidth><MaxHeight>${MAX_SIZE}</MaxHeight></Service>` +
    `<Capability><Request>${request('GetCapabilities', ['text/xml'], url)}${request('GetMap', IMAGES, url)}${request('GetFeatureInfo', INFO_FORMATS, url)}${request('sld:GetLegendGraphic', IMAGES, url)}</Request>` +
    `<Exception><Format>XML</Format></Exception><Layer><Title>Survest</Title>${systems}<EX_GeographicBoundingBox><westBoundLongitude>-180</westBoundLongitude><eastBoundLongitude>180</eastBoundLongitude><southBoundLatitude>-90</southBoundLatitude><northBoundLatitude>90</northBoundLatitude></EX_GeographicBoundingBox>`
  );
}

function head111(url: string): string {
  const systems = COMMON.filter((name) => name.startsWith('EPSG'))
    .map((name) => `<SRS>${name}</SRS>`)
    .join('');
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!DOCTYPE WMT_MS_Capabilities SYSTEM "http://schemas.opengis.net/wms/1.1.1/capabilities_1_1_1.dtd">\n<WMT_MS_Capabilities version="1.1.1">' +
    `<Service><Name>OGC:WMS</Name><Title>Survest</Title><Abstract>Maps of the layers in the catalogue</Abstract>${resource(url)}<Fees>none</Fees><AccessConstraints>none</AccessConstraints></Service>` +
    `<Capability><Request>${request('GetCapabilities', ['application/vnd.ogc.wms_xml'], url)}${request('GetMap', IMAGES, url)}${request('GetFeatureInfo', INFO_FORMATS, url)}${request('GetLegendGraphic', IMAGES, url)}</Request>` +
    `<Exception><Format>application/vnd.ogc.se_xml</Format></Exception><UserDefinedSymbolization SupportSLD="1" UserLayer="0" UserStyle="1" RemoteWFS="0"/>` +
    `<Layer><Title>Survest</Title>${systems}<LatLonBoundingBox minx="-180" miny="-90" maxx="180" maxy="90"/>`
  );
}

function writeLayer(
  version: WmsVersion,
  url: string,
  language: Language,
  layer: Layer,
  styles: ReadonlyMap<number, StyleName>,
): string {
  const is130 = version === '1.3.0';
  const own = layer.crs.startsWith('EPSG:') && !COMMON.includes(layer.crs) ? layer.crs : undefined;
  const system = is130 ? 'CRS' : 'SRS';
  const keywords =
    layer.keywords.length === 0
      ? ''
      : `<KeywordList>${layer.keywords.map((word) => `<Keyword>${escapeXml(word)}</Keyword>`).join('')}</KeywordList>`;
  const attribution =
    layer.attribution === null || layer.attribution === ''
      ? ''
      : `<Attribution><Title>${escapeXml(layer.attribution)}</Title></Attribution>`;
  const isTimed = layer.kind === 'vector' && layer.timeColumn !== undefined;
  return (
    `<Layer queryable="1" opaque="0"><Name>${escapeXml(layer.alternate)}</Name><Title>${escapeXml(layer.title)}</Title>` +
    `${about(layer, language)}${keywords}` +
    `${own === undefined ? '' : `<${system}>${escapeXml(own)}</${system}>`}${layer.extent === undefined ? '' : boxes(is130, layer, layer.extent)}` +
    `${isTimed ? timeDimension(is130, layer) : ''}${attribution}${orderedStyles(layer)
      .map((id) => writeStyle(url, layer, styles.get(id)))
      .join('')}</Layer>`
  );
}

/** What is known of the layer, and up to which scale maps of it show cells. */
function about(layer: Layer, language: Language): string {
  const deepest = layer.kind === 'vector' ? summaryTo(layer) : -1;
  const scale = Number(scaleOfZoom(deepest + 1).toPrecision(2));
  const note = MAP_WORDS[language].summarised(scale.toLocaleString(language));
  const parts = [...(layer.abstract === '' ? [] : [layer.abstract]), ...(deepest < 0 ? [] : [note])];
  return parts.length === 0 ? '' : `<Abstract>${escapeXml(parts.join(' '))}</Abstract>`;
}

/** The default one first: that is what clients take it for. */
function orderedStyles({ styles, defaultStyle }: Layer): readonly number[] {
  if (defaultStyle === undefined) return styles;
  return [defaultStyle, ...styles.filter((id) => id !== defaultStyle)];
}

function boxes(is130: boolean, { crs }: Layer, { native, wgs84 }: NonNullable<Layer['extent']>): string {
  // The schemas end at 180°; the boxes below say where the layer is drawn.
  const [west, south, east, north] = insideWorld(wgs84);
  const whole = is130
    ? `<EX_GeographicBoundingBox><westBoundLongitude>${west}</westBoundLongitude><eastBoundLongitude>${east}</eastBoundLongitude><southBoundLatitude>${south}</southBoundLatitude><northBoundLatitude>${north}</northBoundLatitude></EX_GeographicBoundingBox>`
    : `<LatLonBoundingBox minx="${west}" miny="${south}" maxx="${east}" maxy="${north}"/>`;
  const box = (name: string, edges: Box): string => {
    const srid = Number(name.slice(name.indexOf(':') + 1));
    const [a, b, c, d] =
      is130 && name.startsWith('EPSG:') && isNorthFirst(srid) ? [edges[1], edges[0], edges[3], edges[2]] : edges;
    return `<BoundingBox ${is130 ? 'CRS' : 'SRS'}="${escapeXml(name)}" minx="${a}" miny="${b}" maxx="${c}" maxy="${d}"/>`;
  };
  const list = [
    ...(is130 ? [box('CRS:84', wgs84)] : []),
    ...(crs === 'EPSG:4326' ? [] : [box('EPSG:4326', wgs84)]),
    // Clients that cannot calculate it themselves take the layer for unusable in web maps.
    ...(crs === 'EPSG:3857' ? [] : [box('EPSG:3857', toMercator(wgs84))]),
    ...(crs.startsWith('EPSG:') ? [box(crs, native)] : []),
  ];
  return whole + list.join('');
}

function timeDimension(is130: boolean, { interval }: Layer): string {
  const [start = null, end = null] = interval ?? [];
  const extent = start === null || end === null ? '' : `${escapeXml(start)}/${escapeXml(end)}/PT1S`;
  return is130
    ? `<Dimension name="time" units="ISO8601">${extent}</Dimension>`
    : `<Dimension name="time" units="ISO8601"/><Extent name="time">${extent}</Extent>`;
}

function writeStyle(url: string, { alternate }: Layer, style: StyleName | undefined): string {
  if (style === undefined) return '';
  const legend = `${url}SERVICE=WMS&#38;VERSION=1.1.1&#38;REQUEST=GetLegendGraphic&#38;FORMAT=image/png&#38;LAYER=${escapeXml(encodeURIComponent(alternate))}&#38;STYLE=${escapeXml(encodeURIComponent(style.name))}`;
  return (
    `<Style><Name>${escapeXml(style.name)}</Name><Title>${escapeXml(style.title ?? style.name)}</Title>` +
    `<LegendURL width="200" height="40"><Format>image/png</Format>${resource(legend)}</LegendURL></Style>`
  );
}
