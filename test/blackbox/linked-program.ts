// The built program in a dozen files instead of a thousand: as it is shipped, a start spends a quarter of its processor time on finding and reading
// its modules, and the tests start it some two hundred times. The code is that of dist/, and what stands beside a module is found there: SQL,
// threads, scripts of child processes. The shipped files themselves are started by the tests of the package, of copies and of small disks.

import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'rolldown';

const NAME = 'linked-program-';

/** The script of the linked program: made once for each build, in a folder where packages are found. */
export async function linkProgram(main: string, cache: string): Promise<string> {
  const stamp = readFileSync(join(dirname(dirname(main)), 'built-from'), 'utf8');
  const name = NAME + createHash('sha256').update(`${main} ${stamp}`).digest('hex').slice(0, 16);
  const script = join(cache, name, 'main.mjs');
  if (existsSync(script)) return script;
  for (const old of readdirSync(cache))
    if (old.startsWith(NAME)) rmSync(join(cache, old), { recursive: true, force: true });
  const draft = mkdtempSync(join(cache, 'draft-of-linked-program-'));
  await build({
    input: { main },
    platform: 'node',
    // Packages are loaded as they are.
    external: /^[^./]/,
    plugins: [keepPlaces],
    logLevel: 'warn',
    output: { dir: draft, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  });
  renameSync(draft, join(cache, name));
  return script;
}

/** Files that stand beside a module are found where they are. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { id: /\.m?js$/, code: 'import.meta.url' },
    handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
};
