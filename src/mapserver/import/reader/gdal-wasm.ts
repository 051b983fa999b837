// GDAL compiled to WebAssembly, in this process. It sees the work folder and nothing else of the file system, has no network, and
// writes the dump through a device of ours straight to the descriptor.

import { join, relative } from 'node:path';
import { startGdal, WORK } from '../../gdal/start-gdal.ts';
import { GEOMETRY_COLUMN, KEY_COLUMN } from '../pgdump-reader.ts';
import { writeAll } from './dump-writer.ts';
import {
  cogArguments,
  dumpArguments,
  dumpSteps,
  GDAL_SETTINGS,
  type Gdal,
  type GdalResult,
  INFO_ARGUMENTS,
  parseGdalLines,
  stepArguments,
  type VectorSource,
} from './gdal.ts';
import type { LayerDoubles } from './low-bits.ts';

const OUTPUT = '/dump.sql';
const OPEN_RASTER = 0x02;
const OPEN_VECTOR = 0x04;
const VERBOSE_ERROR = 0x40;
const PROGRESS_BYTES = 1 << 20;

/** `maxWritten`: bytes of all files together. */
export async function startWasmGdal(folder: string, maxWritten: number): Promise<Gdal> {
  const { module, lines, call, strings } = await startGdal(folder, { ...GDAL_SETTINGS, CPL_LOG_ERRORS: 'ON' });
  const { FS } = module;

  let bytesRead = 0;
  let toldAt = 0;
  let onRead: (bytes: number) => void = () => {};
  const ops = module.NODEFS.stream_ops;
  const readFile = ops.read.bind(ops);
  ops.read = (...args) => {
    const count = readFile(...args);
    bytesRead += count;
    if (bytesRead - toldAt >= PROGRESS_BYTES) {
      toldAt = bytesRead;
      onRead(bytesRead);
    }
    return count;
  };

  let written = 0;
  const writeFile = ops.write.bind(ops);
  ops.write = (...args) => {
    const count = writeFile(...args);
    written += count;
    if (written > maxWritten) throw new Error('its content is larger than can be imported');
    return count;
  };

  /** Files of the work folder as the compiled program calls them. */
  const inside = (path: string): string => join(WORK, relative(folder, path));

  function open(path: string, driver: string, flags: number, options: readonly string[]): number {
    return call(
      'GDALOpenEx',
      ['string', 'number', 'number', 'number', 'number'],
      [inside(path), flags | VERBOSE_ERROR, strings([driver]), strings(options), 0],
    );
  }
  function close(dataset: number): void {
    if (dataset !== 0) module.ccall('GDALClose', null, ['number'], [dataset]);
  }

  /** The lines since the last call, judged. */
  function result(isDone: boolean): GdalResult {
    const { errors, warnings } = parseGdalLines(lines.splice(0), WORK);
    const said = errors[0];
    if (isDone && said === undefined) return { ok: true, warnings };
    return { ok: false, said: said ?? 'it is not what it seems to be' };
  }

  function translate(dataset: number, to: string, args: readonly string[]): boolean {
    const options = call('GDALVectorTranslateOptionsNew', ['number', 'number'], [strings(args), 0]);
    if (options === 0) return false;
    const list = module._malloc(4);
    module.setValue(list, dataset, '*');
    const types = ['string', 'number', 'number', 'number', 'number', 'number'];
    const made = call('GDALVectorTranslate', types, [to, 0, 1, list, options, 0]);
    close(made);
    return made !== 0;
  }

  function infoOf(dataset: number): Info {
    const args = strings(['-json', '-so', '-nomd', '-noextent', '-nocount']);
    const options = call('GDALVectorInfoOptionsNew', ['number', 'number'], [args, 0]);
    const text = module.ccall('GDALVectorInfo', 'string', ['number', 'number'], [dataset, options]);
    return JSON.parse(String(text));
  }

  return {
    async dump(source, output, tell) {
      onRead = tell;
      const dataset = open(source.path, source.driver, OPEN_VECTOR, source.openOptions);
      if (dataset === 0) return result(false);
      const device = FS.makedev(99, 0);
      FS.registerDevice(device, {
        open: () => {},
        close: () => {},
        read: () => 0,
        llseek: (_stream: unknown, offset: number) => offset,
        write(_stream: unknown, buffer: Int8Array, offset: number, length: number) {
          writeAll(output, new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length));
          return length;
        },
      });
      FS.mkdev(OUTPUT, device);
      const args = dumpArguments(source, { geometry: GEOMETRY_COLUMN, key: KEY_COLUMN });
      const { steps, warnings } = source.hasShortNumbers
        ? { steps: [{ layers: source.layers }], warnings: [] }
        : dumpSteps(source, doublesOf(infoOf(dataset)));
      const isDone = steps.every((step) =>
        translate(dataset, OUTPUT, [...args, ...stepArguments(step), ...('layers' in step ? step.layers : [])]),
      );
      close(dataset);
      const judged = result(isDone);
      return judged.ok ? { ok: true, warnings: [...warnings, ...new Set(judged.warnings)] } : judged;
    },

    async sheets(path, target) {
      const dataset = open(path, 'XLSX', OPEN_VECTOR, []);
      if (dataset === 0) return result(false);
      const isDone = translate(dataset, inside(target), ['-f', 'CSV']);
      close(dataset);
      return result(isDone);
    },

    async rasterInfo(path, driver) {
      const dataset = open(path, driver, OPEN_RASTER, []);
      if (dataset === 0) return notRead(result(false));
      const options = call('GDALInfoOptionsNew', ['number', 'number'], [strings(INFO_ARGUMENTS), 0]);
      const text = module.ccall('GDALInfo', 'string', ['number', 'number'], [dataset, options]);
      close(dataset);
      const judged = result(text !== '');
      return judged.ok ? { ok: true, info: JSON.parse(String(text)) } : judged;
    },

    async makeCog(from, to, crs, tell) {
      onRead = tell;
      const dataset = open(from.path, from.driver, OPEN_RASTER, []);
      if (dataset === 0) return result(false);
      const options = call('GDALTranslateOptionsNew', ['number', 'number'], [strings(cogArguments(crs)), 0]);
      const made = call('GDALTranslate', ['string', 'number', 'number', 'number'], [inside(to), dataset, options, 0]);
      close(made);
      close(dataset);
      return result(options !== 0 && made !== 0);
    },

    async inspect(source: VectorSource) {
      const dataset = open(source.path, source.driver, OPEN_VECTOR, source.openOptions);
      if (dataset === 0) return [];
      const info = infoOf(dataset);
      close(dataset);
      return layersOf(info);
    },
  };
}

function notRead(judged: GdalResult): { readonly ok: false; readonly said: string } {
  return judged.ok ? { ok: false, said: 'it cannot be opened' } : judged;
}

type InfoLayer = {
  readonly name?: string;
  readonly fields?: readonly { readonly name: string; readonly type: string; readonly subType?: string }[];
  readonly geometryFields?: readonly { readonly coordinateSystem?: { readonly wkt?: string } | null }[];
};

type Info = { readonly layers?: readonly InfoLayer[] };

function doublesOf(info: Info): LayerDoubles[] {
  return (info.layers ?? []).map(({ name = '', fields = [] }) => ({
    layer: name,
    columns: fields.map((field) => field.name),
    doubles: fields.flatMap(({ name, type, subType }) => (type === 'Real' && subType === undefined ? [name] : [])),
    lists: fields.flatMap(({ name, type, subType }) => (type === 'RealList' && subType === undefined ? [name] : [])),
  }));
}

function layersOf(info: Info): { name: string; crs: string | undefined }[] {
  // A table without places is in no coordinate system.
  return (info.layers ?? []).flatMap(({ name = '', geometryFields: [shape] = [] }) =>
    shape === undefined ? [] : [{ name, crs: shape.coordinateSystem?.wkt }],
  );
}
