// A data folder → where its private PostgreSQL server keeps its cluster and its socket, and the address of its database. The address
// follows from the folder alone, so that every process finds the server without asking.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';

export type LocalPlace = {
  /** PGDATA. */
  readonly cluster: string;
  readonly socketFolder: string;
};

/** Owner of the database; the program connects as this role. */
export const LOCAL_ROLE = 'survest';
export const LOCAL_DATABASE = 'survest';
/** The superuser of the cluster, for what only a superuser may do when the database is made. */
export const LOCAL_SUPERUSER = 'postgres';

/** `sun_path` has 104 bytes on macOS and the BSDs, 108 on Linux; PostgreSQL adds `/.s.PGSQL.5432.lock`. */
const MAX_FOLDER_BYTES = 80;

export function localPlace(dataDir: string, cluster = 'postgres'): LocalPlace {
  const folder = resolve(dataDir);
  const socketFolder = join(folder, `${cluster}.socket`);
  if (Buffer.byteLength(socketFolder) <= MAX_FOLDER_BYTES) return { cluster: join(folder, cluster), socketFolder };
  const digest = createHash('sha256').update(socketFolder).digest('hex').slice(0, 16);
  return { cluster: join(folder, cluster), socketFolder: join(tmpdir(), `survest-${userInfo().uid}-${digest}`) };
}

/** Also where a program was killed while one cluster took the place of another: the next start puts the old one back. */
export function hasCluster(dataDir: string): boolean {
  const { cluster } = localPlace(dataDir);
  return existsSync(join(cluster, 'PG_VERSION')) || existsSync(`${cluster}.replacing`);
}

export function localUri(
  { socketFolder }: LocalPlace,
  role: string = LOCAL_ROLE,
  database: string = LOCAL_DATABASE,
): string {
  return `postgresql:///${database}?host=${encodeURIComponent(socketFolder)}&port=5432&user=${role}`;
}
