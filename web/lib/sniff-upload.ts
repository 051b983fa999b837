// Files that somebody dropped → what they would become: which belong together, in which format, and what is missing. Looks at
// names and at the first bytes; nothing is sent yet. Pure, but for reading the beginnings of the files.

export type Format =
  | 'shapefile'
  | 'geojson'
  | 'gpkg'
  | 'kml'
  | 'csv'
  | 'excel'
  | 'geotiff'
  | 'ascii-grid'
  | 'erdas-imagine'
  | 'picture'
  | 'zip'
  | 'gml'
  | 'gpx'
  | 'fgb'
  | 'document'
  | 'unknown';

export type Bundle = {
  /** The main file's name without its ending. */
  readonly name: string;
  readonly format: Format;
  readonly files: readonly File[];
  readonly main: File;
  readonly bytes: number;
  /** As far as it can be known here. */
  readonly crs: string | undefined;
  /** Endings of files without which it cannot be imported. */
  readonly missing: readonly string[];
  /** The CRS has to be asked for. */
  readonly needsCrs: boolean;
  /** Of a table: its columns, by which the coordinates are chosen. */
  readonly columns: readonly string[];
  /** Of a table: the cells of its first lines, one of which has the names. */
  readonly heads: readonly (readonly string[])[];
};

const FORMATS: Readonly<Record<string, Format>> = {
  shp: 'shapefile',
  geojson: 'geojson',
  json: 'geojson',
  geojsonl: 'geojson',
  ndjson: 'geojson',
  geojsons: 'geojson',
  jsonl: 'geojson',
  gpkg: 'gpkg',
  kml: 'kml',
  kmz: 'kml',
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  xlsx: 'excel',
  tif: 'geotiff',
  tiff: 'geotiff',
  asc: 'ascii-grid',
  img: 'erdas-imagine',
  zip: 'zip',
  gml: 'gml',
  gpx: 'gpx',
  fgb: 'fgb',
  pdf: 'document',
  png: 'document',
  jpg: 'document',
  jpeg: 'document',
  gif: 'document',
  doc: 'document',
  docx: 'document',
  odt: 'document',
  ppt: 'document',
  pptx: 'document',
  odp: 'document',
  mp4: 'document',
  webm: 'document',
  mp3: 'document',
};
/** World files: where on earth the picture beside them is. */
const WORLD: ReadonlySet<string> = new Set('wld pgw pngw jgw jpgw jpegw tfw tifw tiffw'.split(' '));
const SIDE: ReadonlySet<string> = new Set([...WORLD, ...'dbf shx prj cpg qix sbn sbx qpj qmd cst xml sld'.split(' ')]);

function splitName(name: string): readonly [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1).toLowerCase()];
}

/** Side files go with the main file of the same name, or with the only one there is. */
export function groupFiles(files: readonly File[]): readonly (readonly File[])[] {
  const mains = files.filter(({ name }) => !SIDE.has(splitName(name)[1]));
  const sides = files.filter(({ name }) => SIDE.has(splitName(name)[1]));
  const stem = (name: string): string =>
    splitName(name)[0]
      .replace(/\.(?:shp|tif|tiff)$/i, '')
      .toLowerCase();
  const groups = mains.map((main) => {
    const own = sides.filter(({ name }) => stem(name) === stem(main.name) || mains.length === 1);
    return [main, ...own];
  });
  const used = new Set(groups.flat());
  const lost = sides.filter((side) => !used.has(side));
  return lost.length === 0 ? groups : [...groups, lost];
}

const HEAD_BYTES = 64 * 1024;

export async function sniffBundle(files: readonly File[]): Promise<Bundle> {
  const main = files.find(({ name }) => !SIDE.has(splitName(name)[1])) ?? files[0] ?? new File([], '');
  const [stem, ending] = splitName(main.name);
  const byName: Format = FORMATS[ending] ?? 'unknown';
  const head = new Uint8Array(await main.slice(0, HEAD_BYTES).arrayBuffer());
  const isPlaced = files.some(({ name }) => WORLD.has(splitName(name)[1]));
  const format = isPlaced && isPicture(head) ? 'picture' : byBytes(head, byName);
  const has = (one: string): File | undefined => files.find(({ name }) => splitName(name)[1] === one);
  const text = decoded(head);
  const prj = has('prj');
  const crs =
    prj !== undefined
      ? crsOfWkt(await prj.slice(0, 4096).text())
      : format === 'geojson'
        ? crsOfGeoJson(text)
        : format === 'kml' || format === 'gpx'
          ? 'EPSG:4326'
          : format === 'geotiff'
            ? crsOfGeoTiff(head)
            : undefined;
  const missing = format === 'shapefile' ? ['shx', 'dbf'].filter((one) => has(one) === undefined) : [];
  const heads = format === 'csv' ? headsOf(text) : [];
  return {
    name: stem,
    format,
    files,
    main,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    crs,
    missing,
    needsCrs: (format === 'shapefile' || format === 'picture') && prj === undefined,
    columns: columnsOf(heads),
    heads,
  };
}

const startsOf =
  (head: Uint8Array) =>
  (...bytes: readonly number[]): boolean =>
    bytes.every((byte, i) => head[i] === byte);

/** PNG or JPEG. */
function isPicture(head: Uint8Array): boolean {
  const starts = startsOf(head);
  return starts(0x89, 0x50, 0x4e, 0x47) || starts(0xff, 0xd8, 0xff);
}

/** What the first bytes say counts more than the name. */
export function byBytes(head: Uint8Array, byName: Format): Format {
  const starts = startsOf(head);
  if (starts(0x50, 0x4b, 3, 4)) return byName === 'excel' || byName === 'kml' || byName === 'document' ? byName : 'zip';
  if (starts(0x49, 0x49, 0x2a, 0) || starts(0x4d, 0x4d, 0, 0x2a) || starts(0x49, 0x49, 0x2b, 0)) return 'geotiff';
  if (starts(0x25, 0x50, 0x44, 0x46) || isPicture(head)) return 'document';
  if (starts(0, 0, 0x27, 0x0a)) return 'shapefile';
  if (starts(0x66, 0x67, 0x62)) return 'fgb';
  const begin = new TextDecoder().decode(head.slice(0, 2000)).trimStart();
  if (begin.startsWith('SQLite format 3')) return 'gpkg';
  if (/<kml[\s>]/i.test(begin)) return 'kml';
  if (/<gpx[\s>]/i.test(begin)) return 'gpx';
  if (byName !== 'csv' && begin.startsWith('{')) return 'geojson';
  return byName;
}

/** By the name in a .prj file: the few that most files have. */
export function crsOfWkt(wkt: string): string | undefined {
  const authority = [...wkt.matchAll(/(?:AUTHORITY|ID)\["EPSG",\s*"?(\d{4,6})"?\]/gi)].at(-1)?.[1];
  if (authority !== undefined) return `EPSG:${authority}`;
  const name = /^\s*\w+\["([^"]+)"/.exec(wkt)?.[1];
  if (name === undefined) return undefined;
  if (/^GCS_WGS_1984$|^WGS 84$/i.test(name)) return 'EPSG:4326';
  if (/Web_Mercator|Pseudo-Mercator/i.test(name)) return 'EPSG:3857';
  const utm =
    /^WGS_?\s?1984_UTM_Zone_(\d{1,2})([NS])$/i.exec(name) ?? /^WGS 84 \/ UTM zone (\d{1,2})([NS])$/i.exec(name);
  if (utm !== null) return `EPSG:${(utm[2]?.toUpperCase() === 'N' ? 32600 : 32700) + Number(utm[1])}`;
  const etrs = /^ETRS_?\s?1989_UTM_Zone_(\d{1,2})N$/i.exec(name);
  return etrs === null ? name : `EPSG:${25800 + Number(etrs[1])}`;
}

function crsOfGeoJson(text: string): string {
  const named = /"crs"\s*:\s*\{[^}]*"name"\s*:\s*"[^"]*?EPSG:{1,2}(\d{4,6})"/i.exec(text)?.[1];
  return named === undefined ? 'EPSG:4326' : `EPSG:${named}`;
}

/** From the keys of a classic GeoTIFF, where they stand at its beginning. */
export function crsOfGeoTiff(head: Uint8Array): string | undefined {
  if (head.length < 16) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const little = head[0] === 0x49;
  const u16 = (at: number): number => (at + 2 <= view.byteLength ? view.getUint16(at, little) : 0);
  const u32 = (at: number): number => (at + 4 <= view.byteLength ? view.getUint32(at, little) : 0);
  if (u16(2) !== 42) return undefined;
  const directory = u32(4);
  for (let i = 0; i < Math.min(200, u16(directory)); i += 1) {
    const entry = directory + 2 + i * 12;
    if (u16(entry) !== 34735) continue;
    const keys = u32(entry + 8);
    for (let k = 1; k <= Math.min(200, u16(keys + 6)); k += 1) {
      const key = u16(keys + k * 8);
      const value = u16(keys + k * 8 + 6);
      if ((key === 3072 || key === 2048) && value > 1023 && value < 32767) return `EPSG:${value}`;
    }
  }
  return undefined;
}

/** What is not UTF-8 is read as the portal does it. The last character may be cut. */
function decoded(head: Uint8Array): string {
  const text = new TextDecoder().decode(head);
  return text.slice(0, -1).includes('\ufffd') ? new TextDecoder('windows-1252').decode(head) : text;
}

/** Names stand below a title and a blank line or two. */
const MAX_ABOVE = 10;

/** Cells of the first lines, whatever separates them. */
function headsOf(text: string): readonly (readonly string[])[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/, MAX_ABOVE + 1);
  const count = (separator: string): number =>
    lines.reduce((sum, line) => sum + Math.min(200, line.split(separator).length), 0);
  const separator = [',', ';', '\t', '|'].sort((a, b) => count(b) - count(a))[0] ?? ',';
  return lines.map((line) =>
    line
      .split(separator)
      .map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
      .slice(0, 200),
  );
}

/** The names of the columns: the first line, or one below a title, as the portal finds it. */
function columnsOf(heads: readonly (readonly string[])[]): readonly string[] {
  for (const cells of heads) {
    const filled = cells.filter((cell) => cell !== '');
    const isWords = filled.every((cell) => !Number.isFinite(Number(cell.replace(',', '.'))));
    if (filled.length > 2 && filled.length * 2 > cells.length && isWords) return cells;
    if (filled.length > 1 || !isWords) break;
  }
  return heads[0] ?? [];
}

const X = /^(?:x|lon|lng|long|longitude|easting|laenge|länge)$/i;
const Y = /^(?:y|lat|latitude|northing|breite)$/i;
const WKT = /^(?:wkt|geom|geometry|the_geom)$/i;

/** Whether a table's coordinates are found without asking. */
export function hasCoordinates(columns: readonly string[]): boolean {
  return (
    (columns.some((name) => X.test(name)) && columns.some((name) => Y.test(name))) ||
    columns.some((name) => WKT.test(name))
  );
}
