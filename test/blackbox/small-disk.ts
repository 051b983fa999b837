// The program with folders on small file systems of their own: mounts of its process alone, which end with it.

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { MAIN } from './built-program.ts';
import { type Program, startCommand } from './program.ts';

/** Root may mount in a namespace of its own; others have to be root in there. */
const UNSHARE: readonly string[] | undefined = [['--mount'], ['--mount', '--user', '--map-root-user']].find(
  (how) => spawnSync('unshare', [...how, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0,
);

export const NO_SMALL_DISKS: string | undefined =
  UNSHARE === undefined ? 'this account may not mount file systems (unshare --mount)' : undefined;

export type SmallDisk = { readonly folder: string /** As of tmpfs: size=2m, ro … */; readonly options: string };

const SCRIPT = 'while [ "$1" != -- ]; do mount -t tmpfs -o "$2" tmpfs "$1" || exit 99; shift 2; done; shift; exec "$@"';

export function startOnSmallDisks(
  disks: readonly SmallDisk[],
  args: readonly string[],
  env: Record<string, string>,
): Program {
  for (const { folder } of disks) mkdirSync(folder, { recursive: true });
  const mounts = disks.flatMap(({ folder, options }) => [folder, options]);
  const command = [process.execPath, MAIN, ...args];
  return startCommand('unshare', [...(UNSHARE ?? []), 'sh', '-c', SCRIPT, 'sh', ...mounts, '--', ...command], env);
}
