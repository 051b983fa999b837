// Keeps folders to their owner (mode 0700): a database holds the keys that tokens are signed with, and other accounts of the
// machine must not read it.

import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';

const PRIVATE = 0o700;
const OTHERS = 0o077;

/**
 * Made with all folders above it that are missing. `tightened`: it was there, and others could look into it until now; `open`:
 * they still can, because it belongs to somebody else or its file system knows no owners.
 */
export function tightenFolderMode(folder: string): 'private' | 'tightened' | 'open' {
  mkdirSync(folder, { recursive: true, mode: PRIVATE });
  const { mode } = statSync(folder);
  if ((mode & OTHERS) === 0) return 'private';
  try {
    chmodSync(folder, mode & ~OTHERS & 0o7777);
  } catch {
    return 'open';
  }
  return (statSync(folder).mode & OTHERS) === 0 ? 'tightened' : 'open';
}

/** Whether a folder holds nothing but these: who keeps other things in it may want others to find them. */
export function holdsOnly(folder: string, isOurs: (name: string) => boolean): boolean {
  return readdirSync(folder).every(isOurs);
}
