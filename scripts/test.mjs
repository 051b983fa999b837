// Runs the tests once, on every engine there is; whatever else is said on the command line goes to vitest.
// `--bless` rewrites the golden cases to what the program answers now; the review reads the difference. Alone it runs the files that
// have such cases, not the whole suite.

import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const args = process.argv.slice(2);
const blesses = args.includes('--bless');
const env = blesses ? { ...process.env, BLESS: '1' } : process.env;
const named = args.filter((arg) => arg !== '--bless');
const rest = blesses && named.length === 0 ? ['golden.test.ts'] : named;

const vitest = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...rest], {
  cwd: root,
  env,
  stdio: 'inherit',
});
// Ctrl-C reaches vitest by itself; it stops the databases, and then there is an exit code to pass on.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => vitest.kill(signal));
vitest.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
