// Which GDAL there is: the programs of the system, where they are installed and new enough, else the one that came with us.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { EngineChoice } from './import-task.ts';

const run = promisify(execFile);

/** The options used here all work since this one. */
const OLDEST = [3, 4] as const;
const PROBE_MS = 10_000;

export async function findGdal(): Promise<EngineChoice> {
  let drivers: readonly string[];
  try {
    const { stdout } = await run('ogr2ogr', ['--version'], { timeout: PROBE_MS });
    const [major = 0, minor = 0] = (/GDAL (\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number);
    if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) return { kind: 'wasm' };
    await Promise.all(['gdalinfo', 'gdal_translate'].map((name) => run(name, ['--version'], { timeout: PROBE_MS })));
    drivers = driversIn((await run('ogr2ogr', ['--formats'], { timeout: PROBE_MS })).stdout);
  } catch {
    return { kind: 'wasm' };
  }
  return {
    kind: 'native',
    ogr2ogr: 'ogr2ogr',
    gdalinfo: 'gdalinfo',
    gdalTranslate: 'gdal_translate',
    drivers,
    isolate: await findIsolation(),
  };
}

/** Lines like `  ESRI Shapefile -vector- (rw+uv): ESRI Shapefile`. */
function driversIn(formats: string): string[] {
  return formats.split('\n').flatMap((line) => /^\s+(\S.*?) -(?:raster|vector|multidimensional)/.exec(line)?.[1] ?? []);
}

/** Without a network there is nothing that a file could make GDAL fetch. Not every system lets us do it. */
async function findIsolation(): Promise<readonly string[]> {
  const command = ['unshare', '--map-root-user', '--net', '--'];
  try {
    await run(command[0] ?? '', [...command.slice(1), 'true'], { timeout: PROBE_MS });
    return command;
  } catch {
    return [];
  }
}
