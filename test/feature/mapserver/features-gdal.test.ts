// GDAL as a client of OGC API Features and of vector tiles: what it reads is what is stored.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { describeNeeding } from '../../testkit/describe-needing.ts';
import { missing } from '../../testkit/machine.ts';
import { PASSWORD } from '../../testkit/portal-client.ts';
import { makeLayer, onLayers, setPerms } from './layer-kit.ts';

type Read = {
  features: { properties: Record<string, unknown>; geometry: { type: string; coordinates: unknown } | null }[];
};

describeNeeding(missing('gdal'), 'a client', () => {
  onLayers('GDAL', {}, (kit) => {
    beforeAll(async () => {
      await makeLayer(kit(), {
        name: 'places',
        columns: 'name text, height integer, share double precision, is_new boolean, since date, seen timestamptz',
        geometry: 'Point',
        rows: `insert into $table (name, height, share, is_new, since, seen, geom) values
        ('Köln "am Rhein"', 53, 0.25, true, '2001-02-03', '2020-01-02T03:04:05Z', st_setsrid(st_makepoint(6.96, 50.94), 4326)),
        ('Null <Island>', -1, -2.5, false, null, null, st_setsrid(st_makepoint(0, 0), 4326))`,
      });
      await makeLayer(kit(), {
        name: 'areas',
        columns: 'name text',
        geometry: 'MultiPolygon',
        srid: 25832,
        rows: `insert into $table (name, geom) values ('a', st_multi(st_makeenvelope(350000, 5600000, 360000, 5610000, 25832)))`,
      });
      await makeLayer(kit(), {
        name: 'many',
        columns: 'n integer',
        geometry: 'Point',
        rows: `insert into $table (n, geom) select n, st_setsrid(st_makepoint(n % 360 - 180, n % 170 - 85), 4326) from generate_series(1, 5000) n`,
      });
      await makeLayer(kit(), {
        name: 'visits',
        columns: 'day date, noted timestamptz, n integer',
        geometry: 'Point',
        rows: `insert into $table (day, noted, n, geom)
        select '2020-01-01'::date + n, '2021-01-01T00:00:00Z'::timestamptz + n * interval '1 day', n, st_setsrid(st_makepoint(n, n), 4326) from generate_series(0, 79) n`,
      });
      const secret = await makeLayer(kit(), {
        name: 'secret',
        geometry: 'Point',
        owner: 'bob',
        rows: `insert into $table (geom) values (st_setsrid(st_makepoint(1, 1), 4326))`,
      });
      await setPerms(kit(), secret, {});
    });

    const read = async (source: string, layer: string, ...options: string[]): Promise<Read> =>
      JSON.parse(await kit().run('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', source, layer, ...options])) as Read;

    test('lists the layers, with type, number and extent', async () => {
      const source = `OAPIF:${await kit().address()}/ogc`;
      const said = await kit().run('ogrinfo', ['-ro', '-so', source, 'places']);
      expect(said).toMatch(/Geometry: Point/);
      expect(said).toMatch(/Feature Count: 2/);
      expect(said).toMatch(/Extent: \(-?0\.0+, -?0\.0+\) - \(6\.96\d*, 50\.94\d*\)/);
      expect(said).toMatch(/height: Integer/);
      expect(said).toMatch(/share: Real/);
      expect(await kit().run('ogrinfo', ['-ro', source])).not.toContain('secret');
    });

    test.each([
      [`day >= '2020/03/01' AND day <= '2020/03/04'`, [60, 61, 62, 63]],
      [`noted >= '2021/03/21 00:00:00'`, [79]],
      [`day <= '2020/01/02'`, [0, 1]],
      [`day = '2020/01/02'`, [1]],
    ])('conditions on dates are answered by the server: %s', async (where, wanted) => {
      const source = `OAPIF:${await kit().address()}/ogc`;
      // Both what it finds and what it says, for that has the addresses it asked.
      const said = await kit().run('sh', [
        '-c',
        'exec ogr2ogr --debug on -f GeoJSON visits.json "$@" 2>&1',
        'sh',
        source,
        'visits',
        '-where',
        where,
      ]);
      const read = JSON.parse(readFileSync(join(kit().folder, 'visits.json'), 'utf8')) as Read;
      rmSync(join(kit().folder, 'visits.json'));
      expect(read.features.map(({ properties }) => properties['n'])).toEqual(wanted);
      expect(said).toContain('datetime=');
    });

    test('filters on the server, by what the description of the interface says', async () => {
      expect(await kit().portal.visitor.get('/ogc/api')).toMatchReply({
        status: 200,
        headers: { 'content-type': 'application/vnd.oai.openapi+json;version=3.0' },
      });
      const source = `OAPIF:${await kit().address()}/ogc`;
      const { features } = await read(source, 'places', '-where', "name = 'Null <Island>' and height < 0");
      expect(features.map(({ properties }) => properties['height'])).toEqual([-1]);
    });

    test('reads features and attributes as they are stored', async () => {
      const { features } = await read(`OAPIF:${await kit().address()}/ogc`, 'places');
      expect(
        features.map(({ properties, geometry }) => [
          properties['name'],
          properties['height'],
          properties['share'],
          geometry?.coordinates,
        ]),
      ).toEqual([
        ['Köln "am Rhein"', 53, 0.25, [6.96, 50.94]],
        ['Null <Island>', -1, -2.5, [0, 0]],
      ]);
    });

    test('reads a large layer in few requests, and every feature once', async () => {
      const { features } = await read(`OAPIF:${await kit().address()}/ogc`, 'many', '-oo', 'PAGE_SIZE=1500');
      expect(features.map(({ properties }) => properties['n']).sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 5000 }, (_, i) => i + 1),
      );
    });

    test('filters by box', async () => {
      const { features } = await read(`OAPIF:${await kit().address()}/ogc`, 'places', '-spat', '5', '45', '8', '52');
      expect(features).toHaveLength(1);
    });

    test('signs in', async () => {
      const source = `OAPIF:${await kit().address()}/ogc`;
      const { features } = await read(source, 'secret', '-oo', `USERPWD=bob:${PASSWORD}`);
      expect(features).toHaveLength(1);
      await expect(read(source, 'secret')).rejects.toThrow();
    });

    test('reads vector tiles', async () => {
      const address = await kit().address();
      const said = JSON.parse(
        await kit().run('ogr2ogr', [
          '-f',
          'GeoJSON',
          '-t_srs',
          'EPSG:4326',
          '/vsistdout/',
          `MVT:${address}/tiles/places/0/0/0.mvt`,
          'places',
          '-oo',
          'X=0',
          '-oo',
          'Y=0',
          '-oo',
          'Z=0',
        ]),
      ) as Read;
      expect(
        said.features.map(({ properties }) => [properties['name'], properties['height'], properties['share']]),
      ).toEqual([
        ['Köln "am Rhein"', 53, 0.25],
        ['Null <Island>', -1, -2.5],
      ]);
      const [x = 0, y = 0] = (said.features[0]?.geometry?.coordinates ?? []) as number[];
      expect(x).toBeCloseTo(6.96, 0);
      expect(y).toBeCloseTo(50.94, 0);
    });
  });
});
