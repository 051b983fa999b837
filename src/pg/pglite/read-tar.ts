// A tarball as the engine's packages and PGlite's `dumpDataDir` write them → its folders and files: plain ones, with names of less than a hundred characters.

const BLOCK = 512;
const FOLDER = '5';

type TarFile = { readonly path: string; readonly content: Buffer };

export function readTar(tar: Buffer): { readonly folders: readonly string[]; readonly files: readonly TarFile[] } {
  const folders: string[] = [];
  const files: TarFile[] = [];
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const path = textAt(tar, at, 100);
    if (path === '') break;
    const size = Number.parseInt(textAt(tar, at + 124, 12), 8);
    const from = at + BLOCK;
    if (textAt(tar, at + 156, 1) === FOLDER) folders.push(path);
    else files.push({ path, content: tar.subarray(from, from + size) });
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
  return { folders, files };
}

function textAt(tar: Buffer, at: number, length: number): string {
  const end = tar.indexOf(0, at);
  return tar.toString('utf8', at, end < 0 ? at + length : Math.min(end, at + length));
}
