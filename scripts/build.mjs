// npm run build: TypeScript and pages into dist/, the files that are not TypeScript beside them, and what the embedded
// database starts from. With --if-stale only when something is newer than the last build.

import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const dist = join(root, 'dist');
const stamp = join(dist, '.built');
const sources = [
  'src',
  'web',
  'scripts/build.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

if (process.argv.includes('--if-stale') && isFresh()) process.exit(0);

const began = performance.now();
console.log('Building…');
// What an earlier build left of deleted files goes; what takes long to make stays in node_modules/.cache.
rmSync(dist, { recursive: true, force: true });
run('tsc', ['-p', 'tsconfig.build.json']);
copyAssets();
chmodSync(join(dist, 'server/main.js'), 0o755);
run('vite', ['build', '--config', 'web/vite.config.ts', '--logLevel', 'warn']);
await copyEmbedded();
writeFileSync(stamp, '');
console.log(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s`);

function run(program, args) {
  const bin = join(root, 'node_modules/.bin', program);
  execFileSync(process.execPath, [realScript(bin), ...args], { cwd: root, stdio: 'inherit' });
}

/** node_modules/.bin holds links to scripts, which Node runs on every platform without a shell. */
function realScript(bin) {
  if (!existsSync(bin)) throw new Error(`${bin} is missing: run npm ci first`);
  return bin;
}

/** SQL, worker scripts and the like, at the place their TypeScript looks for them. */
function copyAssets() {
  for (const file of walk(join(root, 'src'))) {
    if (extname(file) === '.ts' || /\.(test|golden)\b|\/(golden|fixtures)\//.test(file)) continue;
    const target = join(dist, relative(join(root, 'src'), file));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target);
  }
}

async function copyEmbedded() {
  const { ensureEmbeddedAssets } = await import(pathToFileURL(join(dist, 'pg/pglite/embedded-assets.js')).href);
  const assets = await ensureEmbeddedAssets(join(root, 'node_modules/.cache/survest'));
  mkdirSync(join(dist, 'embedded'), { recursive: true });
  cpSync(assets.template, join(dist, 'embedded/template.tar.gz'));
  cpSync(assets.bundle, join(dist, 'embedded/postgis.tar.gz'));
}

function isFresh() {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return sources.every((source) => {
    const path = join(root, source);
    if (!existsSync(path)) return true;
    return statSync(path).isDirectory()
      ? walk(path).every((file) => statSync(file).mtimeMs <= built)
      : statSync(path).mtimeMs <= built;
  });
}

function walk(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}
