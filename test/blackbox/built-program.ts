// The script of the program, built from these sources when it is not yet. Done while a test file is loaded: no test has the time for it.

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const LOCK_STALE_MS = 300_000;
/** TEST_PROGRAM: another program than the one built from these sources, such as an installed one. */
const OTHER = process.env['TEST_PROGRAM'];

export const MAIN: string = OTHER ?? (await ensureBuilt());

/** One process builds, the others wait for it: two test files may begin at once. */
async function ensureBuilt(): Promise<string> {
  const cache = join(ROOT, 'node_modules/.cache/survest');
  mkdirSync(cache, { recursive: true });
  const lock = join(cache, 'test-build.lock');
  while (!take(lock)) await new Promise((resolve) => setTimeout(resolve, 100));
  try {
    await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build.mjs'), '--if-stale']);
    return join(ROOT, 'dist/server/main.js');
  } catch (error) {
    const { stdout = '', stderr = String(error) } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`the program cannot be built:\n${stdout}${stderr}`);
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    try {
      const isOld = Date.now() - statSync(lock).mtimeMs > LOCK_STALE_MS;
      if (isOld || !isAlive(Number(readFileSync(lock, 'utf8')))) rmSync(lock, { force: true });
    } catch {
      // Gone meanwhile.
    }
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
