// What tests need of the machine besides Node.js, PostgreSQL and what the program packages: each with the package of Debian that has it.
// A test that makes its own files needs none of these (`gdal-programs.ts`).

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export type MachineProgram =
  | 'gdal'
  | 'gdal for Python'
  | 'owslib'
  | 'geopandas'
  | 'sf for R'
  | 'mapserver'
  | 'chromium'
  | 'git'
  | 'openssl'
  | 'bubblewrap'
  | 'pgbouncer';

/** Python of the system, which has the packages of the system. */
export const PYTHON = '/usr/bin/python3';
export const MAPSERVER = '/usr/lib/cgi-bin/mapserv';

/** CHROMIUM: the browser to use; else Debian's. The headless shell would be a seventh quicker, but shows no PDF as browsers do. */
export const CHROMIUM: string | undefined = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

const runs = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

const PROGRAMS: Readonly<
  Record<MachineProgram, { readonly what: string; readonly package: string; readonly isThere: () => boolean }>
> = {
  gdal: {
    what: 'ogr2ogr, ogrinfo, gdalinfo and gdal_translate as clients',
    package: 'gdal-bin',
    isThere: () => runs('ogr2ogr', '--version') && runs('gdalinfo', '--version'),
  },
  'gdal for Python': {
    what: 'GDAL for Python as a client',
    package: 'python3-gdal',
    isThere: () => existsSync(PYTHON) && runs(PYTHON, '-c', 'from osgeo import ogr'),
  },
  owslib: {
    what: 'OWSLib as a client',
    package: 'python3-owslib',
    isThere: () => existsSync(PYTHON) && runs(PYTHON, '-c', 'import owslib'),
  },
  geopandas: {
    what: 'GeoPandas as a client',
    package: 'python3-geopandas',
    isThere: () => existsSync(PYTHON) && runs(PYTHON, '-c', 'import geopandas'),
  },
  'sf for R': { what: 'R as a client', package: 'r-cran-sf', isThere: () => runs('Rscript', '-e', 'library(sf)') },
  mapserver: { what: 'MapServer', package: 'cgi-mapserver', isThere: () => existsSync(MAPSERVER) },
  chromium: { what: 'Chromium', package: 'chromium', isThere: () => CHROMIUM !== undefined },
  git: { what: 'git', package: 'git', isThere: () => runs('git', '--version') },
  openssl: { what: 'openssl', package: 'openssl', isThere: () => runs('openssl', 'version') },
  pgbouncer: {
    what: 'PgBouncer',
    package: 'pgbouncer',
    isThere: () => runs('pgbouncer', '--version') || runs('/usr/sbin/pgbouncer', '--version'),
  },
  bubblewrap: { what: 'a sandbox', package: 'bubblewrap', isThere: () => runs('bwrap', '--version') },
};

const known = new Map<MachineProgram, string | undefined>();

/** What `describeNeeding` and `testNeeding` take: the first that is missing, in words; undefined: nothing is. */
export function missing(...programs: readonly MachineProgram[]): string | undefined {
  for (const name of programs) {
    if (!known.has(name)) {
      const { what, package: of, isThere } = PROGRAMS[name];
      known.set(name, isThere() ? undefined : `${what}: apt install ${of}`);
    }
    const found = known.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
