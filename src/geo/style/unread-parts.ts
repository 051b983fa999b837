// What stands in a symbolizer of an SLD and is not read: every element, parameter, vendor option and unit that the readers of symbolizers do not look at,
// by its place, so that whoever sends a style is told what of it is not drawn. Pure.

import type { XmlElement } from './xml-tree.ts';

/** Elements, and what is read in them. */
const READ: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    PolygonSymbolizer: ['Fill', 'Stroke'],
    LineSymbolizer: ['Stroke', 'PerpendicularOffset'],
    PointSymbolizer: ['Graphic'],
    TextSymbolizer: ['Label', 'Font', 'Fill', 'Halo', 'LabelPlacement'],
    RasterSymbolizer: [
      'Opacity',
      'ChannelSelection',
      'ColorMap',
      'ContrastEnhancement',
      'ShadedRelief',
      'azimuth',
      'altitude',
    ],
    ShadedRelief: ['ReliefFactor', 'BrightnessOnly'],
    // Patterns are told of by who reads them.
    Fill: ['fill', 'fill-opacity', 'GraphicFill'],
    Stroke: [
      'stroke',
      'stroke-width',
      'stroke-opacity',
      'stroke-linecap',
      'stroke-linejoin',
      'stroke-dasharray',
      'GraphicStroke',
      'GraphicFill',
    ],
    Graphic: ['Mark', 'Size', 'Opacity', 'ExternalGraphic'],
    Mark: ['WellKnownName', 'Fill', 'Stroke'],
    Font: ['font-family', 'font-size', 'font-weight', 'font-style'],
    Halo: ['Radius', 'Fill'],
    LabelPlacement: ['PointPlacement', 'LinePlacement'],
    PointPlacement: ['AnchorPoint', 'Displacement', 'Rotation'],
    AnchorPoint: ['AnchorPointX', 'AnchorPointY'],
    Displacement: ['DisplacementX', 'DisplacementY'],
    LinePlacement: [],
    ChannelSelection: ['RedChannel', 'GreenChannel', 'BlueChannel', 'GrayChannel'],
    RedChannel: ['SourceChannelName'],
    GreenChannel: ['SourceChannelName'],
    BlueChannel: ['SourceChannelName'],
    GrayChannel: ['SourceChannelName', 'ContrastEnhancement'],
    ContrastEnhancement: ['Normalize', 'minValue', 'maxValue', 'algorithm'],
    Normalize: ['minValue', 'maxValue', 'algorithm'],
    ColorMap: ['ColorMapEntry', 'Interpolate', 'Categorize'],
  }).map(([name, parts]) => [name, new Set(parts)]),
);

/** They say something to people, or what is drawn anyway. */
const WORDS: ReadonlySet<string> = new Set(['Name', 'Title', 'Abstract', 'Description', 'Geometry']);
/** Symbols inside these are not looked into: all of it is drawn in another way, which is told. */
const CLOSED: ReadonlySet<string> = new Set(['GraphicFill', 'GraphicStroke', 'ExternalGraphic']);
const PARAMETERS: ReadonlySet<string> = new Set(['CssParameter', 'SvgParameter', 'VendorOption']);
const PIXELS = /(?:^|[/#])pixels?$/i;

export function unreadParts(symbolizer: XmlElement): readonly string[] {
  const found: string[] = [];
  const { uom } = symbolizer.attributes;
  if (uom !== undefined && uom !== '' && !PIXELS.test(uom.slice(-20)))
    found.push(`sizes in ${uom.slice(-60)} are drawn as pixels`);
  const walk = (element: XmlElement, path: string): void => {
    const known = READ.get(element.name);
    // A value: text, or an expression.
    if (known === undefined) return;
    for (const child of element.children) {
      if (typeof child === 'string' || WORDS.has(child.name)) continue;
      const isParameter = PARAMETERS.has(child.name);
      const name = isParameter ? (child.attributes['name'] ?? '').slice(0, 60) : child.name;
      if (!known.has(name)) found.push(`${path}${isParameter ? `${child.name} ${name}` : name} is not drawn`);
      else if (!isParameter && !CLOSED.has(name)) walk(child, `${path}${name}/`);
    }
  };
  walk(symbolizer, '');
  return found;
}
