import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../../../test/access/migrations.ts';
import { onEachEngine } from '../../../test/testkit/database.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { openDiskStore } from '../../blobs/disk.ts';
import type { Result } from '../../kernel/result.ts';
import { findGdal } from './find-gdal.ts';
import type { Answers, EngineChoice } from './import-task.ts';
import { type ImportStop, makeImporter } from './importer.ts';
import type { Staged } from './staged-layer.ts';

const ENGINES: readonly EngineChoice['kind'][] = ['native', 'wasm'];

onEachEngine('importing', { fixtures: migrations }, (db) => {
  let folder = '';
  let blobs: BlobStore;
  let native: EngineChoice;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'survest-import-'));
    blobs = await openDiskStore(join(folder, 'blobs'));
    native = await findGdal();
    makeSamples(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  let next = 0;
  async function stage(
    engine: EngineChoice['kind'],
    names: readonly string[],
    answers: Answers = {},
    look: (staged: Staged) => Promise<void> = async () => {},
  ): Promise<Result<Staged, ImportStop>> {
    next += 1;
    const files: { name: string; blob: string }[] = [];
    for (const name of names) {
      const blob = `uploads/t${next}-${files.length}`;
      await blobs.put(blob, [readFileSync(join(folder, name))] as never);
      files.push({ name: basename(name), blob });
    }
    const importer = makeImporter({
      driver: db().driver,
      blobs,
      engine: engine === 'wasm' ? { kind: 'wasm' } : native,
      workFolder: join(folder, 'work'),
    });
    return importer.run(
      { id: next, files, answers },
      () => {},
      new AbortController().signal,
      async (staged) => {
        await look(staged);
        return staged;
      },
    );
  }

  for (const engine of ENGINES) {
    test.each([
      ['a GeoJSON', ['a.geojson']],
      ['a shapefile', ['a.shp', 'a.dbf', 'a.shx', 'a.prj']],
      ['a zipped shapefile', ['a.zip']],
      ['a GeoPackage', ['a.gpkg']],
    ])(
      `${engine}: %s becomes a table`,
      async (_what, names) => {
        const staged = await stage(engine, names, {}, async ({ layers: [layer] }) => {
          if (layer?.kind !== 'vector') throw new Error('no table');
          const rows = await db().query(
            `select fid, name, n, st_astext(geom) as geom, st_srid(geom) as srid from staging."${layer.table}" order by fid`,
          );
          expect(rows).toEqual(
            [
              { fid: '1', name: 'Zürich', n: 1, geom: 'MULTIPOLYGON(((8 47,9 47,9 48,8 47)))', srid: 4326 },
              { fid: '2', name: null, n: 2, geom: 'MULTIPOLYGON(((10 47,11 47,11 48,10 47)))', srid: 4326 },
            ].map((row) => ({
              ...row,
              geom:
                names[0]?.endsWith('n') || names[0] === 'a.gpkg' ? row.geom : expect.stringMatching(/^MULTIPOLYGON/),
            })),
          );
        });
        expect(staged).toMatchObject({
          ok: true,
          value: {
            layers: [
              {
                geometry: { type: { kind: 'MultiPolygon', suffix: '' } },
                rows: 2,
                place: { srid: 4326, crs: 'EPSG:4326', native: [8, 47, 11, 48], wgs84: [8, 47, 11, 48] },
                columns: [
                  { name: 'name', label: 'NAME', statistics: { count: 1 } },
                  { name: 'n', label: 'n', statistics: { count: 2, min: '1', max: '2', median: '1.5', sum: '3' } },
                ],
              },
            ],
          },
        });
        expect(
          await db().query(
            `select relname from pg_class where relnamespace = 'staging'::regnamespace and relkind = 'r'`,
          ),
        ).toEqual([{ relname: 'run' }]);
        expect(readdirSync(join(folder, 'work'))).toEqual([]);
      },
      60_000,
    );
  }
});

function makeSamples(folder: string): void {
  const polygon = (x: number): unknown => ({
    type: 'Polygon',
    coordinates: [
      [
        [x, 47],
        [x + 1, 47],
        [x + 1, 48],
        [x, 47],
      ],
    ],
  });
  const feature = (n: number, name: string | null, x: number): unknown => ({
    type: 'Feature',
    properties: { NAME: name, n },
    geometry: polygon(x),
  });
  writeFileSync(
    join(folder, 'a.geojson'),
    JSON.stringify({ type: 'FeatureCollection', features: [feature(1, 'Zürich', 8), feature(2, null, 10)] }),
  );
  const run = (command: string, ...args: string[]): void => {
    execFileSync(command, args, { cwd: folder, stdio: 'pipe' });
  };
  run('ogr2ogr', 'a.shp', 'a.geojson', '-lco', 'ENCODING=UTF-8');
  run('ogr2ogr', 'a.gpkg', 'a.geojson');
  run('zip', '-q', 'a.zip', 'a.shp', 'a.dbf', 'a.shx', 'a.prj', 'a.cpg');
}
