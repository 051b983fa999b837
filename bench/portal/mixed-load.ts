// Several kinds of requests at once, from one process of their own.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Load, LoadResult } from '../lib/load.ts';

export async function mixedLoad(loads: readonly Load[]): Promise<LoadResult> {
  const child = fileURLToPath(new URL('./mixed-load-child.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', child, JSON.stringify(loads)]);
  const result = JSON.parse(stdout) as { perSecond: number; answers: number; unexpected: [number, number][] };
  return { ...result, unexpected: new Map(result.unexpected) };
}
