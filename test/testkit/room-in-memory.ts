// A folder in memory for the databases of a run, where the machine has plenty. Every suite makes a database of a thousand files and drops
// it: on a disk's file system that took 0.1 s of processor time at first and, three dozen databases later, 0.3 to 0.6 s; in memory 0.07 s.

import { accessSync, constants, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';
const TMPFS = 0x0102_1994;
const GIB = 2 ** 30;
/** Some thirty templates and copies of 26 MB each, what tests write, and up to a gigabyte of write-ahead log. */
const ROOM = 4 * GIB;
/** The room, and what the tests themselves take: engines of a gigabyte each, browsers, programs. */
const MEMORY = 12 * GIB;

export function roomInMemory(): string | undefined {
  try {
    accessSync(FOLDER, constants.W_OK);
    const { type, bavail, bsize } = statfsSync(FOLDER);
    return type === TMPFS && bavail * bsize >= ROOM && process.availableMemory() >= MEMORY ? FOLDER : undefined;
  } catch {
    return undefined;
  }
}
