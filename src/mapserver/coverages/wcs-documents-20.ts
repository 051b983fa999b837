// What the coverage service says of itself and of its coverages in version 2.0.1. Pure.

import type { RasterLayer } from '../../layer-ports/layer.ts';
import { withQuery } from '../with-query.ts';
import { escapeXml } from '../xml-text.ts';
import { type Coverage, coverageId } from './coverage.ts';
import { ordered } from './coverage-grid.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMES =
  'xmlns:wcs="http://www.opengis.net/wcs/2.0" xmlns:ows="http://www.opengis.net/ows/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:gmlcov="http://www.opengis.net/gmlcov/1.0" xmlns:swe="http://www.opengis.net/swe/2.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:crs="http://www.opengis.net/wcs/service-extension/crs/1.0"';
const SCHEMA = 'xsi:schemaLocation="http://www.opengis.net/wcs/2.0 http://schemas.opengis.net/wcs/2.0/wcsAll.xsd"';

const PROFILES: readonly string[] = [
  'http://www.opengis.net/spec/WCS/2.0/conf/core',
  'http://www.opengis.net/spec/WCS_protocol-binding_get-kvp/1.0/conf/get-kvp',
  'http://www.opengis.net/spec/WCS_protocol-binding_post-xml/1.0/conf/post-xml',
  'http://www.opengis.net/spec/WCS_service-extension_crs/1.0/conf/crs',
  'http://www.opengis.net/spec/WCS_service-extension_scaling/1.0/conf/scaling',
  'http://www.opengis.net/spec/WCS_service-extension_range-subsetting/1.0/conf/record-subsetting',
  'http://www.opengis.net/spec/GMLCOV_geotiff-coverages/1.0/conf/geotiff-coverage',
];

/** In which every coverage can be had, besides its own. */
const COMMON_CRS: readonly number[] = [4326, 3857];

export async function* capabilities20(
  url: string,
  pages: AsyncIterable<readonly RasterLayer[]>,
): AsyncGenerator<string> {
  const operation = (name: string): string =>
    `<ows:Operation name="${name}"><ows:DCP><ows:HTTP><ows:Get xlink:href="${escapeXml(withQuery(url))}"/><ows:Post xlink:href="${escapeXml(url)}"><ows:Constraint name="PostEncoding"><ows:AllowedValues><ows:Value>XML</ows:Value></ows:AllowedValues></ows:Constraint></ows:Post></ows:HTTP></ows:DCP></ows:Operation>`;
  yield `${HEAD}<wcs:Capabilities ${NAMES} ${SCHEMA} version="2.0.1"><ows:ServiceIdentification><ows:Title>Coverages</ows:Title><ows:ServiceType>OGC WCS</ows:ServiceType><ows:ServiceTypeVersion>2.0.1</ows:ServiceTypeVersion><ows:ServiceTypeVersion>1.1.1</ows:ServiceTypeVersion><ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion>${PROFILES.map((profile) => `<ows:Profile>${profile}</ows:Profile>`).join('')}<ows:Fees>NONE</ows:Fees><ows:AccessConstraints>NONE</ows:AccessConstraints></ows:ServiceIdentification><ows:ServiceProvider><ows:ProviderName>Survest</ows:ProviderName><ows:ServiceContact/></ows:ServiceProvider><ows:OperationsMetadata>${['GetCapabilities', 'DescribeCoverage', 'GetCoverage'].map(operation).join('')}</ows:OperationsMetadata><wcs:ServiceMetadata><wcs:formatSupported>image/tiff</wcs:formatSupported><wcs:formatSupported>image/png</wcs:formatSupported><wcs:Extension><crs:CrsMetadata>${COMMON_CRS.map((srid) => `<crs:crsSupported>http://www.opengis.net/def/crs/EPSG/0/${srid}</crs:crsSupported>`).join('')}</crs:CrsMetadata></wcs:Extension></wcs:ServiceMetadata><wcs:Contents>`;
  for await (const layers of pages) yield layers.map(summary).join('');
  yield '</wcs:Contents></wcs:Capabilities>\n';
}

function summary(layer: RasterLayer): string {
  const keywords =
    layer.keywords.length === 0
      ? ''
      : `<ows:Keywords>${layer.keywords.map((word) => `<ows:Keyword>${escapeXml(word)}</ows:Keyword>`).join('')}</ows:Keywords>`;
  const [west, south, east, north] = layer.extent?.wgs84 ?? [];
  const box =
    west === undefined
      ? ''
      : `<ows:WGS84BoundingBox><ows:LowerCorner>${west} ${south}</ows:LowerCorner><ows:UpperCorner>${east} ${north}</ows:UpperCorner></ows:WGS84BoundingBox>`;
  return `<wcs:CoverageSummary><ows:Title>${escapeXml(layer.title)}</ows:Title><ows:Abstract>${escapeXml(layer.abstract)}</ows:Abstract>${keywords}${box}<wcs:CoverageId>${escapeXml(coverageId(layer))}</wcs:CoverageId><wcs:CoverageSubtype>RectifiedGridCoverage</wcs:CoverageSubtype></wcs:CoverageSummary>`;
}

export function descriptions20(coverages: readonly Coverage[]): string {
  return `${HEAD}<wcs:CoverageDescriptions ${NAMES} ${SCHEMA}>${coverages.map(description).join('')}</wcs:CoverageDescriptions>\n`;
}

function description({ layer, axes, grid, bands }: Coverage): string {
  const id = escapeXml(coverageId(layer));
  const uri = escapeXml(axes.uri);
  const [xmin, ymin, xmax, ymax] = grid.box;
  const labels = axes.labels.join(' ');
  const at = (x: number, y: number): string => ordered(axes, x, y);
  const fields = bands.map(
    ({ name, nodata }) =>
      `<swe:field name="${name}"><swe:Quantity><swe:description>${name}</swe:description>${nodata === null ? '' : `<swe:nilValues><swe:NilValues><swe:nilValue reason="http://www.opengis.net/def/nil/OGC/0/unknown">${nodata}</swe:nilValue></swe:NilValues></swe:nilValues>`}<swe:uom code="1"/></swe:Quantity></swe:field>`,
  );
  // Of the grid: i goes east, j goes south.
  return `<wcs:CoverageDescription gml:id="${id}"><gml:description>${escapeXml(layer.abstract)}</gml:description><gml:name>${escapeXml(layer.title)}</gml:name><gml:boundedBy><gml:Envelope srsName="${uri}" axisLabels="${labels}" uomLabels="${axes.units}" srsDimension="2"><gml:lowerCorner>${at(xmin, ymin)}</gml:lowerCorner><gml:upperCorner>${at(xmax, ymax)}</gml:upperCorner></gml:Envelope></gml:boundedBy><wcs:CoverageId>${id}</wcs:CoverageId><gml:domainSet><gml:RectifiedGrid gml:id="grid_${id}" dimension="2"><gml:limits><gml:GridEnvelope><gml:low>0 0</gml:low><gml:high>${grid.width - 1} ${grid.height - 1}</gml:high></gml:GridEnvelope></gml:limits><gml:axisLabels>i j</gml:axisLabels><gml:origin><gml:Point gml:id="origin_${id}" srsName="${uri}"><gml:pos>${at(xmin + grid.dx / 2, ymax - grid.dy / 2)}</gml:pos></gml:Point></gml:origin><gml:offsetVector srsName="${uri}">${at(grid.dx, 0)}</gml:offsetVector><gml:offsetVector srsName="${uri}">${at(0, -grid.dy)}</gml:offsetVector></gml:RectifiedGrid></gml:domainSet><gmlcov:rangeType><swe:DataRecord>${fields.join('')}</swe:DataRecord></gmlcov:rangeType><wcs:ServiceParameters><wcs:CoverageSubtype>RectifiedGridCoverage</wcs:CoverageSubtype><wcs:nativeFormat>image/tiff</wcs:nativeFormat></wcs:ServiceParameters></wcs:CoverageDescription>`;
}
