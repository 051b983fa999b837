// The process that runs GDAL compiled to WebAssembly: folder, name of the output, statements of SQL to be run in it (JSON) and
// arguments of ogr2ogr → the output in the folder. It sees the folder and nothing else of the file system. Ends with 1 and a word about
// it on stderr where it fails.

import { startGdal, WORK } from '../gdal/start-gdal.ts';
import { NOT_OPENED, SOURCE } from './source-vrt.ts';

const OPEN_VECTOR = 0x04;
const OPEN_UPDATE = 0x01;

const [folder = '', output = '', statements = '[]', ...args] = process.argv.slice(2);
const { module, lines, call, strings } = await startGdal(folder, {
  OGR2OGR_USE_ARROW_API: 'NO',
  GDAL_XML_VALIDATION: 'NO',
  CPL_LOG_ERRORS: 'ON',
  OGR_GEOJSON_MAX_OBJ_SIZE: '0',
  SQLITE_TMPDIR: WORK,
});

const isMade =
  translate(SOURCE, OPEN_VECTOR, `${WORK}/${output}`, args) && !lines.some((line) => line.includes(NOT_OPENED));
if (!isMade || !(JSON.parse(statements) as string[]).every(execute)) {
  process.stderr.write(`${lines.slice(0, 100).join('\n')}\n`);
  process.exitCode = 1;
}

function translate(file: string, flags: number, to: string, options: readonly string[]): boolean {
  const input = call(
    'GDALOpenEx',
    ['string', 'number', 'number', 'number', 'number'],
    [`${WORK}/${file}`, flags, 0, 0, 0],
  );
  const parsed = call('GDALVectorTranslateOptionsNew', ['number', 'number'], [strings(options), 0]);
  let made = 0;
  if (input !== 0 && parsed !== 0) {
    const list = module._malloc(4);
    module.setValue(list, input, '*');
    const types = ['string', 'number', 'number', 'number', 'number', 'number'];
    made = call('GDALVectorTranslate', types, [to, 0, 1, list, parsed, 0]);
  }
  for (const dataset of [made, input]) if (dataset !== 0) module.ccall('GDALClose', null, ['number'], [dataset]);
  return made !== 0;
}

/** SQL in the output. The module has no function for it alone: what it results in, nothing, is translated into memory. */
function execute(statement: string): boolean {
  const said = lines.length;
  const isDone = translate(output, OPEN_VECTOR | OPEN_UPDATE, '', ['-f', 'Memory', '-sql', statement]);
  return isDone && !lines.slice(said).some((line) => line.startsWith('ERROR '));
}
