// Finds the PostgreSQL servers installed on this machine: a setting, the PATH and the places where packages put them → folders of programs,
// newest release first. Only releases that the program supports and that have PostGIS are listed.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export type PostgresInstall = {
  /** Folder of `postgres` and `initdb`. */
  readonly bin: string;
  readonly major: number;
  /** As `postgres --version` says it: `15.18 (Debian 15.18-0+deb12u1)`. */
  readonly version: string;
};

export const MIN_MAJOR = 14;

export type InstallPlaces = {
  /** The setting `pg-bin`: no other place is searched. */
  readonly bin?: string | undefined;
  readonly path: string;
};

export function findPostgres({ bin, path }: InstallPlaces): readonly PostgresInstall[] {
  const places = bin === undefined ? [...path.split(delimiter), ...packagePlaces()] : [bin];
  const found = new Map<string, PostgresInstall>();
  for (const place of places) {
    const install = inspect(place);
    if (install !== undefined) found.set(install.bin, install);
  }
  return [...found.values()].sort((a, b) => b.major - a.major);
}

/** Debian and Ubuntu, Fedora and the PostgreSQL project's RPMs, EDB's installers, Homebrew, Postgres.app, a build from source. */
function packagePlaces(): readonly string[] {
  return [
    ...versionsIn('/usr/lib/postgresql', 'bin'),
    '/usr/bin',
    ...subfolders('/usr')
      .filter((name) => name.startsWith('pgsql-'))
      .map((name) => join('/usr', name, 'bin')),
    ...versionsIn('/Library/PostgreSQL', 'bin'),
    ...versionsIn('/opt/PostgreSQL', 'bin'),
    ...['/opt/homebrew/opt', '/usr/local/opt', '/home/linuxbrew/.linuxbrew/opt'].flatMap((cellar) =>
      subfolders(cellar)
        .filter((name) => name.startsWith('postgresql'))
        .map((name) => join(cellar, name, 'bin')),
    ),
    ...versionsIn('/Applications/Postgres.app/Contents/Versions', 'bin'),
    '/usr/local/pgsql/bin',
  ];
}

function versionsIn(folder: string, bin: string): readonly string[] {
  return subfolders(folder).map((version) => join(folder, version, bin));
}

function inspect(place: string): PostgresInstall | undefined {
  if (place === '' || !existsSync(join(place, 'postgres'))) return undefined;
  // Distributions link some of the programs into /usr/bin; initdb looks for the others beside itself.
  const bin = dirname(realpathSync(join(place, 'postgres')));
  if (!existsSync(join(bin, 'initdb'))) return undefined;
  const version = output(join(bin, 'postgres'), '--version').replace(/^postgres \(PostgreSQL\) /, '');
  const major = Number.parseInt(version, 10);
  return major >= MIN_MAJOR && hasPostgis(bin, major) ? { bin, major, version } : undefined;
}

function hasPostgis(bin: string, major: number): boolean {
  const shares = [
    output(join(bin, 'pg_config'), '--sharedir'),
    join(bin, '../share'),
    join(bin, '../share/pgsql'),
    join(bin, '../share/postgresql'),
    join(bin, `../share/postgresql@${major}`),
    `/usr/share/postgresql/${major}`,
  ];
  return shares.some((share) => share !== '' && existsSync(join(share, 'extension/postgis.control')));
}

/** Empty: there is no such program, or it fails. */
function output(program: string, argument: string): string {
  try {
    return execFileSync(program, [argument], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    }).trim();
  } catch {
    return '';
  }
}

function subfolders(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
