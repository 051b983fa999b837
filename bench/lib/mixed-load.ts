// Several kinds of requests at once, at full speed or at a pace, each answer's time and status noted. Runs in a process of
// its own that prints a line of JSON.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export type MixedLoad = {
  readonly port: number;
  /** Whole requests as they go over the wire; every connection goes round them. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Pause of a connection between two requests. */
  readonly pauseMs?: number;
};

export type MixedResult = {
  readonly answers: number;
  readonly perSecond: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** The slowest answer of each full second, in milliseconds. */
  readonly slowest: readonly number[];
};

export async function mixedLoad(load: MixedLoad): Promise<MixedResult> {
  const child = fileURLToPath(new URL('./mixed-load-child.ts', import.meta.url));
  const args = ['--import', 'tsx', child, JSON.stringify(load)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 });
  return JSON.parse(stdout) as MixedResult;
}
