// One database takes the place of another in a data folder, and the old one stays beside it. Between the two renames a note says so:
// should the program be killed there, the next start puts the old one back instead of making a new one.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** The database `made` takes the place of the one in `folder`, which stays beside it under the name that is returned. */
export async function replaceDatabase(folder: string, made: string, suffix: string): Promise<string> {
  const parent = dirname(folder);
  const kept = freeName(folder, suffix);
  const note = noteOf(folder);
  writeFileSync(note, basename(kept), { mode: 0o600, flush: true });
  await syncFolder(parent);
  renameSync(folder, kept);
  renameSync(made, folder);
  await syncFolder(parent);
  rmSync(note);
  await syncFolder(parent);
  return kept;
}

/** The caller holds the folder's lock. */
export function undoReplacing(folder: string): void {
  const note = noteOf(folder);
  if (!existsSync(note)) return;
  const kept = join(dirname(folder), basename(readFileSync(note, 'utf8')));
  if (!existsSync(folder) && existsSync(join(kept, 'PG_VERSION'))) renameSync(kept, folder);
  rmSync(note);
}

/** There while one database takes the place of another: the name under which the old one is kept. */
function noteOf(folder: string): string {
  return `${folder}.replacing`;
}

/** The database in `folder` leaves its place; returned: where it is kept. */
export async function setAside(folder: string, suffix: string): Promise<string> {
  const kept = freeName(folder, suffix);
  renameSync(folder, kept);
  await syncFolder(dirname(folder));
  return kept;
}

function freeName(folder: string, suffix: string): string {
  let name = `${folder}.${suffix}`;
  for (let n = 2; existsSync(name); n += 1) name = `${folder}.${suffix}.${n}`;
  return name;
}
