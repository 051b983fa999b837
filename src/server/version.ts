// The program's version, as package.json says it.

import { existsSync, readFileSync } from 'node:fs';

export const VERSION: string = readVersion(new URL('.', import.meta.url));

/** The nearest one above: the build runs a part of the program from a folder that is deeper than the one it ends in. */
function readVersion(folder: URL): string {
  const path = new URL('package.json', folder);
  if (existsSync(path)) return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  const above = new URL('..', folder);
  if (above.href === folder.href) throw new Error('the program is incomplete: its package.json is missing');
  return readVersion(above);
}
