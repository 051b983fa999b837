// Which GDAL reads strangers' files. The programs of the system are several times faster, and see whatever the process that runs
// them sees: they are taken only where they can be shut in. Else it is the GDAL that came with us, compiled to WebAssembly, whose
// file system is one folder.

import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { findSandbox } from '../gdal/find-sandbox.ts';
import { inSandbox, type Sandbox } from '../gdal/sandbox.ts';
import type { EngineChoice } from './import-task.ts';

const run = promisify(execFile);

/** The options used here all work since this one. */
const OLDEST = [3, 4] as const;
const PROBE_MS = 10_000;
const PROGRAMS = ['ogr2ogr', 'ogrinfo', 'gdalinfo', 'gdal_translate'] as const;

/** `guarded`: what files must never lead to, such as the settings and everybody's data. */
export async function findGdal(guarded: readonly string[] = []): Promise<EngineChoice> {
  const isInstalled = await isNewEnough(['ogr2ogr', '--version']);
  const sandbox = await findSandbox(guarded);
  if (!sandbox.ok) return { kind: 'wasm', ...(isInstalled ? { why: `no sandbox can be had: ${sandbox.error}` } : {}) };
  if (!isInstalled) return { kind: 'wasm', sandbox: sandbox.value };
  const drivers = await driversInside(sandbox.value);
  if (drivers === undefined)
    return { kind: 'wasm', sandbox: sandbox.value, why: `${PROGRAMS.join(', ')} do not run in the sandbox` };
  return {
    kind: 'native',
    ogr2ogr: 'ogr2ogr',
    ogrinfo: 'ogrinfo',
    gdalinfo: 'gdalinfo',
    gdalTranslate: 'gdal_translate',
    ...drivers,
    sandbox: sandbox.value,
  };
}

async function isNewEnough(command: readonly string[]): Promise<boolean> {
  try {
    const [program = '', ...args] = command;
    const { stdout } = await run(program, args, { timeout: PROBE_MS });
    const [major = 0, minor = 0] = (/GDAL (\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number);
    return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  } catch {
    return false;
  }
}

/** Undefined: one of the programs is not there, or does not run where it has to. */
async function driversInside(
  sandbox: Sandbox,
): Promise<{ readonly vectorDrivers: readonly string[]; readonly rasterDrivers: readonly string[] } | undefined> {
  const inside = (...command: string[]): readonly string[] =>
    inSandbox(sandbox, { folder: tmpdir(), readable: [] }, command);
  for (const program of PROGRAMS) if (!(await isNewEnough(inside(program, '--version')))) return undefined;
  const driversOf = async (name: string): Promise<readonly string[]> => {
    const [program = '', ...args] = inside(name, '--formats');
    return driversIn((await run(program, args, { timeout: PROBE_MS })).stdout);
  };
  const [vectorDrivers, raster] = await Promise.all([driversOf('ogr2ogr'), driversOf('gdalinfo')]);
  return { vectorDrivers, rasterDrivers: raster.filter((name) => !vectorDrivers.includes(name)) };
}

/** Lines like `  ESRI Shapefile -vector- (rw+uv): ESRI Shapefile`. */
function driversIn(formats: string): string[] {
  return formats.split('\n').flatMap((line) => /^\s+(\S.*?) -(?:raster|vector|multidimensional)/.exec(line)?.[1] ?? []);
}
