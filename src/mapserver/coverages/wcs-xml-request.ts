// A request to the coverage service in XML (WCS 2.0.1, and what 1.1 has in common with it) → the same parameters that an address
// has. Pure.

import { childOf, childrenOf, parseXml, textOf, type XmlElement } from '../../geo/style/xml-tree.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { WcsFault } from './wcs-fault.ts';
import { type WcsParams, wcsFault } from './wcs-request.ts';

const LIMITS = { bytes: 200_000, elements: 2000, depth: 40 } as const;

export function parseWcsXml(body: string): Result<WcsParams, WcsFault> {
  const xml = parseXml(body, LIMITS);
  if (!xml.ok)
    return wcsFault('OperationParsingFailed', 'request', `The request cannot be read: ${xml.error.message}.`);
  const root = xml.value;
  const params = new Map<string, string[]>([['request', [root.name]]]);
  const add = (name: string, value: string): void => {
    const list = params.get(name);
    if (list === undefined) params.set(name, [value]);
    else list.push(value);
  };
  for (const name of ['service', 'version']) {
    const value = root.attributes[name];
    if (value !== undefined) add(name, value);
  }
  const ids = childrenOf(root, 'CoverageId', 'Identifier', 'Coverage').map(textOf);
  if (ids.length > 0) add('coverageid', ids.join(','));
  const versions = childrenOf(childOf(root, 'AcceptVersions'), 'Version').map(textOf);
  if (versions.length > 0) add('acceptversions', versions.join(','));
  const format = childOf(root, 'format', 'Format');
  if (format !== undefined) add('format', textOf(format));
  for (const one of childrenOf(root, 'DimensionTrim')) {
    const [low, high] = [childOf(one, 'TrimLow'), childOf(one, 'TrimHigh')].map((bound) => textOf(bound) || '*');
    add('subset', `${textOf(childOf(one, 'Dimension'))}(${low},${high})`);
  }
  for (const one of childrenOf(root, 'DimensionSlice'))
    add('subset', `${textOf(childOf(one, 'Dimension'))}(${textOf(childOf(one, 'SlicePoint'))})`);
  const extension = childOf(root, 'Extension');
  for (const one of childrenOf(extension)) addExtension(one, add);
  return ok(params);
}

function addExtension(element: XmlElement, add: (name: string, value: string) => void): void {
  const value = extensionValue(element);
  if (value !== undefined) add(...value);
  else if (/^(?:Scaling|CRS)$/i.test(element.name)) for (const inner of childrenOf(element)) addExtension(inner, add);
}

/** Name and value of the parameter; undefined: it is none, or holds others. */
function extensionValue(element: XmlElement): readonly [string, string] | undefined {
  switch (element.name) {
    case 'ScaleByFactor':
      return ['scalefactor', textOf(childOf(element, 'scaleFactor'))];
    case 'ScaleAxesByFactor':
      return ['scaleaxes', axes(element, 'ScaleAxis', (one) => textOf(childOf(one, 'scaleFactor')))];
    case 'ScaleToSize':
      return ['scalesize', axes(element, 'TargetAxisSize', (one) => textOf(childOf(one, 'targetSize')))];
    case 'ScaleToExtent': {
      const bounds = (one: XmlElement): string => `${textOf(childOf(one, 'low'))}:${textOf(childOf(one, 'high'))}`;
      return ['scaleextent', axes(element, 'TargetAxisExtent', bounds)];
    }
    case 'RangeSubset': {
      const items = childrenOf(element, 'RangeItem').map((item) => {
        const interval = childOf(item, 'RangeInterval');
        if (interval === undefined) return textOf(childOf(item, 'RangeComponent'));
        return `${textOf(childOf(interval, 'startComponent'))}:${textOf(childOf(interval, 'endComponent'))}`;
      });
      return ['rangesubset', items.join(',')];
    }
    case 'subsettingCrs':
    case 'outputCrs':
      return [element.name.toLowerCase(), textOf(element)];
    default:
      return undefined;
  }
}

function axes(element: XmlElement, name: string, value: (one: XmlElement) => string): string {
  return childrenOf(element, name)
    .map((one) => `${textOf(childOf(one, 'axis'))}(${value(one)})`)
    .join(',');
}
