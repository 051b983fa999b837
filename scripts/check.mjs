// All checks but the tests, two at a time. Every one is run, so that a failure does not hide the next; what a check says is shown as it
// ends. Usage: npm run check

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

// From the longest down.
const CHECKS = ['types', 'unused', 'types:web', 'lint', 'regex', 'api', 'rows', 'wasm', 'schema', 'docs'];

const waiting = [...CHECKS];
const failed = [];
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
if (failed.length > 0) console.error(`\nFailed: ${failed.map((name) => `npm run check:${name}`).join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const begun = performance.now();
    const { code, said } = await run(name);
    if (code !== 0) failed.push(name);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)\n${said}`);
  }
}

function run(name) {
  const child = spawn('npm', ['run', '--silent', `check:${name}`], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = [];
  child.stdout.on('data', (chunk) => said.push(chunk));
  child.stderr.on('data', (chunk) => said.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said: Buffer.concat(said).toString() }));
  });
}
