// The process that runs GDAL compiled to WebAssembly: folder, name of the output and arguments of ogr2ogr → the output in the folder.
// It sees the folder and nothing else of the file system. Ends with 1 and a word about it on stderr where it fails.

import { startGdal, WORK } from '../gdal/start-gdal.ts';
import { NOT_OPENED, SOURCE } from './source-vrt.ts';

const OPEN_VECTOR = 0x04;

const [folder = '', output = '', ...args] = process.argv.slice(2);
const { module, lines, call, strings } = await startGdal(folder, {
  OGR2OGR_USE_ARROW_API: 'NO',
  GDAL_XML_VALIDATION: 'NO',
  CPL_LOG_ERRORS: 'ON',
  OGR_GEOJSON_MAX_OBJ_SIZE: '0',
});
const input = call(
  'GDALOpenEx',
  ['string', 'number', 'number', 'number', 'number'],
  [`${WORK}/${SOURCE}`, OPEN_VECTOR, 0, 0, 0],
);
const options = call('GDALVectorTranslateOptionsNew', ['number', 'number'], [strings(args), 0]);
let made = 0;
if (input !== 0 && options !== 0) {
  const list = module._malloc(4);
  module.setValue(list, input, '*');
  const types = ['string', 'number', 'number', 'number', 'number', 'number'];
  made = call('GDALVectorTranslate', types, [`${WORK}/${output}`, 0, 1, list, options, 0]);
}
if (made !== 0) module.ccall('GDALClose', null, ['number'], [made]);
if (made === 0 || lines.some((line) => line.includes(NOT_OPENED))) {
  process.stderr.write(`${lines.slice(0, 100).join('\n')}\n`);
  process.exitCode = 1;
}
