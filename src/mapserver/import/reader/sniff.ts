// The first bytes of a file, and its name → what it is. What it is called counts only where the content could be several things.

import { extname } from 'node:path';

export type Sniffed =
  | { readonly kind: FormatName }
  | { readonly kind: 'zip' }
  /** Not data, but something that goes with data. */
  | { readonly kind: 'part' }
  | { readonly kind: 'style' }
  | { readonly kind: 'metadata' }
  | { readonly kind: 'empty' }
  /** `what`: as one says it, with an article. */
  | { readonly kind: 'unsupported'; readonly what: string | undefined };

export type FormatName =
  | 'shapefile'
  | 'geopackage'
  | 'flatgeobuf'
  | 'geojson'
  | 'geojson-lines'
  | 'kml'
  | 'gpx'
  | 'gml'
  | 'csv'
  | 'excel'
  | 'geotiff'
  | 'ascii-grid'
  | 'erdas-imagine'
  | 'png'
  | 'jpeg';

/** How much of a file is looked at. */
export const HEAD_BYTES: number = 64 * 1024;

/** World files: where on earth the picture beside them is. */
export const WORLD_EXTENSIONS: ReadonlySet<string> = new Set(
  '.wld .pgw .pngw .jgw .jpgw .jpegw .tfw .tifw .tiffw'.split(' '),
);

/** Files of a shapefile besides the .shp, and others that say something about the data beside them. */
export const PART_EXTENSIONS: ReadonlySet<string> = new Set([
  ...WORLD_EXTENSIONS,
  ...'.shx .dbf .prj .cpg .cst .qix .sbn .sbx .qpj .qmd .fbn .fbx .ain .aih .atx .ixs .mxs .xsd'.split(' '),
]);

const MAGIC: readonly (readonly [bytes: string, what: Sniffed])[] = [
  ['504b0304', { kind: 'zip' }],
  ['504b0506', { kind: 'zip' }],
  ['49492a00', { kind: 'geotiff' }],
  ['4d4d002a', { kind: 'geotiff' }],
  ['49492b00', { kind: 'geotiff' }],
  ['4d4d002b', { kind: 'geotiff' }],
  ['66676203', { kind: 'flatgeobuf' }],
  ['89504e47', { kind: 'png' }],
  ['ffd8ff', { kind: 'jpeg' }],
  // EHFA_HEADER_TAG
  ['454846415f4845414445525f544147', { kind: 'erdas-imagine' }],
  ['0000000c6a502020', { kind: 'unsupported', what: 'a JPEG 2000 image (save it as a GeoTIFF)' }],
  ['89484446', { kind: 'unsupported', what: 'an HDF5 or NetCDF file (save it as a GeoTIFF)' }],
  ['43444601', { kind: 'unsupported', what: 'a NetCDF file (save it as a GeoTIFF)' }],
  ['43444602', { kind: 'unsupported', what: 'a NetCDF file (save it as a GeoTIFF)' }],
  ['47494638', { kind: 'unsupported', what: 'a GIF image' }],
  ['25504446', { kind: 'unsupported', what: 'a PDF document' }],
  ['1f8b', { kind: 'unsupported', what: 'a gzip archive' }],
  ['377abcaf', { kind: 'unsupported', what: 'a 7z archive' }],
  ['52617221', { kind: 'unsupported', what: 'a RAR archive' }],
  ['d0cf11e0', { kind: 'unsupported', what: 'an old Office document (save it as .xlsx or .csv)' }],
  ['7f454c46', { kind: 'unsupported', what: 'a program' }],
  ['4d5a', { kind: 'unsupported', what: 'a program' }],
  ['50415231', { kind: 'unsupported', what: 'a Parquet file' }],
];

export function sniff(head: Buffer, name: string): Sniffed {
  if (head.length === 0) return { kind: 'empty' };
  const extension = extname(name).toLowerCase();
  if (PART_EXTENSIONS.has(extension)) return { kind: 'part' };
  for (const [bytes, what] of MAGIC) if (head.subarray(0, bytes.length / 2).toString('hex') === bytes) return what;
  if (head.length >= 100 && head.readInt32BE(0) === 9994) return { kind: 'shapefile' };
  if (head.subarray(0, 16).toString('latin1') === 'SQLite format 3\0') return sniffSqlite(head, extension);
  return sniffText(head, extension);
}

function sniffSqlite(head: Buffer, extension: string): Sniffed {
  const application = head.subarray(68, 72).toString('latin1');
  return /^(GPKG|GP1\d)$/.test(application) || extension === '.gpkg'
    ? { kind: 'geopackage' }
    : { kind: 'unsupported', what: 'an SQLite database that is no GeoPackage' };
}

/** How an ASCII grid of ESRI begins, whatever it is called. */
const GRID_HEADER = /^ncols\s+\d+\s+nrows\s+\d+\s+xll(?:corner|center)\s/i;

function sniffText(head: Buffer, extension: string): Sniffed {
  const text = headText(head);
  if (text === undefined) return { kind: 'unsupported', what: undefined };
  const start = text.trimStart();
  if (start === '') return head.length < HEAD_BYTES ? { kind: 'empty' } : { kind: 'unsupported', what: undefined };
  if (start.startsWith('<')) return sniffXml(start, extension);
  if (start.startsWith('{') || start.startsWith('\u001e')) return sniffJson(start, extension);
  if (GRID_HEADER.test(start)) return { kind: 'ascii-grid' };
  if (start.startsWith('[')) return { kind: 'unsupported', what: 'a JSON list and not GeoJSON' };
  return extension === '.csv' || extension === '.tsv' || extension === '.txt'
    ? { kind: 'csv' }
    : { kind: 'unsupported', what: undefined };
}

/** Undefined: this is no text. */
function headText(head: Buffer): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le').decode(head);
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be').decode(head);
  if (head.includes(0)) return undefined;
  return new TextDecoder('utf-8').decode(head);
}

function sniffJson(start: string, extension: string): Sniffed {
  if (start.startsWith('\u001e')) return { kind: 'geojson-lines' };
  if (/^\{\s*"type"\s*:\s*"Topology"/.test(start)) return { kind: 'unsupported', what: 'a TopoJSON file' };
  // One object per line, each a feature of its own: the first line is one, and another follows.
  const end = start.indexOf('\n');
  if (end > 0 && start.slice(end).trimStart().startsWith('{') && isFeature(start.slice(0, end)))
    return { kind: 'geojson-lines' };
  // A single one is the same in both.
  if (/^\.(geojsonl|geojsons|ndjson|ndgeojson|jsonl)$/.test(extension)) return { kind: 'geojson-lines' };
  return { kind: 'geojson' };
}

function isFeature(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'type' in value;
  } catch {
    return false;
  }
}

const ROOTS: Readonly<Record<string, Sniffed>> = {
  kml: { kind: 'kml' },
  gpx: { kind: 'gpx' },
  StyledLayerDescriptor: { kind: 'style' },
  MD_Metadata: { kind: 'metadata' },
  MI_Metadata: { kind: 'metadata' },
  metadata: { kind: 'metadata' },
  qgis: { kind: 'unsupported', what: 'a QGIS style or project' },
  VRTDataset: { kind: 'unsupported', what: 'a virtual dataset that only refers to others' },
  OGRVRTDataSource: { kind: 'unsupported', what: 'a virtual dataset that only refers to others' },
  WMS_Capabilities: { kind: 'unsupported', what: 'the description of a service' },
  GDAL_WMS: { kind: 'unsupported', what: 'the description of a service' },
  OGRWFSDataSource: { kind: 'unsupported', what: 'the description of a service' },
  html: { kind: 'unsupported', what: 'a web page' },
  svg: { kind: 'unsupported', what: 'an SVG drawing' },
};

/** Where the first element begins. A scanner: a search for the ends of comments would begin anew at each of their beginnings. */
function prologEnd(text: string): number {
  let at = 0;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at++;
    const end = text.startsWith('<?', at)
      ? after(text, '?>', at)
      : text.startsWith('<!--', at)
        ? after(text, '-->', at)
        : text.slice(at, at + 9).toUpperCase() === '<!DOCTYPE'
          ? doctypeEnd(text, at)
          : undefined;
    if (end === undefined) return at;
    at = end;
  }
}

/** Behind the part, or at the end of a text that does not have it. */
function after(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found < 0 ? text.length : found + part.length;
}

function doctypeEnd(text: string, at: number): number {
  const close = after(text, '>', at);
  const open = text.indexOf('[', at);
  return open < 0 || open >= close ? close : after(text, '>', after(text, ']', open));
}

function sniffXml(start: string, extension: string): Sniffed {
  // Behind declaration, comments and document type: the name of the first element, without its prefix.
  const root = /^<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)[\s/>]/.exec(start.slice(prologEnd(start)))?.[1];
  if (root === undefined) return { kind: 'unsupported', what: undefined };
  const known = Object.hasOwn(ROOTS, root) ? ROOTS[root] : undefined;
  if (known !== undefined) return known;
  const isGml = /http:\/\/www\.opengis\.net\/gml/.test(start) || extension === '.gml';
  return isGml ? { kind: 'gml' } : { kind: 'unsupported', what: `an XML document (${root.slice(0, 40)})` };
}
