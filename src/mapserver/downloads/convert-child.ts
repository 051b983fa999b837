// The process that runs GDAL compiled to WebAssembly: folder, name of the output and arguments of ogr2ogr → the output in the folder.
// It sees the folder and nothing else of the file system. Ends with 1 and a word about it on stderr where it fails.

import { createRequire } from 'node:module';
import { dirname, relative } from 'node:path';
import { INPUT } from './gdal-formats.ts';

/** What we use of the compiled module. */
type Module = {
  readonly FS: { mkdir(path: string): void; mount(type: unknown, options: { root: string }, path: string): void };
  readonly NODEFS: unknown;
  readonly HEAPU32: Uint32Array;
  _malloc(bytes: number): number;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, pointer: number, bytes: number): void;
  setValue(pointer: number, value: number, type: string): void;
  ccall(name: string, result: string | null, types: readonly string[], values: readonly unknown[]): unknown;
};
type Start = (options: {
  path: string;
  env: Record<string, string>;
  logHandler: (line: string) => void;
  errorHandler: (line: string) => void;
}) => Promise<{ readonly Module: Module }>;

const OPEN_VECTOR = 0x04;

const [folder = '', output = '', ...args] = process.argv.slice(2);
const lines: string[] = [];
const keep = (line: string): void => {
  if (lines.length < 100) lines.push(line);
};
const require = createRequire(import.meta.url);
const home = dirname(require.resolve('gdal3.js/dist/package/gdal3WebAssembly.wasm'));
const start = require('gdal3.js/node.js') as Start;
const { Module: gdal } = await start({
  // It puts `./` before what it is given.
  path: relative(process.cwd(), home),
  env: { OGR2OGR_USE_ARROW_API: 'NO', CPL_LOG_ERRORS: 'ON', OGR_GEOJSON_MAX_OBJ_SIZE: '0' },
  logHandler: keep,
  errorHandler: keep,
});
gdal.FS.mkdir('/work');
gdal.FS.mount(gdal.NODEFS, { root: folder }, '/work');
const input = call(
  'GDALOpenEx',
  ['string', 'number', 'number', 'number', 'number'],
  [`/work/${INPUT}`, OPEN_VECTOR, 0, 0, 0],
);
const options = call('GDALVectorTranslateOptionsNew', ['number', 'number'], [strings(args), 0]);
let made = 0;
if (input !== 0 && options !== 0) {
  const list = gdal._malloc(4);
  gdal.setValue(list, input, '*');
  const types = ['string', 'number', 'number', 'number', 'number', 'number'];
  made = call('GDALVectorTranslate', types, [`/work/${output}`, 0, 1, list, options, 0]);
}
if (made !== 0) gdal.ccall('GDALClose', null, ['number'], [made]);
if (made === 0) {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = 1;
}

function call(name: string, types: readonly string[], values: readonly unknown[]): number {
  return Number(gdal.ccall(name, 'number', types, values));
}

function strings(list: readonly string[]): number {
  const pointers = list.map((text) => {
    const bytes = gdal.lengthBytesUTF8(text) + 1;
    const pointer = gdal._malloc(bytes);
    gdal.stringToUTF8(text, pointer, bytes);
    return pointer;
  });
  const array = gdal._malloc((pointers.length + 1) * 4);
  gdal.HEAPU32.set([...pointers, 0], array / 4);
  return array;
}
