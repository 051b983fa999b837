// Runs the tests on another version of Node.js, taken from npm's package `node`: native modules and the built program included.
// Usage: npm run test:node -- 22 [what else vitest takes]

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const [version = '', ...rest] = process.argv.slice(2);
if (!/^\d+(?:\.\d+){0,2}$/.test(version)) fail('say which version: npm run test:node -- 22');

const folder = join(root, `node_modules/.cache/survest/node-${version}`);
const bin = join(folder, 'node_modules/.bin');
if (!existsSync(join(bin, 'node'))) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  run('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], { cwd: folder });
}
// Everything that is started as `node` is this one, and the program starts others by the path of its own.
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
run(join(bin, 'node'), ['--version'], { env });
run(join(bin, 'node'), [join(root, 'scripts/build.mjs'), '--if-stale'], { cwd: root, env });
run(join(bin, 'node'), [join(root, 'scripts/test.mjs'), ...rest], { cwd: root, env });

function run(command, args, options) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (error !== undefined) fail(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

function fail(why) {
  console.error(why);
  process.exit(1);
}
