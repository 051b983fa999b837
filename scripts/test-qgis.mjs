// Runs the tests in which QGIS itself reads, filters, identifies and edits: `npm run test:qgis`. They start a portal of their own. Not among
// the tests of every run, for QGIS is large. QGIS_PYTHON: the Python that has it, unless it is the system's.

import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const python = process.env.QGIS_PYTHON ?? '/usr/bin/python3';

const found = spawnSync(python, ['-c', 'from qgis.core import Qgis; print(Qgis.QGIS_VERSION)'], { encoding: 'utf8' });
if (found.status !== 0) {
  const why = found.error?.message ?? found.stderr.trim().split('\n').at(-1);
  console.error(`QGIS was not found by ${python} (${why}).`);
  console.error('Install python3-qgis (Debian, Ubuntu), or name a Python that has it in QGIS_PYTHON.');
  process.exit(1);
}
console.log(`QGIS ${found.stdout.trim()}`);

const vitest = spawn(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    join(root, 'test/clients/vitest.config.mjs'),
    '--root',
    root,
    ...process.argv.slice(2),
  ],
  { cwd: root, env: { ...process.env, QGIS_PYTHON: python }, stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => vitest.kill(signal));
vitest.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
