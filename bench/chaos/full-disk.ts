// A small file system of its own for the files of the program, which can be filled: in memory, where this account may mount one.

import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export type SmallDisk = {
  /** Until nothing is left. */
  fill(): void;
  empty(): void;
  close(): void;
};

/** Undefined: this account may not. */
export function tryTmpfs(folder: string, megabytes: number): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  if (mounted.status !== 0) return undefined;
  const ballast = join(folder, 'ballast');
  const empty = (): void => rmSync(ballast, { force: true });
  return {
    fill() {
      const file = openSync(ballast, 'w');
      const block = Buffer.alloc(1024 * 1024);
      try {
        for (;;) writeSync(file, block);
      } catch {
        // Full.
      } finally {
        closeSync(file);
      }
    },
    empty,
    close() {
      empty();
      spawnSync('umount', ['-l', folder]);
    },
  };
}
