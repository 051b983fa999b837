// QGIS reads, filters by date, identifies and edits: insert, move, change and delete, by WFS in all versions. `npm run test:qgis`.

import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { makeLayer, onLayers } from '../../feature/mapserver/layer-kit.ts';
import { PASSWORD } from '../../testkit/portal-client.ts';

const PYTHON = process.env['QGIS_PYTHON'] ?? '/usr/bin/python3';

onLayers('QGIS', {}, (kit) => {
  beforeAll(async () => {
    await makeLayer(kit(), { name: 'spots', columns: 'name text, height integer', geometry: 'Point', rows: '' });
    await makeLayer(kit(), { name: 'fields', columns: 'name text', geometry: 'MultiPolygon', srid: 25832, rows: '' });
    await makeLayer(kit(), {
      name: 'days',
      columns: 'name text, day date',
      geometry: 'Point',
      rows: `insert into $table (name, day, geom) select 'd' || i, date '2020-01-01' + i - 1, st_setsrid(st_makepoint(i, i + 10), 4326) from generate_series(1, 31) i`,
    });
  });

  beforeEach(async () => {
    await kit().db.script(`truncate layers.spots, layers.fields restart identity;
      insert into layers.spots (name, height, geom) values
        ('one', 1, public.st_setsrid(public.st_makepoint(1, 2), 4326)), ('two', 2, public.st_setsrid(public.st_makepoint(3, 4), 4326))`);
  });

  const step = async (name: string): Promise<unknown> => {
    const script = join(import.meta.dirname, 'steps.py');
    const home = { HOME: kit().folder, XDG_RUNTIME_DIR: kit().folder, QT_QPA_PLATFORM: 'offscreen' };
    const said = await kit().run(PYTHON, [script, await kit().address(), 'ada', PASSWORD, name], home);
    return JSON.parse(said.trim().split('\n').at(-1) ?? 'null');
  };

  test('filters by date, by WFS and by OGC API', async () => {
    const some = ['d10', 'd11', 'd12'];
    const expected = { valid: true, all: 31, some, subset: ['d11'] };
    expect(await step('dates')).toEqual({ wfs: expected, 'wfs 1.1': expected, ogc: expected });
  });

  test('identifies what lies at a place of a map', async () => {
    expect(await step('identify')).toEqual({
      valid: true,
      error: '',
      features: [['d10', 'Point (10 20)', 'EPSG:4326']],
    });
  });

  test.each(['1.0.0', '1.1.0', '2.0.0'])('inserts, changes, moves and deletes by WFS %s', async (version) => {
    expect(await step(`edit ${version}`)).toMatchObject({
      valid: true,
      before: [
        ['one', 'Point (1 2)'],
        ['two', 'Point (3 4)'],
      ],
      started: true,
      added: true,
      changed: true,
      moved: true,
      deleted: true,
      committed: true,
      after: [
        ['from QGIS', 'Point (7 51)'],
        ['renamed', 'Point (8 52)'],
      ],
    });
    expect(
      await kit().db.query('select name, height, public.st_astext(geom) as at from layers.spots order by fid'),
    ).toEqual([
      { name: 'renamed', height: 1, at: 'POINT(8 52)' },
      { name: 'from QGIS', height: 7, at: 'POINT(7 51)' },
    ]);
  });

  test.each(['1.0.0', '1.1.0', '2.0.0'])(
    'draws an area with a hole into a layer of another system, by WFS %s',
    async (version) => {
      expect(await step(`area ${version}`)).toMatchObject({ committed: true });
      expect(
        await kit().db.query(
          'select name, public.st_astext(public.st_snaptogrid(public.st_transform(geom, 4326), 0.001)) as at from layers.fields',
        ),
      ).toEqual([
        { name: 'field', at: expect.stringMatching(/^MULTIPOLYGON\(\(\(.*7 50.*\),\(.*7\.4 50\.4.*\)\)\)$/) },
      ]);
    },
  );

  test('offers no editing to somebody who may not', async () => {
    expect(((await step('visitor')) as { can: string }).can).not.toMatch(/Add Features|Delete Features|Change/);
  });
});
