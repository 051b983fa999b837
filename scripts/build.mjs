// Builds the program into dist/: TypeScript, linked to a few files, what stands beside it, the pages, and what the embedded database starts from.
// `--if-stale` does nothing when dist/ was made from these very files. The old dist/ stays until the new one is complete.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { linkProgram } from './link-program.mjs';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const draft = join(root, `node_modules/.cache/survest/build-${process.pid}`);
const STAMP = 'built-from';
const INPUTS = [
  'src',
  'web',
  'docs',
  'scripts/build.mjs',
  'scripts/link-program.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
// `*-from-source.mjs` loads TypeScript, which the built program has none of.
const TEST_ONLY = /(^|\/)(golden|fixtures)\/|\.test\.ts$|-from-source\.mjs$/;

const stamp = describeInputs();
if (process.argv.includes('--if-stale') && isFresh()) process.exit(0);

try {
  await build();
} finally {
  rmSync(draft, { recursive: true, force: true });
}

async function build() {
  run('tsc', ['-p', 'tsconfig.build.json', '--outDir', draft]);
  copyAssets();
  if (existsSync(join(root, 'web/vite.config.ts'))) {
    run('vite', ['build', 'web', '--outDir', join(draft, 'web'), '--emptyOutDir', '--logLevel', 'warn']);
  }
  await copyEmbedded();
  await linkProgram(
    draft,
    filesIn('src')
      .filter((file) => extname(file) === '.ts')
      .map(modulePath),
  );
  chmodSync(join(draft, 'server/main.js'), 0o755);
  writeFileSync(join(draft, STAMP), stamp);
  const old = `${draft}.old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(draft, dist);
  rmSync(old, { recursive: true, force: true });
}

/** Everything in src/ that is neither TypeScript nor there for tests only stands beside the code in dist/ as well. */
function copyAssets() {
  for (const file of filesIn('src')) {
    if (/\.m?ts$/.test(file) || TEST_ONLY.test(file)) continue;
    const target = join(draft, file.slice('src/'.length));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(root, file), target);
  }
}

/** Below dist/. */
function modulePath(file) {
  return `${file.slice('src/'.length, -extname(file).length)}.js`;
}

/** Made once per release of the engine's packages, and kept where `npm ci` does not lose it to every build. */
async function copyEmbedded() {
  const { ensureEmbeddedAssets } = await import(pathToFileURL(join(draft, 'pg/pglite/embedded-assets.js')).href);
  const { ensurePortalTemplate } = await import(pathToFileURL(join(draft, 'server/portal/portal-template.js')).href);
  const cache = join(root, 'node_modules/.cache/survest');
  const assets = await ensureEmbeddedAssets(cache);
  mkdirSync(join(draft, 'embedded'));
  cpSync(await ensurePortalTemplate(assets, cache), join(draft, 'embedded/template.tar.gz'));
  cpSync(assets.postgis, join(draft, 'embedded/postgis'), { recursive: true });
}

function run(tool, args) {
  const bin = join(root, 'node_modules/.bin', tool);
  // Whoever builds, tests too: what is built is what is shipped, and not the pages for their developers.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, error } = spawnSync(bin, args, {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error !== undefined) throw error;
  if (status === 0) return;
  rmSync(draft, { recursive: true, force: true });
  process.exit(status ?? 1);
}

function isFresh() {
  try {
    return readFileSync(join(dist, STAMP), 'utf8') === stamp;
  } catch {
    return false;
  }
}

/** Names, sizes and times, not contents: this is asked before every start of the program. */
function describeInputs() {
  const hash = createHash('sha256');
  for (const file of INPUTS.flatMap(filesIn)) {
    const { size, mtimeMs } = statSync(join(root, file));
    if (!TEST_ONLY.test(file)) hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesIn(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`));
}
