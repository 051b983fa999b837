// npm test: every test once, on every engine there is. Arguments go on to vitest; --bless rewrites what is expected.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const args = process.argv.slice(2);
const bless = args.includes('--bless');
const built = spawnSync(process.execPath, [fileURLToPath(new URL('./build.mjs', import.meta.url)), '--if-stale'], {
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(built.status ?? 1);
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [vitest, 'run', ...args.filter((arg) => arg !== '--bless')], {
  stdio: 'inherit',
  env: { ...process.env, ...(bless ? { BLESS: '1' } : {}) },
});
process.exit(status ?? 1);
