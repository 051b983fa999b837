// GDAL's own programs, where they are installed: the same arguments as for the compiled one, several times faster. Each has a
// bounded address space. That they reach neither other files nor a network is the sandbox's doing, in which this process runs.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { EngineChoice } from '../import-task.ts';
import { readDumpHead } from '../pgdump-header.ts';
import { GEOMETRY_COLUMN, KEY_COLUMN } from '../pgdump-reader.ts';
import {
  cogArguments,
  type DumpStep,
  dumpArguments,
  dumpSteps,
  GDAL_SETTINGS,
  type Gdal,
  type GdalResult,
  INFO_ARGUMENTS,
  parseGdalLines,
  stepArguments,
} from './gdal.ts';
import type { LayerDoubles } from './low-bits.ts';
import { ogrinfoLayers } from './ogrinfo-layers.ts';

type Native = EngineChoice & { readonly kind: 'native' };

const PROGRESS_MS = 300;
const MAX_STDERR = 256 * 1024;
const MAX_STDOUT = 32 * 1024 * 1024;

export type NativeLimits = {
  readonly memoryBytes: number;
  /** Of any file that it writes. */
  readonly unpackedBytes: number;
};

export function makeNativeGdal(engine: Native, folder: string, limits: NativeLimits): Gdal {
  const running = new Set<ChildProcess>();
  // Whoever started this process is gone: so is everything that it started.
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL');
  });

  type Ran = { readonly result: GdalResult; readonly stdout: string };

  function run(
    program: string,
    args: readonly string[],
    drivers: readonly string[],
    output: number | 'pipe',
    onRead: (bytes: number) => void,
  ): Promise<Ran> {
    const kilobytes = Math.floor(limits.memoryBytes / 1024);
    // Shells count files in halves of kilobytes, some in whole ones.
    const blocks = Math.ceil(limits.unpackedBytes / 512);
    const limited = [
      'sh',
      '-c',
      'ulimit -v "$1" 2>/dev/null; ulimit -f "$2" 2>/dev/null; shift 2; exec "$@"',
      'sh',
      String(kilobytes),
      String(blocks),
      program,
      ...args,
    ];
    const [command = '', ...rest] = limited;
    const unwanted = (all: readonly string[]): string => all.filter((name) => !drivers.includes(name)).join(',');
    const child = spawn(command, rest, {
      cwd: folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        LC_ALL: 'C.UTF-8',
        HOME: folder,
        PROJ_NETWORK: 'OFF',
        ...GDAL_SETTINGS,
        // Nothing is opened by a driver that was not meant.
        OGR_SKIP: unwanted(engine.vectorDrivers),
        GDAL_SKIP: unwanted(engine.rasterDrivers),
      },
      stdio: ['ignore', output, 'pipe'],
    });
    running.add(child);
    const watch = setInterval(() => void bytesReadBy(child.pid).then(onRead), PROGRESS_MS);
    let stderr = '';
    let stdout = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < MAX_STDERR) stderr += text;
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length < MAX_STDOUT) stdout += text;
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        clearInterval(watch);
        running.delete(child);
        const { errors, warnings } = parseGdalLines(stderr.split('\n'), folder);
        const said = errors[0];
        if (code === 0 && said === undefined) return resolve({ result: { ok: true, warnings }, stdout });
        // A program that was killed has not said why.
        const how = signal === null ? 'it is not what it seems to be' : `reading it ended with ${signal}`;
        resolve({ result: { ok: false, said: said ?? how }, stdout });
      });
    });
  }

  return {
    async dump(source, output, onRead) {
      const dump = (step: DumpStep, more: readonly string[], to: number | 'pipe'): Promise<Ran> => {
        const args = [
          ...dumpArguments(source, { geometry: GEOMETRY_COLUMN, key: KEY_COLUMN }),
          ...source.openOptions.flatMap((option) => ['-oo', option]),
          ...stepArguments(step),
          ...more,
          '/vsistdout/',
          source.path,
          ...('layers' in step ? step.layers : []),
        ];
        return run(engine.ogr2ogr, args, [source.driver, 'PGDUMP'], to, onRead);
      };
      const whole: DumpStep = { layers: source.layers };
      if (source.hasShortNumbers) return (await dump(whole, [], output)).result;
      // The head of the dump tells the columns.
      const head = await dump(whole, ['-limit', '0'], 'pipe');
      if (!head.result.ok) return head.result;
      const { steps, warnings } = dumpSteps(source, layersOf(head.stdout));
      const said = new Set(warnings);
      for (const step of steps) {
        const { result } = await dump(step, [], output);
        if (!result.ok) return result;
        for (const warning of result.warnings) said.add(warning);
      }
      return { ok: true, warnings: [...said] };
    },
    async sheets(path, target) {
      return (await run(engine.ogr2ogr, ['-f', 'CSV', target, path], ['XLSX', 'CSV'], 'pipe', () => {})).result;
    },
    async rasterInfo(path, driver) {
      const { result, stdout } = await run(engine.gdalinfo, [...INFO_ARGUMENTS, path], [driver], 'pipe', () => {});
      return result.ok ? { ok: true, info: JSON.parse(stdout) } : result;
    },
    async makeCog(from, to, crs, onRead) {
      const args = ['-q', ...cogArguments(crs), from.path, to];
      return (await run(engine.gdalTranslate, args, [from.driver, 'GTiff', 'COG', 'MEM'], 'pipe', onRead)).result;
    },
    async inspect({ path, driver, openOptions }) {
      const args = [
        '-ro',
        '-so',
        '-al',
        '-wkt_format',
        'WKT2',
        ...openOptions.flatMap((option) => ['-oo', option]),
        path,
      ];
      const { result, stdout } = await run(engine.ogrinfo, args, [driver], 'pipe', () => {});
      return result.ok ? ogrinfoLayers(stdout) : [];
    },
  };
}

/** What a dump without rows tells of its layers. */
function layersOf(dump: string): LayerDoubles[] {
  return readDumpHead(dump).map(({ name, columns }) => ({
    layer: name,
    columns: columns.map((column) => column.name),
    doubles: columns.flatMap((column) => (column.type === 'float8' ? [column.name] : [])),
    lists: columns.flatMap((column) => (column.type === 'float8[]' ? [column.name] : [])),
  }));
}

/** Linux counts them; elsewhere nobody knows. */
async function bytesReadBy(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8').catch(() => '');
  return Number(/^rchar: (\d+)/m.exec(text)?.[1] ?? 0);
}
