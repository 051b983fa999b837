// Where a program that has the embedded database open lets others of the same machine and account use it: a Unix socket in the data folder,
// or, where that path is too long for a socket, in a folder of the account's own among the temporary files.

import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';

/** `sun_path` has 104 bytes on macOS and the BSDs, 108 on Linux. */
const MAX_PATH_BYTES = 100;

export type SocketPath = {
  readonly path: string;
  /** To be made, for its owner alone; undefined: the folder is there, and its mode has been seen to. */
  readonly folder: string | undefined;
};

export function socketPath(dataDir: string, temporary: string = tmpdir()): SocketPath {
  const folder = resolve(dataDir);
  const path = join(folder, 'database.socket');
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return { path, folder: undefined };
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const own = join(temporary, `survest-${userInfo().uid}`);
  return { path: join(own, `${digest}.socket`), folder: own };
}
