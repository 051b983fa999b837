// The portal's migrations, in order, as fixtures of a suite.

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../src/portal/migrations/', import.meta.url);

export const migrations: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => fileURLToPath(new URL(name, folder)));
