// Makes what the embedded engine starts from, once per release of its packages: the PostGIS files it needs, and a template
// of a fresh database with PostGIS in it. Starting from these takes seconds; making the template takes a quarter minute.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';

export type EmbeddedAssets = {
  /** The data folder of a fresh database with PostGIS. */
  readonly template: string;
  /** What a database with PostGIS needs of it while it runs: the library and its coordinate systems. All of it lies in the engine's memory. */
  readonly bundle: string;
};

const DRAFT_MS = 600_000; // nobody takes so long
const RECIPE = 3; // counted up when what is made here changes
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
  const assets = { template: join(folder, 'template.tar.gz'), bundle: join(folder, 'postgis.tar.gz') };
  if (existsSync(folder)) return assets;
  const draft = `${folder}.draft-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  removeOldDrafts(cache);
  try {
    const full = readFileSync(fullBundle());
    const withScript = join(draft, 'with-script.tar.gz');
    writeFileSync(withScript, trimBundle(full, [...LIBRARY, SCRIPT]));
    writeFileSync(join(draft, 'template.tar.gz'), await makeTemplate(withScript));
    rmSync(withScript);
    writeFileSync(join(draft, 'postgis.tar.gz'), trimBundle(full, LIBRARY));
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

function fullBundle(): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve('@electric-sql/pglite-postgis')), 'postgis.tar.gz');
}

/** Keeps the entries of a tarball that are needed, as they are. */
function trimBundle(gzipped: Buffer, needed: readonly RegExp[]): Buffer {
  const tar = gunzipSync(gzipped);
  const kept: Buffer[] = [];
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = tar.toString('utf8', at, at + 100).split('\0', 1)[0] ?? '';
    if (name === '') break;
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8);
    const end = at + 512 + Math.ceil(size / 512) * 512;
    if (needed.some((pattern) => pattern.test(name.replace(/^\.\//, '')))) kept.push(tar.subarray(at, end));
    at = end;
  }
  if (kept.length < needed.length) throw new Error('the PostGIS bundle is not laid out as expected');
  return gzipSync(Buffer.concat([...kept, Buffer.alloc(1024)]));
}

async function makeTemplate(bundle: string): Promise<Buffer> {
  const pg = await PGlite.create({
    extensions: {
      postgis: {
        name: 'postgis',
        setup: async (_, emscriptenOpts) => ({ emscriptenOpts, bundlePath: pathToFileURL(bundle) }),
      },
    },
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
