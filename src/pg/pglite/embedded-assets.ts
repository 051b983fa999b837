// Makes what the embedded engine starts from, once per release of its packages: the PostGIS files it needs, and a template
// of a fresh database with PostGIS in it. Starting from these takes seconds; making the template takes a quarter minute.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { postgisIn } from './postgis-files.mjs';
import { readTar } from './read-tar.ts';

export type EmbeddedAssets = {
  /** The data folder of a fresh database with PostGIS. */
  readonly template: string;
  /** Folder of what a database with PostGIS needs of it while it runs: the library and its coordinate systems. */
  readonly postgis: string;
};

const DRAFT_MS = 600_000; // nobody takes so long
const RECIPE = 4; // counted up when what is made here changes
const LIBRARY = [
  /^lib\/postgresql\/postgis-3\.so$/,
  /^share\/proj\//,
  /^share\/postgresql\/extension\/postgis\.control$/,
];
/** What `create extension` runs: the template has it done. */
const SCRIPT = /^share\/postgresql\/extension\/postgis--[\d.]+\.sql$/;

/** The assets in a folder of their own below `cache`, made there if they are not yet. */
export async function ensureEmbeddedAssets(cache: string): Promise<EmbeddedAssets> {
  const folder = join(cache, embeddedAssetsKey());
  const assets = { template: join(folder, 'template.tar.gz'), postgis: join(folder, 'postgis') };
  if (existsSync(folder)) return assets;
  const draft = `${folder}.draft-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  removeOldDrafts(cache);
  try {
    const withScript = join(draft, 'with-script');
    unpackBundle([...LIBRARY, SCRIPT], withScript);
    writeFileSync(join(draft, 'template.tar.gz'), await makeTemplate(withScript));
    rmSync(withScript, { recursive: true });
    unpackBundle(LIBRARY, join(draft, 'postgis'));
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process may have made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
  return assets;
}

/** Left by processes that were killed. */
function removeOldDrafts(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (name.includes('.draft-') && Date.now() - statSync(path).mtimeMs > DRAFT_MS) rmSync(path, { recursive: true });
  }
}

/** Changes with the releases of the engine's packages and with the way the assets are made. */
export function embeddedAssetsKey(): string {
  const require = createRequire(import.meta.url);
  const versions = ['@electric-sql/pglite', '@electric-sql/pglite-postgis'].map((name) => {
    const about: unknown = JSON.parse(readFileSync(join(dirname(require.resolve(name)), '../package.json'), 'utf8'));
    return typeof about === 'object' && about !== null && 'version' in about ? about.version : undefined;
  });
  return createHash('sha256')
    .update(JSON.stringify([RECIPE, versions]))
    .digest('hex')
    .slice(0, 16);
}

/** Those files of the package's tarball that are needed. */
function unpackBundle(needed: readonly RegExp[], folder: string): void {
  const require = createRequire(import.meta.url);
  const bundle = join(dirname(require.resolve('@electric-sql/pglite-postgis')), 'postgis.tar.gz');
  const missing = new Set(needed);
  for (const { path, content } of readTar(gunzipSync(readFileSync(bundle))).files) {
    const target = join(folder, path);
    const pattern = needed.find((one) => one.test(path.replace(/^\.\//, '')));
    if (pattern === undefined) continue;
    missing.delete(pattern);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  if (missing.size > 0) throw new Error('the PostGIS bundle is not laid out as expected');
}

async function makeTemplate(postgis: string): Promise<Buffer> {
  const pg = await PGlite.create({
    extensions: { postgis: postgisIn(postgis) },
    // Small pieces of write-ahead log, and few: the usual ones would be half of the template.
    initDbStartParams: ['--wal-segsize=1'],
    startParams: [...PGlite.defaultStartParams, '-c', 'min_wal_size=2MB'],
  });
  await pg.exec('create extension postgis');
  await pg.exec('vacuum (freeze, analyze)');
  await pg.exec('select pg_switch_wal()');
  await pg.exec('checkpoint');
  const dump = await pg.dumpDataDir('gzip');
  const bytes = Buffer.from(await dump.arrayBuffer());
  await pg.close();
  return bytes;
}
