// The style of a layer that came without one: by the kind of its geometry, the same as SLD and as MapLibre layers. The colour
// follows from the name, so that two new layers on a map can be told apart.

export type LayerStyle = { readonly sld: string; readonly title: string; readonly maplibre: unknown };

export type StyleKind = 'point' | 'line' | 'polygon' | 'mixed' | 'raster';

/** Makes the style of a new layer. */
export type MakeStyle = (layer: {
  readonly name: string;
  readonly title: string;
  readonly kind: StyleKind;
}) => LayerStyle;

const COLOURS = ['#1f78b4', '#33a02c', '#e31a1c', '#ff7f00', '#6a3d9a', '#b15928', '#008080', '#c51b7d'] as const;

export function styleKind(geometry: string): StyleKind {
  switch (geometry) {
    case 'Point':
    case 'MultiPoint':
      return 'point';
    case 'MultiLineString':
      return 'line';
    case 'MultiPolygon':
      return 'polygon';
    default:
      return 'mixed';
  }
}

export const defaultStyle: MakeStyle = ({ name, title, kind }) => {
  const colour = colourOf(name);
  return { title, sld: sld(name, title, symbolizers(kind, colour)), maplibre: mapLibre(kind, colour) };
};

function colourOf(name: string): string {
  let hash = 0;
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return COLOURS[hash % COLOURS.length] ?? COLOURS[0];
}

const point = (colour: string): string =>
  `<PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">${colour}</CssParameter></Fill>` +
  '<Stroke><CssParameter name="stroke">#ffffff</CssParameter><CssParameter name="stroke-width">1</CssParameter></Stroke></Mark><Size>8</Size></Graphic></PointSymbolizer>';
const line = (colour: string): string =>
  `<LineSymbolizer><Stroke><CssParameter name="stroke">${colour}</CssParameter><CssParameter name="stroke-width">2</CssParameter></Stroke></LineSymbolizer>`;
const polygon = (colour: string): string =>
  `<PolygonSymbolizer><Fill><CssParameter name="fill">${colour}</CssParameter><CssParameter name="fill-opacity">0.5</CssParameter></Fill>` +
  `<Stroke><CssParameter name="stroke">${colour}</CssParameter><CssParameter name="stroke-width">1</CssParameter></Stroke></PolygonSymbolizer>`;

function symbolizers(kind: StyleKind, colour: string): string {
  switch (kind) {
    case 'point':
      return point(colour);
    case 'line':
      return line(colour);
    case 'polygon':
      return polygon(colour);
    case 'mixed':
      return polygon(colour) + line(colour) + point(colour);
    case 'raster':
      return '<RasterSymbolizer><Opacity>1</Opacity></RasterSymbolizer>';
  }
}

function sld(name: string, title: string, rule: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">' +
    `<NamedLayer><Name>${escapeXml(name)}</Name><UserStyle><Title>${escapeXml(title)}</Title>` +
    `<FeatureTypeStyle><Rule>${rule}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`
  );
}

function mapLibre(kind: StyleKind, colour: string): unknown {
  const fill = { id: 'fill', type: 'fill', paint: { 'fill-color': colour, 'fill-opacity': 0.5 } };
  const outline = { id: 'outline', type: 'line', paint: { 'line-color': colour, 'line-width': 1 } };
  const stroke = { id: 'line', type: 'line', paint: { 'line-color': colour, 'line-width': 2 } };
  const circle = {
    id: 'circle',
    type: 'circle',
    paint: { 'circle-color': colour, 'circle-radius': 4, 'circle-stroke-color': '#ffffff', 'circle-stroke-width': 1 },
  };
  const only = (type: string, layer: object): object => ({ ...layer, filter: ['==', ['geometry-type'], type] });
  switch (kind) {
    case 'point':
      return [circle];
    case 'line':
      return [stroke];
    case 'polygon':
      return [fill, outline];
    case 'mixed':
      return [only('Polygon', fill), only('LineString', stroke), only('Point', circle)];
    case 'raster':
      return [{ id: 'raster', type: 'raster', paint: { 'raster-opacity': 1 } }];
  }
}

function escapeXml(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
