// The compiled modules become a few files: finding and reading a thousand and a half of them takes a quarter of a start's processor time. What is
// started as a process or a thread of its own keeps its place; everything else is shared between these. Packages are loaded as they are.

import { cpSync, rmSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { build } from 'rolldown';

/** Below dist/, without the extension. */
const ENTRIES = [
  'server/main',
  'mapserver/downloads/convert-child',
  'mapserver/import/reader/main',
  'mapserver/pictures/picture-thread',
];

/** Puts the linked files in the place of these modules. */
export async function linkProgram(folder, modules) {
  const linked = `${folder}.linked`;
  try {
    await build({
      cwd: folder,
      input: Object.fromEntries(ENTRIES.map((name) => [name, join(folder, `${name}.js`)])),
      platform: 'node',
      external: /^[^./]/,
      plugins: [keepPlaces(folder)],
      logLevel: 'warn',
      output: { dir: linked, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
    });
    for (const path of modules) rmSync(join(folder, path), { force: true });
    cpSync(linked, folder, { recursive: true });
  } finally {
    rmSync(linked, { recursive: true, force: true });
  }
}

const PLACE = /__PLACE_OF\("([^"]+)"\)/g;

/** Files that stand beside a module (SQL, threads, settings of packages) are found from where the module would be. */
function keepPlaces(folder) {
  return {
    name: 'keep-places',
    transform: {
      filter: { id: /\.m?js$/, code: 'import.meta.url' },
      handler: (code, id) =>
        code.replaceAll('import.meta.url', `__PLACE_OF("${relative(folder, id).split(sep).join('/')}")`),
    },
    renderChunk: (code, { fileName }) =>
      code.replace(
        PLACE,
        (_, place) => `new URL("${posix.relative(posix.dirname(fileName), place)}", import.meta.url).href`,
      ),
  };
}
