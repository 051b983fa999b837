// A backup of an earlier release is taken as it is; one that somebody has written something else into is not, by `restore` and `restore --check` alike,
// which both begin with the manifest.

import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { Manifest } from './manifest.ts';
import { parseManifest } from './parse-manifest.ts';
import { openTarArchive } from './tar-archive.ts';

const RELEASE = fileURLToPath(new URL('../../../test/fixtures/releases/0.1.0.tar', import.meta.url));

let manifest: Manifest;
beforeAll(async () => {
  const archive = await openTarArchive(RELEASE);
  if (!archive.ok) throw new Error(archive.error.message);
  manifest = archive.value.manifest;
  await archive.value.close();
});

// biome-ignore lint/suspicious/noExplicitAny: a manifest is bent out of its shape here.
type Bend = (manifest: any) => unknown;

const parsed = (bend: Bend): string | undefined => {
  const copy = structuredClone(manifest);
  bend(copy);
  const read = parseManifest(JSON.stringify(copy), 'x.tar');
  return read.ok ? undefined : read.error.message;
};

test('a backup of a release is taken', () => {
  expect(manifest.database.definitions.length).toBeGreaterThan(0);
  expect(parsed(() => undefined)).toBeUndefined();
});

const PROGRAM = "copy (select 1) to program 'id > /tmp/owned'";

test.each<readonly [string, Bend, RegExp]>([
  ['before rows', ({ database }) => database.definitions[0].before.unshift(PROGRAM), /copy \(select 1\) to program/],
  ['after rows', ({ database }) => database.definitions[0].after.push(PROGRAM), /none that a backup has/],
  ['last', ({ database }) => database.definitions[0].last.push(PROGRAM), /none that a backup has/],
  [
    'among grants',
    ({ database }) => database.definitions[0].grants.push({ role: 'public', sql: PROGRAM }),
    /none that a backup has/,
  ],
])('a statement %s that no backup has is refused', (_, bend, says) => {
  expect(parsed(bend)).toMatch(says);
});

test.each<readonly [string, Bend, RegExp]>([
  [
    'a condition of rows',
    ({ database }) => (database.tables[0].where = `true; ${PROGRAM}`),
    /spatial_ref_sys with other rows/,
  ],
  ['a condition elsewhere', ({ database }) => (database.tables[1].where = 'true'), /only some rows/],
  ['a table of the server', ({ database }) => (database.tables[1].schema = 'pg_catalog'), /not the portal's/],
  ['a sequence elsewhere', ({ database }) => (database.sequences[0].schema = 'public'), /not the portal's/],
  ['a state that is no number', ({ database }) => (database.sequences[0].value = '1, pg_sleep(9)'), /cannot be read/],
  [
    'text for whether a sequence was used',
    ({ database }) => (database.sequences[0].isCalled = "pg_read_file('/etc/passwd') is null"),
    /cannot be read/,
  ],
  ['a column that is no text', ({ database }) => (database.tables[1].columns = [{}]), /cannot be read/],
  [
    'a checksum that is a path',
    ({ database }) => (database.tables[1].chunks = [{ sha256: '../x', bytes: 1 }]),
    /cannot be read/,
  ],
  ['a definition elsewhere', ({ database }) => (database.definitions[0].schema = 'portal'), /not in the schema layers/],
  ['no tables', ({ database }) => (database.tables = undefined), /cannot be read/],
  ['no sequences', ({ database }) => (database.sequences = undefined), /its list of tables cannot be read/],
  ['no changes', ({ database }) => (database.migrations = undefined), /its list of changes cannot be read/],
  ['no schema of PostGIS', ({ database }) => (database.postgisSchema = 5), /its list of changes cannot be read/],
  ['no queues', ({ database }) => (database.queues = [5]), /its list of queues cannot be read/],
  ['no list of what was left out', ({ database }) => (database.leftOut = 5), /its list of queues cannot be read/],
  ['no definitions', ({ database }) => (database.definitions = [5]), /its definitions of tables cannot be read/],
  ['files that are none', (copy) => (copy.files = [1]), /cannot be read/],
  ['no database', (copy) => (copy.database = null), /cannot be read/],
])('%s is refused', (_, bend, says) => {
  expect(parsed(bend)).toMatch(says);
});
