// What the tile service can do and which layers it has for the caller, page by page, as version 1.0.0 writes it.

import { toMercator } from '../../geo/bbox.ts';
import { escapeXml } from '../../kernel/escape-xml.ts';
import type { Layer } from '../../layer-ports/layer.ts';
import { withQuery } from '../with-query.ts';
import type { CapabilitiesPage } from './capabilities.ts';
import { INFO_ENDINGS, INFO_FORMATS } from './wms-request.ts';

/** The grid of web maps, under the name that the standard gives it. */
export const MATRIX_SET = 'GoogleMapsCompatible';
export const DEEPEST = 22;
const TILE_FORMATS: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

const SCALE_AT_0 = 559_082_264.028_717_8;
const HALF = 20_037_508.342_789_2;

/** `address`: of the service, without a slash at the end. */
export async function* writeWmtsCapabilities(
  address: string,
  pages: AsyncIterable<CapabilitiesPage>,
): AsyncGenerator<string> {
  const [base = '', query] = address.split('?');
  /** Of what lies below the service, with what its address has behind it. */
  const at: At = (path) => escapeXml(`${base}${path}${query === undefined ? '' : `?${query}`}`);
  const get = `<ows:DCP><ows:HTTP><ows:Get xlink:href="${escapeXml(withQuery(address))}"><ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>KVP</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get></ows:HTTP></ows:DCP>`;
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wmts/1.0 http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd" version="1.0.0">' +
    '<ows:ServiceIdentification><ows:Title>Survest</ows:Title><ows:ServiceType>OGC WMTS</ows:ServiceType><ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion></ows:ServiceIdentification>' +
    `<ows:OperationsMetadata><ows:Operation name="GetCapabilities">${get}</ows:Operation><ows:Operation name="GetTile">${get}</ows:Operation><ows:Operation name="GetFeatureInfo">${get}</ows:Operation></ows:OperationsMetadata><Contents>`;
  for await (const page of pages) yield page.layers.map((layer) => writeLayer(at, layer, page)).join('');
  yield `${matrixSet()}</Contents><ServiceMetadataURL xlink:href="${at('/1.0.0/WMTSCapabilities.xml')}"/></Capabilities>\n`;
}

type At = (path: string) => string;

function writeLayer(at: At, layer: Layer, { styles }: CapabilitiesPage): string {
  const name = escapeXml(layer.alternate);
  const [west, south, east, north] = layer.extent?.wgs84 ?? [-180, -85.0511, 180, 85.0511];
  const ids =
    layer.defaultStyle === undefined
      ? layer.styles
      : [layer.defaultStyle, ...layer.styles.filter((id) => id !== layer.defaultStyle)];
  const named = ids.flatMap((id) => styles.get(id) ?? []);
  const list =
    named.length === 0
      ? '<Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style>'
      : named
          .map(
            ({ id, name: style, title }) =>
              `<Style${id === ids[0] ? ' isDefault="true"' : ''}><ows:Title>${escapeXml(title ?? style)}</ows:Title><ows:Identifier>${escapeXml(style)}</ows:Identifier></Style>`,
          )
          .join('');
  const tile = `/1.0.0/${encodeURIComponent(layer.alternate)}/{Style}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}`;
  const places = Object.entries(INFO_ENDINGS)
    .map(
      ([ending, format]) =>
        `<ResourceURL format="${format}" resourceType="FeatureInfo" template="${at(`${tile}/{J}/{I}.${ending}`)}"/>`,
    )
    .join('');
  const [left, bottom, right, top] = toMercator([west, south, east, north]);
  return (
    `<Layer><ows:Title>${escapeXml(layer.title)}</ows:Title>${layer.abstract === '' ? '' : `<ows:Abstract>${escapeXml(layer.abstract)}</ows:Abstract>`}` +
    `<ows:WGS84BoundingBox><ows:LowerCorner>${west} ${south}</ows:LowerCorner><ows:UpperCorner>${east} ${north}</ows:UpperCorner></ows:WGS84BoundingBox>` +
    `<ows:Identifier>${name}</ows:Identifier>` +
    `<ows:BoundingBox crs="urn:ogc:def:crs:EPSG::3857"><ows:LowerCorner>${left} ${bottom}</ows:LowerCorner><ows:UpperCorner>${right} ${top}</ows:UpperCorner></ows:BoundingBox>` +
    `${list}${TILE_FORMATS.map((format) => `<Format>${format}</Format>`).join('')}` +
    INFO_FORMATS.map((format) => `<InfoFormat>${format}</InfoFormat>`).join('') +
    `<TileMatrixSetLink><TileMatrixSet>${MATRIX_SET}</TileMatrixSet></TileMatrixSetLink><ResourceURL format="image/png" resourceType="tile" template="${at(`${tile}.png`)}"/>${places}</Layer>`
  );
}

function matrixSet(): string {
  const matrices = Array.from({ length: DEEPEST + 1 }, (_, zoom) => {
    const count = 2 ** zoom;
    return `<TileMatrix><ows:Identifier>${zoom}</ows:Identifier><ScaleDenominator>${SCALE_AT_0 / count}</ScaleDenominator><TopLeftCorner>${-HALF} ${HALF}</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>${count}</MatrixWidth><MatrixHeight>${count}</MatrixHeight></TileMatrix>`;
  });
  return `<TileMatrixSet><ows:Identifier>${MATRIX_SET}</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS><WellKnownScaleSet>urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible</WellKnownScaleSet>${matrices.join('')}</TileMatrixSet>`;
}
