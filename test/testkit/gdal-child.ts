// The process behind `gdal-programs.ts`: runs GDAL's programs by the functions behind them, in the folder that it is started in. A line
// of JSON in is one run, a line out is what it said, or why it failed.

import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { startGdal, WORK } from '../../src/mapserver/gdal/start-gdal.ts';
import type { GdalProgram, GdalRun, GdalSaid } from './gdal-programs.ts';

const RASTER = 0x02;
const VECTOR = 0x04;
const UPDATE = 0x01;
const VERBOSE_ERROR = 0x40;

/** How many words belong to an option, where it is not one. */
const LENGTHS: Readonly<Record<string, number>> = {
  '-a_ullr': 4,
  '-outsize': 2,
  '-srcwin': 4,
  '-projwin': 4,
  '-te': 4,
  '-ts': 2,
  '-tr': 2,
  '-spat': 4,
  '-scale': 4,
  '--config': 2,
};
const FLAGS: ReadonlySet<string> = new Set(
  '-q -update -append -overwrite -preserve_fid -unsetFid -ro -al -so -json -separate -geom=NO -nomd -skipfailures -stats -hist -nogcp -noct -dstalpha'.split(
    ' ',
  ),
);

type Parsed = {
  readonly options: readonly string[];
  readonly openOptions: readonly string[];
  readonly config: readonly (readonly [name: string, value: string])[];
  readonly names: readonly string[];
  /** Of `ogrinfo`. */
  readonly statements: readonly string[];
};

function parseArgs(program: GdalProgram, args: readonly string[]): Parsed {
  const parsed = {
    options: [] as string[],
    openOptions: [] as string[],
    config: [] as [string, string][],
    names: [] as string[],
    statements: [] as string[],
  };
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i] ?? '';
    if (!word.startsWith('-')) {
      parsed.names.push(word);
      continue;
    }
    const length = FLAGS.has(word) || /^-\w+=/.test(word) ? 0 : (LENGTHS[word] ?? 1);
    const values = args.slice(i + 1, i + 1 + length);
    i += length;
    if (word === '-oo') parsed.openOptions.push(...values);
    else if (word === '-sql' && program === 'ogrinfo') parsed.statements.push(...values);
    else if (word === '--config') parsed.config.push([values[0] ?? '', values[1] ?? '']);
    // Of the programs, not of the functions behind them.
    else if (word !== '-ro' && (word !== '-q' || program === 'ogrinfo')) parsed.options.push(word, ...values);
  }
  return parsed;
}

async function start(folder: string): Promise<(run: GdalRun) => string> {
  const { module, lines, call, strings } = await startGdal(folder, { CPL_LOG_ERRORS: 'ON' });
  const inside = (name: string): string => {
    if (name.startsWith('/vsizip/')) return `/vsizip/${inside(name.slice('/vsizip/'.length))}`;
    return isAbsolute(name) ? join(WORK, relative(folder, name)) : join(WORK, name);
  };

  function open(name: string, flags: number, openOptions: readonly string[] = []): number {
    const types = ['string', 'number', 'number', 'number', 'number'];
    const dataset = call('GDALOpenEx', types, [inside(name), flags | VERBOSE_ERROR, 0, strings(openOptions), 0]);
    if (dataset === 0) throw new Error(`${name} cannot be opened: ${lines.splice(0).join('\n')}`);
    return dataset;
  }
  const close = (dataset: number): unknown => module.ccall('GDALClose', null, ['number'], [dataset]);
  const listOf = (datasets: readonly number[]): number => {
    const list = module._malloc(4 * datasets.length);
    for (const [i, dataset] of datasets.entries()) module.setValue(list + 4 * i, dataset, '*');
    return list;
  };
  const optionsOf = (kind: string, options: readonly string[]): number => {
    const made = call(`GDAL${kind}OptionsNew`, ['number', 'number'], [strings(options), 0]);
    if (made === 0) throw new Error(`options are not taken: ${options.join(' ')}: ${lines.splice(0).join('\n')}`);
    return made;
  };
  const textOf = (name: string, dataset: number, options: number): string =>
    String(module.ccall(name, 'string', ['number', 'number'], [dataset, options]));

  let outputs = 0;
  function ogr2ogr({ options, openOptions, names: [target = '', source = '', ...layers] }: Parsed): string {
    const isStdout = target === '/vsistdout/';
    // A name of its own each time: it does not notice that somebody else removed one.
    outputs += 1;
    const written = isStdout ? `survest-stdout-${outputs}` : target;
    const from = open(source, VECTOR, openOptions);
    // The format is told by the ending, as the program does it.
    const made = call(
      'GDALVectorTranslate',
      ['string', 'number', 'number', 'number', 'number', 'number'],
      [inside(written), 0, 1, listOf([from]), optionsOf('VectorTranslate', [...options, ...layers]), 0],
    );
    if (made !== 0) close(made);
    close(from);
    if (made === 0) throw new Error(`${target} was not written: ${lines.splice(0).join('\n')}`);
    if (!isStdout) return '';
    return readFileSync(join(folder, written), 'utf8');
  }

  function write(
    kind: string,
    make: (options: number, sources: readonly number[]) => number,
    parsed: Parsed,
    names: readonly string[],
  ): string {
    const sources = names.map((name) => open(name, RASTER, parsed.openOptions));
    const made = make(optionsOf(kind, parsed.options), sources);
    if (made !== 0) close(made);
    for (const source of sources) close(source);
    if (made === 0) throw new Error(`nothing was written: ${lines.splice(0).join('\n')}`);
    return '';
  }

  function runOne(program: GdalProgram, parsed: Parsed): string {
    const [first = '', ...others] = parsed.names;
    switch (program) {
      case 'ogr2ogr':
        return ogr2ogr(parsed);
      case 'ogrinfo': {
        const isUpdate = parsed.statements.some((sql) => /^(?:create|update|insert|drop|delete) /i.test(sql));
        const dataset = open(first, VECTOR | (isUpdate ? UPDATE : 0), parsed.openOptions);
        // Several statements are one after the other, while it is open.
        const asked = parsed.statements.length === 0 ? [[]] : parsed.statements.map((sql) => ['-sql', sql]);
        const texts = asked.map((sql) =>
          textOf('GDALVectorInfo', dataset, optionsOf('VectorInfo', [...parsed.options, ...sql, ...others])),
        );
        close(dataset);
        return texts.join('');
      }
      case 'gdalinfo': {
        const dataset = open(first, RASTER, parsed.openOptions);
        const text = textOf('GDALInfo', dataset, optionsOf('Info', parsed.options));
        close(dataset);
        return text;
      }
      case 'gdal_translate':
        return write(
          'Translate',
          (options, [source = 0]) =>
            call(
              'GDALTranslate',
              ['string', 'number', 'number', 'number'],
              [inside(others[0] ?? ''), source, options, 0],
            ),
          parsed,
          [first],
        );
      case 'gdalwarp': {
        const types = ['string', 'number', 'number', 'number', 'number', 'number'];
        const target = others.at(-1) ?? '';
        return write(
          'WarpApp',
          (options, all) => call('GDALWarp', types, [inside(target), 0, all.length, listOf(all), options, 0]),
          parsed,
          parsed.names.slice(0, -1),
        );
      }
      case 'gdalbuildvrt': {
        const types = ['string', 'number', 'number', 'number', 'number', 'number'];
        return write(
          'BuildVRT',
          (options, all) => call('GDALBuildVRT', types, [inside(first), all.length, listOf(all), 0, options, 0]),
          parsed,
          others,
        );
      }
    }
  }

  return ({ program, args }) => {
    const parsed = parseArgs(program, args);
    lines.splice(0);
    const set = (name: string, value: string | null): unknown =>
      module.ccall('CPLSetConfigOption', null, ['string', 'string'], [name, value]);
    for (const [name, value] of parsed.config) set(name, value);
    try {
      const text = runOne(program, parsed);
      const wrong = lines.find((line) => line.startsWith('ERROR'));
      if (wrong !== undefined) throw new Error(`${program} ${parsed.names.join(' ')}: ${wrong}`);
      return text;
    } finally {
      for (const [name] of parsed.config) set(name, null);
    }
  };
}

const run = await start(process.cwd());
for await (const line of createInterface({ input: process.stdin })) {
  let said: GdalSaid;
  try {
    said = { ok: true, text: run(JSON.parse(line) as GdalRun) };
  } catch (error) {
    said = { ok: false, text: error instanceof Error ? error.message : String(error) };
  }
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
