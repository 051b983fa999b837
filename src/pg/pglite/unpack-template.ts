// A template (a tarball of a data folder) → the files of a new database, all of them on the disk when it resolves: PostgreSQL
// trusts files that it has not written itself, and would not notice after a power cut that they are empty.

import { readFileSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { syncFolder } from '../data-folder/sync-folder.ts';

const BLOCK = 512;
/** One after the other the files would take ten times as long to reach the disk. */
const AT_ONCE = 32;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

type Entry = { readonly path: string; readonly content: Buffer };

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

/** As `dumpDataDir` writes them: plain files and folders, names of less than a hundred characters. */
function readTar(tar: Buffer): { readonly folders: readonly string[]; readonly files: readonly Entry[] } {
  const folders: string[] = [];
  const files: Entry[] = [];
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const path = textAt(tar, at, 100);
    if (path === '') break;
    const size = Number.parseInt(textAt(tar, at + 124, 12), 8);
    const from = at + BLOCK;
    if (textAt(tar, at + 156, 1) === '5') folders.push(path);
    else files.push({ path, content: tar.subarray(from, from + size) });
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
  return { folders, files };
}

function textAt(tar: Buffer, at: number, length: number): string {
  const end = tar.indexOf(0, at);
  return tar.toString('utf8', at, end < 0 ? at + length : Math.min(end, at + length));
}
