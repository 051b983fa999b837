// What the coverage service says of itself and of its coverages in version 1.0.0, as far as GDAL and QGIS ask. East comes first. Pure.

import type { RasterLayer } from '../../layer-ports/layer.ts';
import { withQuery } from '../with-query.ts';
import { escapeXml } from '../xml-text.ts';
import { type Coverage, coverageName } from './coverage.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMES =
  'xmlns="http://www.opengis.net/wcs" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0"';

function shortName(srid: number): string {
  return `${srid >= 960_000 ? 'SURVEST' : 'EPSG'}:${srid}`;
}

export async function* capabilities10(
  url: string,
  pages: AsyncIterable<readonly RasterLayer[]>,
): AsyncGenerator<string> {
  const http = `<DCPType><HTTP><Get><OnlineResource xlink:href="${escapeXml(withQuery(url))}"/></Get></HTTP></DCPType>`;
  yield `${HEAD}<WCS_Capabilities ${NAMES}><Service><name>WCS</name><label>Coverages</label><fees>NONE</fees><accessConstraints>NONE</accessConstraints></Service><Capability><Request>${['GetCapabilities', 'DescribeCoverage', 'GetCoverage'].map((name) => `<${name}>${http}</${name}>`).join('')}</Request><Exception><Format>application/vnd.ogc.se_xml</Format></Exception></Capability><ContentMetadata>`;
  for await (const layers of pages) yield layers.map(brief).join('');
  yield '</ContentMetadata></WCS_Capabilities>\n';
}

function named(layer: RasterLayer): string {
  const [west = -180, south = -90, east = 180, north = 90] = layer.extent?.wgs84 ?? [];
  return `<description>${escapeXml(layer.abstract)}</description><name>${escapeXml(coverageName(layer))}</name><label>${escapeXml(layer.title)}</label><lonLatEnvelope srsName="urn:ogc:def:crs:OGC:1.3:CRS84"><gml:pos>${west} ${south}</gml:pos><gml:pos>${east} ${north}</gml:pos></lonLatEnvelope>`;
}

function brief(layer: RasterLayer): string {
  return `<CoverageOfferingBrief>${named(layer)}</CoverageOfferingBrief>`;
}

export function descriptions10(coverages: readonly Coverage[]): string {
  return `${HEAD}<CoverageDescription ${NAMES}>${coverages.map(offering).join('')}</CoverageDescription>\n`;
}

function offering({ layer, grid, bands }: Coverage): string {
  const srs = shortName(layer.srid);
  const [xmin, ymin, xmax, ymax] = grid.box;
  const nothing = bands[0]?.nodata;
  const systems = [...new Set([layer.srid, 4326, 3857])].map(shortName);
  return `<CoverageOffering>${named(layer)}<domainSet><spatialDomain><gml:Envelope srsName="${srs}"><gml:pos>${xmin} ${ymin}</gml:pos><gml:pos>${xmax} ${ymax}</gml:pos></gml:Envelope><gml:RectifiedGrid dimension="2" srsName="${srs}"><gml:limits><gml:GridEnvelope><gml:low>0 0</gml:low><gml:high>${grid.width - 1} ${grid.height - 1}</gml:high></gml:GridEnvelope></gml:limits><gml:axisName>x</gml:axisName><gml:axisName>y</gml:axisName><gml:origin><gml:pos>${xmin + grid.dx / 2} ${ymax - grid.dy / 2}</gml:pos></gml:origin><gml:offsetVector>${grid.dx} 0</gml:offsetVector><gml:offsetVector>0 ${-grid.dy}</gml:offsetVector></gml:RectifiedGrid></spatialDomain></domainSet><rangeSet><RangeSet><name>bands</name><label>Bands</label><axisDescription><AxisDescription><name>bands</name><label>Bands</label><values>${bands.map((_, i) => `<singleValue>${i + 1}</singleValue>`).join('')}</values></AxisDescription></axisDescription>${nothing === null || nothing === undefined ? '' : `<nullValues><singleValue>${nothing}</singleValue></nullValues>`}</RangeSet></rangeSet><supportedCRSs>${systems.map((name) => `<requestResponseCRSs>${name}</requestResponseCRSs>`).join('')}<nativeCRSs>${srs}</nativeCRSs></supportedCRSs><supportedFormats nativeFormat="GeoTIFF"><formats>GeoTIFF</formats><formats>image/png</formats></supportedFormats><supportedInterpolations default="nearest neighbor"><interpolationMethod>nearest neighbor</interpolationMethod></supportedInterpolations></CoverageOffering>`;
}
