import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { zipOf } from '../../../../test/feature/uploads/zip-writer.ts';
import { chooseDataset } from './choose-dataset.ts';

const KML = '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document/></kml>';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'choose-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['Hiking trails.kmz', 'doc.kml', 'Hiking trails.kml'],
  ['all.zip', 'files/Doc.kml', 'all.kml'],
  ['all.zip', 'trails.kml', 'trails.kml'],
])('in %s, %s is called %s', async (archive, member, name) => {
  const path = join(folder, 'archive');
  await writeFile(path, zipOf([{ name: member, content: KML }]));
  const target = await mkdtemp(join(folder, 'task-'));
  const chosen = await chooseDataset([{ name: archive, path }], target, { unpackedBytes: 1000, members: 10 });
  expect(chosen).toMatchObject({ ok: true, value: { format: 'kml', dataset: { base: { name } } } });
});

test('the files of a KMZ are one dataset, doc.kml first, and those of another archive are several', async () => {
  const path = join(folder, 'split');
  const members = ['doc.kml', 'files/north.kml', 'files/south.kml'].map((name) => ({ name, content: KML }));
  await writeFile(path, zipOf(members));
  const task = (): Promise<string> => mkdtemp(join(folder, 'task-'));
  const limits = { unpackedBytes: 10_000, members: 10 };
  expect(await chooseDataset([{ name: 'Trails.kmz', path }], await task(), limits)).toMatchObject({
    ok: true,
    value: {
      format: 'kml',
      dataset: { base: { name: 'Trails.kml' }, others: [{ name: 'north.kml' }, { name: 'south.kml' }] },
    },
  });
  expect(await chooseDataset([{ name: 'Trails.zip', path }], await task(), limits)).toMatchObject({
    ok: false,
    error: { kind: 'several-datasets' },
  });
});

const PNG = '\x89PNG\r\n\x1a\n';
const WORLD = '1\n0\n0\n-1\n0\n0\n';

test.each([
  [
    'an illustration',
    ['trails.kml', 'files/cover.png'],
    { ok: true, value: { dataset: { base: { name: 'trails.kml' } } } },
  ],
  [
    'a placed picture',
    ['a/map.png', 'a/map.PGW'],
    { ok: true, value: { format: 'png', dataset: { base: { name: 'map.png' } } } },
  ],
  ['a picture placed elsewhere', ['a/map.png', 'b/map.pgw'], { ok: false }],
  ['two datasets', ['trails.kml', 'map.png', 'map.pgw'], { ok: false, error: { kind: 'several-datasets' } }],
])('an archive with %s', async (_what, names, expected) => {
  const path = join(folder, 'pictures');
  const contentOf = (name: string): Buffer =>
    Buffer.from(name.endsWith('.kml') ? KML : name.endsWith('.png') ? PNG : WORLD, 'latin1');
  await writeFile(path, zipOf(names.map((name) => ({ name, content: contentOf(name) }))));
  const target = await mkdtemp(join(folder, 'task-'));
  const chosen = await chooseDataset([{ name: 'all.zip', path }], target, { unpackedBytes: 1000, members: 10 });
  expect(chosen).toMatchObject(expected);
});
