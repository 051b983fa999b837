// Many people at once: each with an account and an item of their own, each doing one thing after the other. Runs in a process of its
// own, so that it does not take the time it measures.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export type UsersLoad = {
  readonly port: number;
  readonly seconds: number;
  readonly users: readonly { readonly token: string; readonly item: number }[];
  /** Addresses of lists and searches that everybody looks at. */
  readonly lists: readonly string[];
};

export type UsersResult = {
  readonly answers: number;
  readonly perSecond: number;
  /** Milliseconds: half of the answers, 95 of 100, and 99 of 100, were quicker. */
  readonly median: number;
  readonly most: number;
  readonly slow: number;
  /** What went wrong, with how often. */
  readonly errors: Readonly<Record<string, number>>;
};

export async function usersLoad(load: UsersLoad): Promise<UsersResult> {
  const child = fileURLToPath(new URL('./users-load-child.ts', import.meta.url));
  const running = promisify(execFile)(process.execPath, ['--import', 'tsx', child], { maxBuffer: 1 << 24 });
  running.child.stdin?.end(JSON.stringify(load));
  return JSON.parse((await running).stdout) as UsersResult;
}
