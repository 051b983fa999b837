// A data folder of an earlier major release of PostgreSQL → a driver that reads it, by the engine that wrote it. A release of this program
// that embeds a new major keeps the engine before it as packages with the major in their names: `pglite-18`, `pglite-postgis-18`.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Driver } from '../driver.ts';
import { startEngine } from './engine.ts';
import { makePgliteDriver } from './pglite-driver.ts';

export type OlderEngine = {
  /** The module of the engine. */
  readonly entry: URL;
  /** Tarball of its PostGIS files. */
  readonly bundle: string;
};

/** Undefined: this program was not installed with one. */
export function findOlderEngine(major: string): OlderEngine | undefined {
  if (!/^\d{2}$/.test(major)) return undefined;
  const require = createRequire(import.meta.url);
  try {
    const entry = join(dirname(require.resolve(`pglite-${major}`)), 'index.js');
    const bundle = join(dirname(require.resolve(`pglite-postgis-${major}`)), 'postgis.tar.gz');
    return { entry: pathToFileURL(entry), bundle };
  } catch {
    return undefined;
  }
}

/** The caller holds the folder's lock. */
export function openOlder(folder: string, { entry, bundle }: OlderEngine): Driver {
  return makePgliteDriver({
    start: () =>
      startEngine({
        dataDir: folder,
        template: null,
        postgis: bundle,
        thread: { script: new URL('./older-engine-worker.mjs', import.meta.url), data: { entry: entry.href } },
      }),
    // Everything is asked once: there is nothing to gain from preparing it.
    statementCacheSize: 0,
    acquisitionTimeoutMs: 120_000,
  });
}
