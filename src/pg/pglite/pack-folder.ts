// The folder of an embedded database that nobody has open → a template to start others from.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { COMPLETE } from './database-folder.ts';
import { postgisIn } from './postgis-files.mjs';

/** `folder` is the database's own, as `postgis` is the PostGIS files it was made with. Uses the folder up. */
export async function packFolder(folder: string, postgis: string): Promise<Buffer> {
  // A folder made from the template is complete when it is written, not before.
  rmSync(join(folder, COMPLETE), { force: true });
  const pg = await PGlite.create({
    dataDir: folder,
    extensions: { postgis: postgisIn(postgis) },
    startParams: [...PGlite.defaultStartParams, '-c', 'min_wal_size=2MB'],
  });
  await pg.exec('vacuum (freeze, analyze)');
  await pg.exec('select pg_switch_wal()');
  await pg.exec('checkpoint');
  const dump = await pg.dumpDataDir('gzip');
  const bytes = Buffer.from(await dump.arrayBuffer());
  await pg.close();
  return bytes;
}
