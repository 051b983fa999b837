// A template (a tarball of a data folder) → the files of a new database, all of them on the disk when it resolves: PostgreSQL
// trusts files that it has not written itself, and would not notice after a power cut that they are empty.

import { readFileSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { syncFolder } from '../data-folder/sync-folder.ts';
import { readTar } from './read-tar.ts';

/** One after the other the files would take ten times as long to reach the disk. */
const AT_ONCE = 32;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** `folder` is made; it must not be there. */
export async function unpackTemplate(template: string, folder: string): Promise<void> {
  const { folders, files } = readTar(await promisify(gunzip)(readFileSync(template)));
  const all = new Set([folder, ...folders.map((path) => join(folder, path))]);
  for (const { path } of files) all.add(dirname(join(folder, path)));
  for (const path of all) await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  const waiting = files.values();
  const write = async (): Promise<void> => {
    for (const { path, content } of waiting) await writeDown(join(folder, path), content);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, write));
  for (const path of all) await syncFolder(path);
}

async function writeDown(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}
