// KML as a stream of text → its placemarks: name, description, times, extended data, and the geometry as EWKT. Entities other
// than XML's own five do not exist here, styles and links to elsewhere are passed over.

import { SaxesParser } from 'saxes';
import { parseDecimal } from '../../../kernel/decimal.ts';

export type Placemark = {
  /** The folder it stands in; empty: none. */
  readonly folder: string;
  readonly values: ReadonlyMap<string, string>;
  /** Without SRID; undefined: it has no place. */
  readonly geometry: string | undefined;
  /** Some position of it has a height that is not nought, and is not to be put on the ground. */
  readonly hasHeights: boolean;
};

export class KmlError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const MAX_DEPTH = 256;
/** Elements of a placemark whose text is one of its values. */
const VALUES: ReadonlySet<string> = new Set(['name', 'description', 'address', 'phoneNumber', 'snippet']);
const TIMES: ReadonlySet<string> = new Set(['when', 'begin', 'end']);
const GEOMETRIES: ReadonlySet<string> = new Set([
  'Point',
  'LineString',
  'LinearRing',
  'Polygon',
  'MultiGeometry',
  'Track',
  'MultiTrack',
]);

/** A geometry while it is being read. */
type Draft = { readonly kind: string; coordinates: string; readonly parts: string[]; readonly rings: string[] };

/** `withHeights`: geometries have a third ordinate, nought where none is written. */
export async function* placemarks(chunks: AsyncIterable<string>, withHeights = false): AsyncGenerator<Placemark> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const found: Placemark[] = [];
  const path: string[] = [];
  const folders: string[] = [];
  let values: Map<string, string> | undefined;
  let geometry: string | undefined;
  let drafts: Draft[] = [];
  let text = '';
  let dataName: string | undefined;
  let hasHeights = false;
  let isHigh = false;
  let fault: KmlError | undefined;
  const fail = (message: string): void => {
    fault ??= new KmlError(message, parser.line);
  };
  const positions = (coordinates: string): string => {
    const read = readPositions(coordinates, withHeights);
    if (read.fault !== undefined) fail(read.fault);
    hasHeights ||= read.hasHeights;
    return read.text;
  };

  parser.on('error', (error) => fail(error.message.replace(/^\d+:\d+:\s*/, '')));
  parser.on('doctype', () => fail('a document type has no place in KML'));
  parser.on('opentag', ({ name, attributes }) => {
    const tag = localName(name);
    path.push(tag);
    if (path.length > MAX_DEPTH) fail('elements are nested too deeply');
    text = '';
    if (tag === 'Folder') folders.push('');
    else if (tag === 'Placemark') {
      values = new Map();
      geometry = undefined;
      hasHeights = false;
      isHigh = false;
      drafts = [];
      const id = attributes['id'];
      if (typeof id === 'string' && id !== '') values.set('id', id);
    } else if (values !== undefined) {
      if (tag === 'Data' || tag === 'SimpleData' || tag === 'SimpleArrayData') {
        dataName = typeof attributes['name'] === 'string' ? attributes['name'] : undefined;
      } else if (GEOMETRIES.has(tag)) drafts.push({ kind: tag, coordinates: '', parts: [], rings: [] });
    }
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('cdata', (part) => {
    text += part;
  });
  parser.on('closetag', ({ name }) => {
    const tag = localName(name);
    path.pop();
    const parent = path.at(-1);
    if (tag === 'Folder') folders.pop();
    else if (tag === 'name' && parent === 'Folder') folders[folders.length - 1] = text.trim();
    else if (tag === 'Placemark' && values !== undefined) {
      found.push({ folder: folders.at(-1) ?? '', values, geometry, hasHeights: hasHeights && isHigh });
      values = undefined;
    } else if (values !== undefined) closeInside(tag, parent, values);
    text = '';
  });

  function closeInside(tag: string, parent: string | undefined, into: Map<string, string>): void {
    const draft = drafts.at(-1);
    if (VALUES.has(tag) && parent === 'Placemark') into.set(tag, text.trim());
    else if (TIMES.has(tag) && (parent === 'TimeStamp' || parent === 'TimeSpan'))
      into.set(tag === 'when' ? 'timestamp' : tag, text.trim());
    else if (tag === 'value' && parent === 'Data' && dataName !== undefined) into.set(dataName, text.trim());
    else if (tag === 'SimpleData' && dataName !== undefined) into.set(dataName, text.trim());
    else if (tag === 'altitudeMode') isHigh ||= /^(?:absolute|relativeTo)/.test(text.trim());
    else if (tag === 'coordinates' && draft !== undefined) draft.coordinates = text;
    else if (tag === 'coord' && draft !== undefined) draft.coordinates += ` ${text.trim().split(/\s+/).join(',')}`;
    else if (GEOMETRIES.has(tag) && draft !== undefined && draft.kind === tag) closeGeometry(draft, parent);
  }

  function closeGeometry(draft: Draft, parent: string | undefined): void {
    drafts.pop();
    const outer = drafts.at(-1);
    if (
      draft.kind === 'LinearRing' &&
      outer?.kind === 'Polygon' &&
      (parent === 'outerBoundaryIs' || parent === 'innerBoundaryIs')
    ) {
      const ring = positions(draft.coordinates);
      if (parent === 'outerBoundaryIs') outer.rings.unshift(ring);
      else outer.rings.push(ring);
      return;
    }
    const made = geometryText(draft, positions, withHeights ? ' Z' : '');
    if (made === undefined) return;
    if (outer !== undefined) outer.parts.push(made);
    else geometry = made;
  }

  for await (const chunk of chunks) {
    parser.write(chunk);
    if (fault !== undefined) throw fault;
    yield* found.splice(0);
  }
  parser.close();
  if (fault !== undefined) throw fault;
  yield* found.splice(0);
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

type Positions = { readonly text: string; readonly hasHeights: boolean; readonly fault?: string };

/** `5,45,0 6,46,0` → `5 45, 6 46`, or `5 45 0, 6 46 0`. KML writes heights nearly everywhere, and nearly always as nought. */
function readPositions(coordinates: string, withHeights: boolean): Positions {
  const made: string[] = [];
  let hasHeights = false;
  for (const tuple of coordinates.trim().split(/\s+/)) {
    if (tuple === '') continue;
    const [x, y, z] = tuple.split(',');
    const height = z === undefined || z === '' ? '0' : z;
    if (!isNumber(x) || !isNumber(y) || !isNumber(height))
      return { text: '', hasHeights, fault: `"${tuple.slice(0, 50)}" is not a coordinate` };
    hasHeights ||= Number(height) !== 0;
    made.push(withHeights ? `${x} ${y} ${height}` : `${x} ${y}`);
  }
  return { text: made.join(', '), hasHeights };
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && text.length < 40 && parseDecimal(text) !== undefined;
}

/** `z`: what stands between a kind and its positions. */
function geometryText(draft: Draft, positions: (coordinates: string) => string, z: string): string | undefined {
  switch (draft.kind) {
    case 'Point': {
      const at = positions(draft.coordinates);
      return at === '' ? undefined : `POINT${z}(${at.split(',')[0]})`;
    }
    case 'LineString':
    case 'LinearRing':
    case 'Track': {
      const along = positions(draft.coordinates);
      return along === '' ? undefined : `LINESTRING${z}(${along})`;
    }
    case 'Polygon': {
      const rings = draft.rings.filter((ring) => ring !== '');
      return rings.length === 0 ? undefined : `POLYGON${z}(${rings.map((ring) => `(${ring})`).join(', ')})`;
    }
    default:
      return collection(draft.parts, z);
  }
}

/** Parts of one kind are a geometry of that kind; others are a collection. */
function collection(parts: readonly string[], z: string): string | undefined {
  if (parts.length === 0) return undefined;
  for (const kind of ['POINT', 'LINESTRING', 'POLYGON']) {
    if (parts.every((part) => part.startsWith(`${kind}${z}(`)))
      return `MULTI${kind}${z}(${parts.map((part) => part.slice(kind.length + z.length)).join(', ')})`;
  }
  return `GEOMETRYCOLLECTION${z}(${parts.join(', ')})`;
}
