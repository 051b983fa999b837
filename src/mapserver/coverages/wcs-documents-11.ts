// What the coverage service says of itself and of its coverages in versions 1.1.x, as far as GDAL and QGIS ask. Pure.

import { isNorthFirst } from '../../geo/axis-order.ts';
import type { RasterLayer } from '../../layer-ports/layer.ts';
import { withQuery } from '../with-query.ts';
import { escapeXml } from '../xml-text.ts';
import { type Coverage, coverageName } from './coverage.ts';
import { ordered } from './coverage-grid.ts';
import type { WcsVersion } from './wcs-fault.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
/** Version 1.1.1 has a namespace of its own, 1.1.0 and 1.1.2 share one. */
function namespaceOf(version: WcsVersion): string {
  return `http://www.opengis.net/wcs/${version === '1.1.1' ? '1.1.1' : '1.1'}`;
}

function namesOf(version: WcsVersion): string {
  const wcs = namespaceOf(version);
  return `xmlns="${wcs}" xmlns:wcs="${wcs}" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`;
}

/** Names of systems that version 1.1 goes by. */
function urnOf(srid: number): string {
  return srid >= 960_000 ? `SURVEST:${srid}` : `urn:ogc:def:crs:EPSG::${srid}`;
}

export async function* capabilities11(
  version: WcsVersion,
  url: string,
  pages: AsyncIterable<readonly RasterLayer[]>,
): AsyncGenerator<string> {
  const operation = (name: string, parameters = ''): string =>
    `<ows:Operation name="${name}"><ows:DCP><ows:HTTP><ows:Get xlink:href="${escapeXml(withQuery(url))}"/></ows:HTTP></ows:DCP>${parameters}</ows:Operation>`;
  const parameter = (name: string, ...values: readonly string[]): string =>
    `<ows:Parameter name="${name}"><ows:AllowedValues>${values.map((value) => `<ows:Value>${value}</ows:Value>`).join('')}</ows:AllowedValues></ows:Parameter>`;
  yield `${HEAD}<Capabilities ${namesOf(version)} version="${version}"><ows:ServiceIdentification><ows:Title>Coverages</ows:Title><ows:ServiceType>WCS</ows:ServiceType><ows:ServiceTypeVersion>${version}</ows:ServiceTypeVersion><ows:Fees>NONE</ows:Fees><ows:AccessConstraints>NONE</ows:AccessConstraints></ows:ServiceIdentification><ows:ServiceProvider><ows:ProviderName>Survest</ows:ProviderName><ows:ServiceContact/></ows:ServiceProvider><ows:OperationsMetadata>${operation('GetCapabilities')}${operation('DescribeCoverage')}${operation('GetCoverage', `${parameter('format', 'image/tiff', 'image/png')}${parameter('store', 'false')}`)}</ows:OperationsMetadata><Contents>`;
  for await (const layers of pages) yield layers.map(summary).join('');
  yield '</Contents></Capabilities>\n';
}

function wgs84(layer: RasterLayer): string {
  const [west, south, east, north] = layer.extent?.wgs84 ?? [];
  if (west === undefined) return '';
  return `<ows:WGS84BoundingBox><ows:LowerCorner>${west} ${south}</ows:LowerCorner><ows:UpperCorner>${east} ${north}</ows:UpperCorner></ows:WGS84BoundingBox>`;
}

function summary(layer: RasterLayer): string {
  return `<CoverageSummary><ows:Title>${escapeXml(layer.title)}</ows:Title><ows:Abstract>${escapeXml(layer.abstract)}</ows:Abstract>${wgs84(layer)}${systems(layer.srid)}<SupportedFormat>image/tiff</SupportedFormat><Identifier>${escapeXml(coverageName(layer))}</Identifier></CoverageSummary>`;
}

function systems(srid: number): string {
  return [...new Set([srid, 4326, 3857])].map((one) => `<SupportedCRS>${urnOf(one)}</SupportedCRS>`).join('');
}

export function descriptions11(version: WcsVersion, coverages: readonly Coverage[]): string {
  return `${HEAD}<CoverageDescriptions ${namesOf(version)}>${coverages.map(description).join('')}</CoverageDescriptions>\n`;
}

function description({ layer, grid, bands }: Coverage): string {
  const urn = urnOf(layer.srid);
  const axes = { isNorthFirst: layer.srid < 960_000 && isNorthFirst(layer.srid) };
  const [xmin, ymin, xmax, ymax] = grid.box;
  const at = (x: number, y: number): string => ordered(axes, x, y);
  const corners = (srs: string, low: string, high: string): string =>
    `<ows:BoundingBox crs="${srs}" dimensions="2"><ows:LowerCorner>${low}</ows:LowerCorner><ows:UpperCorner>${high}</ows:UpperCorner></ows:BoundingBox>`;
  const offsets = axes.isNorthFirst ? `0 ${-grid.dy} ${grid.dx} 0` : `${grid.dx} 0 0 ${-grid.dy}`;
  const nothing = bands[0]?.nodata;
  // The box in pixels ends behind the last one, and offsets of systems with north first are turned: as GeoServer writes them and GDAL
  // reads them.
  return `<CoverageDescription><ows:Title>${escapeXml(layer.title)}</ows:Title><ows:Abstract>${escapeXml(layer.abstract)}</ows:Abstract><Identifier>${escapeXml(coverageName(layer))}</Identifier><Domain><SpatialDomain>${corners('urn:ogc:def:crs:OGC::imageCRS', '0 0', `${grid.width} ${grid.height}`)}${corners(urn, at(xmin, ymin), at(xmax, ymax))}${wgs84(layer)}<GridCRS><GridBaseCRS>${urn}</GridBaseCRS><GridType>urn:ogc:def:method:WCS:1.1:2dGridIn2dCrs</GridType><GridOrigin>${at(xmin + grid.dx / 2, ymax - grid.dy / 2)}</GridOrigin><GridOffsets>${offsets}</GridOffsets><GridCS>urn:ogc:def:cs:OGC:0.0:Grid2dSquareCS</GridCS></GridCRS></SpatialDomain></Domain><Range><Field><Identifier>contents</Identifier><Definition><ows:AnyValue/></Definition>${nothing === null || nothing === undefined ? '' : `<NullValue>${nothing}</NullValue>`}<InterpolationMethods><InterpolationMethod>nearest</InterpolationMethod><Default>nearest</Default></InterpolationMethods><Axis identifier="bands"><AvailableKeys>${bands.map((_, i) => `<Key>${i + 1}</Key>`).join('')}</AvailableKeys></Axis></Field></Range>${systems(layer.srid)}<SupportedFormat>image/tiff</SupportedFormat><SupportedFormat>image/png</SupportedFormat></CoverageDescription>`;
}

const BOUNDARY = 'wcs-part';

/** An answer in 1.1 is a document that names the picture, and the picture. */
export function multipart11(
  version: WcsVersion,
  layer: RasterLayer,
  image: Buffer,
  type: string,
): { type: string; body: Buffer } {
  const name = `coverage/${encodeURIComponent(layer.name)}.${type === 'image/png' ? 'png' : 'tif'}`;
  const xml = `${HEAD}<Coverages xmlns="${namespaceOf(version)}" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink"><Coverage><ows:Title>${escapeXml(layer.title)}</ows:Title><Identifier>${escapeXml(coverageName(layer))}</Identifier><Reference xlink:href="cid:${name}" xlink:role="urn:ogc:def:role:WCS:1.1:coverage"/></Coverage></Coverages>\n`;
  const head = `--${BOUNDARY}\r\nContent-Type: text/xml; charset=utf-8\r\nContent-ID: wcs.xml\r\n\r\n${xml}\r\n--${BOUNDARY}\r\nContent-Type: ${type}\r\nContent-Description: coverage data\r\nContent-Transfer-Encoding: binary\r\nContent-ID: ${name}\r\nContent-Disposition: INLINE\r\n\r\n`;
  return {
    type: `multipart/mixed; boundary=${BOUNDARY}`,
    body: Buffer.concat([Buffer.from(head), image, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
  };
}
