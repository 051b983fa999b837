// Finds a PostgreSQL to test against: environment, PATH and the places packages put it → the folder of its programs.
// The newest one that has PostGIS wins; one without PostGIS is no use to us and is passed over.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export type PostgresBinaries = { readonly bin: string; readonly version: number; readonly versionText: string };

export function findPostgres(env: NodeJS.ProcessEnv): PostgresBinaries | undefined {
  const named = env['TEST_PG_BIN'];
  const places = named === undefined ? [...(env['PATH'] ?? '').split(delimiter), ...packagePlaces()] : [named];
  let best: PostgresBinaries | undefined;
  for (const bin of new Set(places)) {
    const found = inspect(bin);
    if (found !== undefined && (best === undefined || found.version > best.version)) best = found;
  }
  return best;
}

function packagePlaces(): string[] {
  return [
    ...subfolders('/usr/lib/postgresql').map((version) => join('/usr/lib/postgresql', version, 'bin')),
    ...['/opt/homebrew/opt', '/usr/local/opt', '/home/linuxbrew/.linuxbrew/opt'].flatMap((cellar) =>
      subfolders(cellar)
        .filter((name) => name.startsWith('postgresql'))
        .map((name) => join(cellar, name, 'bin')),
    ),
    ...subfolders('/Applications/Postgres.app/Contents/Versions').map((version) =>
      join('/Applications/Postgres.app/Contents/Versions', version, 'bin'),
    ),
    '/usr/local/pgsql/bin',
  ];
}

function inspect(place: string): PostgresBinaries | undefined {
  if (place === '' || !existsSync(join(place, 'initdb')) || !existsSync(join(place, 'postgres'))) return undefined;
  // A folder may hold links to some of the programs only; beside the real ones are all.
  const bin = dirname(realpathSync(join(place, 'postgres')));
  const versionText = say(join(bin, 'postgres'), '--version');
  const version = Number(/(\d+)(?:\.\d+)?/.exec(versionText)?.[1] ?? 0);
  const shares = [say(join(bin, 'pg_config'), '--sharedir'), join(bin, '../share'), `/usr/share/postgresql/${version}`];
  const hasPostgis = shares.some((share) => share !== '' && existsSync(join(share, 'extension/postgis.control')));
  return hasPostgis ? { bin, version, versionText } : undefined;
}

function say(program: string, argument: string): string {
  try {
    return execFileSync(program, [argument], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

function subfolders(path: string): string[] {
  return existsSync(path) ? readdirSync(path) : [];
}
