// The files of PostGIS, as the engine sees them: read from the disk when it asks for them. In its memory they would take 27 MB, and four times as
// much while a tarball is unpacked there. Plain JavaScript, since the engine's thread needs it too.

import { readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const PREFIX = '/pglite';
const MOUNT = '/postgis';

/** An extension of PGlite: `folder` is laid out as the engine's own files are (`lib/postgresql`, `share/postgresql/extension`, `share/proj`). */
export function postgisIn(folder) {
  return {
    name: 'postgis',
    setup: async (_pg, emscriptenOpts) => {
      const preRun = [...(emscriptenOpts.preRun ?? []), ({ FS }) => mount(FS, folder)];
      // Where PROJ finds its coordinate systems; without them it takes the engine down.
      emscriptenOpts.PGLITE_ENV.PROJ_DATA = `${PREFIX}/share/proj`;
      return { emscriptenOpts: { ...emscriptenOpts, preRun } };
    },
  };
}

function mount(FS, folder) {
  FS.mkdirTree(MOUNT);
  FS.mount(FS.filesystems.NODEFS, { root: folder }, MOUNT);
  for (const path of filesIn(folder)) {
    FS.mkdirTree(dirname(`${PREFIX}/${path}`));
    FS.symlink(`${MOUNT}/${path}`, `${PREFIX}/${path}`);
  }
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      relative(folder, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join('/'),
    );
}
