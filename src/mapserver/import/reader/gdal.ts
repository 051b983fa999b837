// What the formats ask of GDAL, whichever way it is run. Every driver is named: nothing is opened because it looks like it.

import type { InspectedLayer } from '../import-task.ts';
import { type LayerDoubles, lowBitsQuery, roundedColumns } from './low-bits.ts';

export type VectorSource = {
  readonly path: string;
  /** GDAL's name of the only driver that may open it. */
  readonly driver: string;
  readonly openOptions: readonly string[];
  /** Empty: all. */
  readonly layers: readonly string[];
  /** Says, instead of what the data says, in which coordinate system they are: `EPSG:4326`. */
  readonly crs: string | undefined;
  /** Keys of features are kept. */
  readonly keepsKeys: boolean;
  /** Known to have no number of more than 15 digits. */
  readonly hasShortNumbers: boolean;
  /** Known to have heights. A driver that finds several types of geometry says of none that it has them, and they would be left out. */
  readonly hasHeights: boolean;
};

export type GdalResult =
  | { readonly ok: true; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly said: string };

export type Gdal = {
  /** Writes the layers as a dump to the descriptor; `onRead` is told now and then how many bytes of the source were read. */
  dump(source: VectorSource, output: number, onRead: (bytes: number) => void): Promise<GdalResult>;
  /** Every sheet of a workbook as a file of comma-separated values in the folder, which must not exist. */
  sheets(path: string, folder: string): Promise<GdalResult>;
  /** What `gdalinfo -json` says of a raster. */
  rasterInfo(
    path: string,
    driver: string,
  ): Promise<{ readonly ok: true; readonly info: unknown } | { readonly ok: false; readonly said: string }>;
  /** A cloud-optimised GeoTIFF of it. */
  makeCog(
    from: { readonly path: string; readonly driver: string },
    to: string,
    crs: string | undefined,
    onRead: (bytes: number) => void,
  ): Promise<GdalResult>;
  /** The layers of a file; none where it cannot be opened. */
  inspect(source: VectorSource): Promise<readonly InspectedLayer[]>;
};

/** For every program and every call. What a file could make GDAL open besides itself is switched off. */
export const GDAL_SETTINGS: Readonly<Record<string, string>> = {
  PG_USE_COPY: 'YES',
  // The faster road through GeoPackages fails in the compiled version.
  OGR2OGR_USE_ARROW_API: 'NO',
  OGR_SQLITE_ALLOW_EXTERNAL_ACCESS: 'NO',
  OGR_SQLITE_LOAD_EXTENSIONS: '',
  GML_SKIP_RESOLVE_ELEMS: 'ALL',
  // The other parser follows external entities.
  GML_PARSER: 'EXPAT',
  GML_DOWNLOAD_SCHEMA: 'NO',
  GDAL_DISABLE_READDIR_ON_OPEN: 'FALSE',
  // A name that no address can have: every other one is refused. An extension would be one that somebody else can use.
  CPL_VSIL_CURL_ALLOWED_FILENAME: '\u0001',
  CPL_VSIL_CURL_USE_HEAD: 'NO',
  GDAL_HTTP_TIMEOUT: '1',
  GDAL_HTTP_MAX_RETRY: '0',
  GDAL_CACHEMAX: '128',
  OGR_GEOJSON_MAX_OBJ_SIZE: '200',
  GDAL_PAM_ENABLED: 'NO',
  SHAPE_RESTORE_SHX: 'NO',
  // Cells of workbooks as they stand there: numbers of the driver's own would keep 15 digits.
  OGR_XLSX_FIELD_TYPES: 'STRING',
  // Which row has the names we find out by ourselves: where all cells are texts, it takes the names for values.
  OGR_XLSX_HEADERS: 'DISABLE',
};

export function dumpArguments(
  source: VectorSource,
  names: { readonly geometry: string; readonly key: string },
): string[] {
  const layerOptions = [
    'LAUNDER=NO',
    `GEOMETRY_NAME=${names.geometry}`,
    `FID=${names.key}`,
    'SPATIAL_INDEX=NONE',
    'PRECISION=NO',
    'CREATE_SCHEMA=OFF',
    'DROP_TABLE=OFF',
  ];
  return [
    '-f',
    'PGDump',
    '-nomd',
    '-unsetDefault',
    '-forceNullable',
    // Else numbers of shapefiles are written with as many decimals as the file declares: none are left of 1e-20.
    '-unsetFieldWidth',
    // GDAL refuses a multipolygon in a layer of polygons, which shapefiles are full of.
    '-nlt',
    'PROMOTE_TO_MULTI',
    '-nlt',
    'CONVERT_TO_LINEAR',
    ...(source.hasHeights ? ['-dim', 'XYZ'] : []),
    ...(source.keepsKeys ? ['-preserve_fid'] : ['-unsetFid']),
    ...(source.crs === undefined ? [] : ['-a_srs', source.crs]),
    ...layerOptions.flatMap((option) => ['-lco', option]),
  ];
}

/** Of `gdalinfo`. A GeoTIFF can name another file as the one with its overviews: that is in a domain of its own. */
export const INFO_ARGUMENTS: readonly string[] = ['-json', '-mdd', 'OVERVIEWS'];

export function cogArguments(crs: string | undefined): string[] {
  const creation = ['COMPRESS=DEFLATE', 'PREDICTOR=YES', 'BLOCKSIZE=512', 'OVERVIEWS=AUTO', 'BIGTIFF=IF_SAFER'];
  return [
    '-of',
    'COG',
    ...creation.flatMap((option) => ['-co', option]),
    ...(crs === undefined ? [] : ['-a_srs', crs]),
  ];
}

/** GDAL's lines on its error channel → errors and warnings, without the paths of this machine. */
export function parseGdalLines(lines: readonly string[], folder: string): { errors: string[]; warnings: string[] } {
  const errors: string[] = [];
  const warnings: string[] = [];
  let last: string[] | undefined;
  for (const line of lines) {
    const clean = line.replaceAll(`${folder}/`, '').replaceAll(folder, '');
    const found = /^(?:ERROR|Warning|FAILURE)\s*\d*:(.*)$/.exec(clean);
    if (found !== null) {
      last = clean.startsWith('Warning') ? warnings : errors;
      if (last.length < MAX_LINES) last.push((found[1] ?? '').trimStart().slice(0, MAX_LENGTH));
    } else if (last !== undefined && last.length > 0 && clean.trim() !== '') {
      // A message of several lines.
      const before = last.pop() ?? '';
      last.push(`${before} ${clean.trim()}`.slice(0, MAX_LENGTH));
    }
  }
  return { errors, warnings };
}

const MAX_LINES = 20;
const MAX_LENGTH = 500;

/** One run over some of the layers: all columns of them, or what a query asks of one. */
export type DumpStep = { readonly layers: readonly string[] } | { readonly query: string };

/** Each takes a run of its own, which opens the file again. */
const MAX_STEPS = 64;
/** Columns that warnings tell of. */
const MAX_NAMED = 20;

/** What is to be run, so that doubles keep all their digits, and what to say where they do not. */
export function dumpSteps(
  source: VectorSource,
  layers: readonly LayerDoubles[],
): { readonly steps: readonly DumpStep[]; readonly warnings: readonly string[] } {
  const wanted = layers.filter(({ layer }) => source.layers.length === 0 || source.layers.includes(layer));
  const queries = wanted.map(lowBitsQuery);
  const whole = [{ layers: source.layers }];
  const rounded = wanted.flatMap(roundedColumns).slice(0, MAX_NAMED);
  const warnings = rounded.map((name) => `Numbers of the column "${name.slice(0, 60)}" keep 15 digits.`);
  if (queries.every((query) => query === undefined)) return { steps: whole, warnings };
  if (wanted.length > MAX_STEPS)
    return { steps: whole, warnings: [`Numbers keep 15 digits: the file has more than ${MAX_STEPS} layers.`] };
  const steps = wanted.map(({ layer }, i): DumpStep => {
    const query = queries[i];
    return query === undefined ? { layers: [layer] } : { query };
  });
  return { steps, warnings };
}

export function stepArguments(step: DumpStep): string[] {
  // By GDAL's own dialect: that of SQLite has functions which reach further.
  return 'query' in step ? ['-dialect', 'OGRSQL', '-sql', step.query] : [];
}
