// Scripts that tests run in processes of their own, each compiled into one file of JavaScript once per run. From the sources every
// such process would load the compiler first, which takes longer than most of what they do.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'rolldown';
import { shortLivedEngine } from './short-lived-engine.ts';

const SOURCES = {
  /** Reads a file that is imported. */
  reader: 'src/mapserver/import/reader/main.ts',
  /** Converts what is downloaded, with the GDAL that comes along. */
  converter: 'src/mapserver/downloads/convert-child.ts',
  /** A worker of imports that kills itself. */
  killedWorker: 'test/feature/uploads/worker-child.ts',
  /** The same on the embedded engine. */
  killedEmbeddedWorker: 'test/feature/uploads/embedded-worker-child.ts',
  /** Has an embedded database, until it is killed. */
  embedded: 'test/testkit/embedded-child.ts',
  /** Runs GDAL's programs on the files of tests. */
  gdal: 'test/testkit/gdal-child.ts',
} as const;

/** By name, the path of the compiled script. */
export type CompiledScripts = Readonly<Record<keyof typeof SOURCES, string>>;

export async function compileScripts(cache: string): Promise<{ scripts: CompiledScripts; remove(): void }> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'scripts-'));
  // GDAL lives as long as one file is read.
  const flags = shortLivedEngine().map((flag) => `setFlagsFromString('${flag}');\n`);
  const begin = flags.length === 0 ? '' : `import { setFlagsFromString } from 'node:v8';\n${flags.join('')}`;
  await build({
    input: Object.fromEntries(Object.entries(SOURCES).map(([name, path]) => [name, resolve(path)])),
    platform: 'node',
    // Packages are loaded as they are.
    external: /^[^./]/,
    plugins: [keepPlaces],
    logLevel: 'warn',
    output: {
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      banner: ({ isEntry }) => (isEntry ? begin : ''),
    },
  });
  const paths = Object.keys(SOURCES).map((name) => [name, join(folder, `${name}.mjs`)]);
  return {
    scripts: Object.fromEntries(paths) as CompiledScripts,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Files that stand beside a module are found where they are. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { id: /\.ts$/, code: 'import.meta.url' },
    handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
};
