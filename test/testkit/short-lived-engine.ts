// How Node is to run a process that has an embedded database or GDAL for a few seconds only: with the quick compiler of WebAssembly alone.
// Of a start of the program, the optimizing one took a third of the processor time (9.0 s with it, 5.9 s without, one start each), and
// two fifths of that of GDAL making eight small files, for code that is gone before that has paid off. The engines that are lent for a
// whole run have both.

import { execFileSync } from 'node:child_process';

const QUICK_COMPILER = '--liftoff-only';

let flags: readonly string[] | undefined;

/** Before the script. None where this version of Node does not know the flag: it would refuse to start. */
export function shortLivedEngine(): readonly string[] {
  flags ??= execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' }).includes(`  ${QUICK_COMPILER} `)
    ? [QUICK_COMPILER]
    : [];
  return flags;
}
