// The form of an upload → what is wanted, checked as far as that is possible without looking into the files. Pure.

import { PERMISSION_NAMES } from '../../auth/permission-names.ts';
import { parseCrs as parseCrsName } from '../../geo/crs.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Answers } from './importer-port.ts';
import { parseTableChoices } from './table-choices.ts';
import type { WantedSource } from './upload-row.ts';

export type ReceivedFile = {
  /** Name of the part. */
  readonly field: string;
  /** As its sender calls it, without folders. */
  readonly name: string;
  readonly blob: string;
  readonly size: number;
};

/** What becomes of the data. */
export type Target =
  | { readonly kind: 'new' }
  | { readonly kind: 'replace'; readonly layer: number }
  | { readonly kind: 'append'; readonly layer: number };

export type UploadOrder = {
  /** Of the layer, before anybody looked whether it is taken. */
  readonly name: string;
  readonly title: string | undefined;
  readonly abstract: string | undefined;
  readonly isTimed: boolean;
  /** Undefined: the defaults. */
  readonly permissions: PermissionSpec | undefined;
  readonly answers: Answers;
  readonly files: readonly (ReceivedFile & { readonly base: boolean })[];
  /** Where the file was fetched from, which the layer follows. */
  readonly source?: WantedSource;
};

export type PermissionSpec = {
  readonly users?: Readonly<Record<string, readonly string[]>>;
  readonly groups?: Readonly<Record<string, readonly string[]>>;
};

/** What a form says of an upload besides its files; what it does not say is undefined. */
export type Wishes = {
  readonly title: string | undefined;
  readonly abstract: string | undefined;
  readonly isTimed: boolean | undefined;
  readonly permissions: PermissionSpec | undefined;
  readonly answers: Answers;
};

/** What is wrong with a wish, and under which name. */
export type WishFault = { readonly field: string; readonly message: string };

export type OrderFault =
  | { readonly kind: 'empty' }
  | { readonly kind: 'invalid'; readonly messages: readonly string[] };

const BASE_EXTENSIONS: ReadonlySet<string> = new Set(
  `shp zip kmz kml csv tsv txt xlsx geojson json geojsonl geojsons ndjson ndgeojson jsonl gpkg gml gpx fgb tif tiff geotif
   geotiff asc img png jpg jpeg`.split(/\s+/),
);
/** With a shapefile, or beside anything. */
const SIDE_EXTENSIONS: ReadonlySet<string> = new Set(
  'dbf shx prj cpg qix sbn sbx qpj qmd cst xml sld wld pgw pngw jgw jpgw jpegw tfw tifw tiffw'.split(' '),
);
/** Rasters that only GDAL's own programs read here; what they make of them can be sent. */
const OTHER_RASTERS: ReadonlySet<string> = new Set(
  'jp2 j2k ecw sid ntf nc grb grib grib2 hdf h5 vrt bil bsq dem hgt bmp gif webp'.split(' '),
);

const PERMISSIONS: ReadonlySet<string> = new Set(PERMISSION_NAMES);

export function parseOrder(
  fields: Readonly<Record<string, string>>,
  files: readonly ReceivedFile[],
): Result<UploadOrder, OrderFault> {
  if (files.length === 0) return err({ kind: 'empty' });
  const messages: string[] = [];
  const base = findBase(files);
  if (base === undefined) messages.push(noBase(files));
  else messages.push(...missingParts(base, files));

  const wishes = parseUploadWishes(fields);
  if (!wishes.ok) messages.push(...wishes.error.map(({ field, message }) => `${field}: ${message}`));
  if (messages.length > 0 || base === undefined || !wishes.ok) return err({ kind: 'invalid', messages });
  return ok({
    ...wishes.value,
    name: layerName(base.name),
    isTimed: wishes.value.isTimed === true,
    files: files.map((file) => ({ ...file, base: file === base })),
  });
}

/** Names under which wishes are sent, in forms and in answers to questions. */
const WISH_NAMES: ReadonlySet<string> = new Set(
  'permissions layer_title dataset_title title abstract time charset crs srs source x lng lon y lat wkt places sheet missing key table'.split(
    ' ',
  ),
);

/**
 * What forms of GeoNode can ask for and nobody does here: an upload that asks for it is refused with the remedy, since one that was done in
 * another way would be a surprise. Switched off they say nothing.
 */
const NOT_DONE: ReadonlyMap<string, string> = new Map([
  [
    'overwrite_existing_layer',
    'An upload always makes a new layer. Replace the rows of a layer with PUT /api/v2/layers/{id}/replace/.',
  ],
  [
    'skip_existing_layers',
    'An upload always makes a new layer. Ask for GET /api/v2/layers/?filter{name}=… first, and send what is not there.',
  ],
  ['mosaic', 'Rasters are not put together: send one file for each layer.'],
  ['append_to_mosaic_opts', 'Rasters are not put together: send one file for each layer.'],
  ['metadata_upload_form', 'Metadata are not uploaded: send them with PATCH /api/v2/layers/{id}/.'],
  ['style_upload_form', 'A style alone is sent with PUT /styles/{id}/{name}.sld.'],
]);

/** Comes along with forms of pages and says nothing of the upload. */
const SILENT: ReadonlySet<string> = new Set(['csrfmiddlewaretoken', 'force_ajax', 'id']);
const MAX_NAMES = 20;

/** Names that mean nothing here, each cut to what can be shown. */
export function unknownNames(fields: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(fields)
    .filter((name) => !WISH_NAMES.has(name) && !SILENT.has(name) && !NOT_DONE.has(name))
    .slice(0, MAX_NAMES)
    .map((name) => name.slice(0, 100));
}

export function parseUploadWishes(fields: Readonly<Record<string, string>>): Result<Wishes, readonly WishFault[]> {
  const faults: WishFault[] = [];
  const permissions = parsePermissions(fields['permissions']);
  if (!permissions.ok) faults.push({ field: 'permissions', message: permissions.error });
  const title = given(fields['layer_title']) ?? given(fields['dataset_title']) ?? given(fields['title']);
  if (title !== undefined && [...title].length > 255)
    faults.push({ field: 'layer_title', message: 'Ensure this field has no more than 255 characters.' });
  const abstract = given(fields['abstract']);
  if (abstract !== undefined && [...abstract].length > 2000)
    faults.push({ field: 'abstract', message: 'Ensure this field has no more than 2000 characters.' });
  const time = given(fields['time']);
  const isTimed = time === undefined ? undefined : flagIn(time);
  if (time !== undefined && isTimed === undefined)
    faults.push({ field: 'time', message: `"${time.slice(0, 50)}" is neither true nor false.` });
  for (const [field, message] of NOT_DONE) {
    const asked = given(fields[field]);
    if (asked !== undefined && flagIn(asked) !== false) faults.push({ field, message });
  }
  const crs = crsGiven(fields);
  if (crs !== undefined && parseCrs(crs) === undefined)
    faults.push({ field: 'crs', message: `"${crs.slice(0, 50)}" is not a code like EPSG:4326.` });
  const places = given(fields['places']);
  if (places !== undefined && places !== 'none')
    faults.push({ field: 'places', message: `Must be "none": a table without places.` });
  const table = given(fields['table']);
  const choices = table === undefined ? undefined : parseTableChoices(table);
  if (choices?.ok === false) faults.push({ field: 'table', message: choices.error });
  const missing = given(fields['missing']);
  if (missing !== undefined && missingGiven(fields) === undefined)
    faults.push({ field: 'missing', message: 'Must be "keep", "empty" or "ask".' });
  return faults.length > 0 || !permissions.ok
    ? err(faults)
    : ok({ title, abstract, isTimed, permissions: permissions.value, answers: parseAnswers(fields) });
}

/** Excel has 31 characters for it; other programs take more. */
const MAX_SHEET_NAME = 255;

/** Also of the answer to a question. */
export function parseAnswers(fields: Readonly<Record<string, string>>): Answers {
  const crs = parseCrs(crsGiven(fields) ?? '');
  const charset = given(fields['charset']);
  const x = given(fields['x'] ?? fields['lng'] ?? fields['lon']);
  const y = given(fields['y'] ?? fields['lat']);
  const wkt = given(fields['wkt']);
  const sheet = given(fields['sheet'])?.slice(0, MAX_SHEET_NAME);
  const missing = missingGiven(fields);
  const key = given(fields['key'])?.slice(0, MAX_SHEET_NAME);
  const table = parseTableChoices(given(fields['table']) ?? '{}');
  return {
    ...(charset === undefined ? {} : { charset }),
    ...(crs === undefined ? {} : { crs }),
    ...(x === undefined ? {} : { x }),
    ...(y === undefined ? {} : { y }),
    ...(wkt === undefined ? {} : { wkt }),
    ...(fields['places'] === 'none' ? { places: 'none' as const } : {}),
    ...(sheet === undefined ? {} : { sheet }),
    ...(missing === undefined ? {} : { missing }),
    ...(key === undefined ? {} : { key }),
    ...(table.ok && Object.keys(table.value).length > 0 ? { table: table.value } : {}),
  };
}

function missingGiven(fields: Readonly<Record<string, string>>): Answers['missing'] {
  const said = given(fields['missing']);
  return said === 'keep' || said === 'empty' || said === 'ask' ? said : undefined;
}

/** As it was written, under any of its names. */
export function crsGiven(fields: Readonly<Record<string, string>>): string | undefined {
  return given(fields['crs'] ?? fields['srs'] ?? fields['source']);
}

/** `EPSG:4326`, `epsg:4326`, `4326`, and the long names of OGC services. */
export function parseCrs(text: string): string | undefined {
  const name = text.trim();
  const code = /^(?:EPSG::)?(\d{4,6})$/i.exec(name)?.[1] ?? parseCrsName(name)?.srid;
  return code === undefined ? undefined : `EPSG:${Number(code)}`;
}

function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === '' ? undefined : trimmed;
}

/** Undefined: it is neither. */
function flagIn(word: string): boolean | undefined {
  if (/^(?:true|1|yes|on)$/i.test(word)) return true;
  return /^(?:false|0|no|off)$/i.test(word) ? false : undefined;
}

/** The part that says it is; else the first file that can be one. */
function findBase(files: readonly ReceivedFile[]): ReceivedFile | undefined {
  const named = files.find(({ field }) => field === 'base_file');
  // Some clients send the shapefile's parts with the .dbf first.
  if (named !== undefined && BASE_EXTENSIONS.has(extensionOf(named.name))) return named;
  return files.find(({ name }) => BASE_EXTENSIONS.has(extensionOf(name)));
}

function noBase(files: readonly ReceivedFile[]): string {
  const strangers = files.filter(({ name }) => !SIDE_EXTENSIONS.has(extensionOf(name)));
  const [stranger] = strangers;
  if (stranger === undefined)
    return `The main file is missing: ${files.map(({ name }) => name).join(', ')} are only parts of one.`;
  return `${stranger.name}: files of the type "${extensionOf(stranger.name)}" cannot be imported.${OTHER_RASTERS.has(extensionOf(stranger.name)) ? ' Save it as a GeoTIFF (gdal_translate), and send that.' : ''} Supported are: ${[...BASE_EXTENSIONS].join(', ')}.`;
}

function missingParts(base: ReceivedFile, files: readonly ReceivedFile[]): string[] {
  if (extensionOf(base.name) !== 'shp') return [];
  return ['dbf', 'shx']
    .filter((part) => !files.some(({ name }) => extensionOf(name) === part))
    .map((part) => `Could not find ${part} file, which is mandatory for shapefile uploads`);
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

const MAX_NAME = 60;

/** Lower case, so that nobody has to quote it in SQL: letters, digits, `_` and `.`; no digit first. A few characters are left for what makes it unique. */
export function layerName(file: string): string {
  const dot = file.lastIndexOf('.');
  const stem = dot <= 0 ? file : file.slice(0, dot);
  const clean = [
    ...stem
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_.]+/gu, '_'),
  ]
    .slice(0, MAX_NAME)
    .join('');
  if (clean.replace(/[_.]/g, '') === '') return 'layer';
  return /^\p{N}/u.test(clean) ? `_${clean}` : clean;
}

/** Undefined: nothing was said. Users or groups of which none are named were: then it is for nobody else. */
function parsePermissions(text: string | undefined): Result<PermissionSpec | undefined, string> {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '' || trimmed === 'null') return ok(undefined);
  let spec: unknown;
  try {
    spec = JSON.parse(trimmed);
  } catch {
    return err('This is not JSON.');
  }
  if (!isObject(spec)) return err('An object with "users" and "groups" is expected.');
  let isSaid = false;
  for (const [member, principals] of Object.entries(spec)) {
    if (member !== 'users' && member !== 'groups') return err(`Unknown member "${member.slice(0, 50)}".`);
    if (principals === null) continue;
    isSaid = true;
    if (!isObject(principals)) return err(`"${member}" must be an object of names and permission lists.`);
    for (const [name, list] of Object.entries(principals)) {
      if (!Array.isArray(list)) return err(`Those of "${name.slice(0, 150)}" must be a list.`);
      for (const permission of list) {
        if (typeof permission !== 'string' || !PERMISSIONS.has(permission))
          return err(`Unknown permission "${String(permission).slice(0, 50)}".`);
      }
    }
  }
  return ok(isSaid ? (spec as PermissionSpec) : undefined);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
