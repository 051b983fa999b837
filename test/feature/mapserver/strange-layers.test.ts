// Layers as they should not be, and are: without rows, without columns, with names that are no identifiers, places, or numbers that
// are none. Every service answers about them as about any other.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { testNeeding } from '../../testkit/describe-needing.ts';
import { missing } from '../../testkit/machine.ts';
import { type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { makeLayer, onLayers } from './layer-kit.ts';
import { pictureOf } from './picture.ts';

const FORMATS = ['geojson', 'csv', 'kml', 'gpkg', 'fgb', 'shp.zip'] as const;
const CYRILLIC = 'Реки и озёра';
const ROWS = { empty: 0, bare: 3, [CYRILLIC]: 2, wild: 3 } as const;
const LAYERS = ['empty', 'bare', CYRILLIC, 'wild'] as const;

/** Of all layers, as GDAL's program tells them. */
function countIn(said: string): number {
  return [...said.matchAll(/^Feature Count: (\d+)/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
}

onLayers('strange layers', {}, (kit) => {
  beforeAll(async () => {
    await makeLayer(kit(), { name: 'empty', columns: 'name text', geometry: 'MultiPolygon', srid: 25832, rows: '' });
    await makeLayer(kit(), {
      name: 'bare',
      geometry: 'Point',
      rows: `insert into $table (geom) values (st_setsrid(st_makepoint(1, 2), 4326)), (null), ('SRID=4326;POINT EMPTY')`,
    });
    await makeLayer(kit(), {
      name: CYRILLIC,
      columns: `"Название реки" text, "длина, км" double precision, "a:b <c> & ""d""" text, "1'; drop table x" integer`,
      geometry: 'LineString',
      rows: `insert into $table ("Название реки", "длина, км", "a:b <c> & ""d""", "1'; drop table x", geom) values
        ('Волга', 3530, 'x', 1, st_setsrid(st_makeline(st_makepoint(32, 57), st_makepoint(48, 46)), 4326)),
        ('Дон', 'NaN', 'y', 2, st_setsrid(st_makeline(st_makepoint(38, 54), st_makepoint(39, 47)), 4326))`,
    });
    await makeLayer(kit(), {
      name: 'wild',
      columns: 'share double precision, day date',
      geometry: 'Polygon',
      rows: `insert into $table (share, day, geom) values
        ('Infinity', 'infinity', 'SRID=4326;POLYGON((0 0, 1 1, 1 0, 0 1, 0 0))'),
        ('NaN', '0044-03-15 BC', 'SRID=4326;POLYGON((2 2, 2 2, 2 2, 2 2))'),
        (1e308, '9999-12-31', st_makeenvelope(-180, -90, 180, 90, 4326))`,
    });
  });

  const get = (target: string): Promise<Reply> => kit().portal.visitor.get(target);
  const at = encodeURIComponent;

  describe.each(LAYERS)('%s', (name) => {
    test('is described, listed and filtered by OGC API Features', async () => {
      const url = `/ogc/collections/${at(name)}`;
      for (const part of ['', '/queryables', '/schema', '/tiles', '/items', '/items?f=html', '/items?bbox=0,0,90,80']) {
        const reply = await get(`${url}${part}`);
        expect([part, reply.status, reply.status === 200 ? '' : textOf(reply.body)]).toEqual([part, 200, '']);
        if (!part.includes('html')) JSON.parse(textOf(reply.body));
      }
      const filter = 'S_INTERSECTS(geom, POLYGON((0 0, 3 3, 3 0, 0 3, 0 0)))';
      const reply = await get(`${url}/items?filter=${at(filter)}`);
      expect([reply.status, reply.status === 200 ? '' : textOf(reply.body)]).toEqual([200, '']);
    });

    test('is drawn, asked about and explained by WMS', async () => {
      const view = 'SERVICE=WMS&VERSION=1.3.0&CRS=CRS:84&BBOX=-180,-90,180,90&WIDTH=64&HEIGHT=32&STYLES=';
      await pictureOf(await get(`/wms?${view}&REQUEST=GetMap&FORMAT=image/png&LAYERS=${at(name)}`));
      const info = await get(
        `/wms?${view}&REQUEST=GetFeatureInfo&LAYERS=${at(name)}&QUERY_LAYERS=${at(name)}&I=32&J=16&INFO_FORMAT=application/json`,
      );
      expect([info.status, textOf(info.body).slice(0, 20)]).toEqual([200, expect.stringContaining('{')]);
      await pictureOf(await get(`/wms?SERVICE=WMS&REQUEST=GetLegendGraphic&FORMAT=image/png&LAYER=${at(name)}`));
      expect((await get(`/tiles/${at(name)}/0/0/0.mvt`)).status).toBeLessThan(205);
    });

    test.each(FORMATS)('is downloaded as %s, and GDAL reads it', async (format) => {
      const reply = await get(`/download/${at(name)}.${format}`);
      expect([reply.status, reply.status === 200 ? '' : textOf(reply.body)]).toEqual([200, '']);
      const file = join(kit().folder, `strange.${format}`);
      writeFileSync(file, reply.body as Buffer);
      const path = format === 'shp.zip' ? `/vsizip/${file}` : file;
      const options = format === 'csv' ? ['-oo', 'GEOM_POSSIBLE_NAMES=geom'] : [];
      const said = await kit().gdal('ogrinfo', ['-ro', '-so', '-al', ...options, path]);
      // GDAL leaves features without a place out of KML and FlatGeobuf, older ones even where it has no index.
      const few = name === 'bare' && (format === 'fgb' || format === 'kml') ? 1 : ROWS[name];
      if (format === 'kml') expect(textOf(reply.body).match(/<Placemark/g) ?? []).toHaveLength(ROWS[name]);
      expect(countIn(said)).toBeGreaterThanOrEqual(few);
      expect(countIn(said)).toBeLessThanOrEqual(ROWS[name]);
      if (name === CYRILLIC && (format === 'gpkg' || format === 'fgb'))
        for (const field of ['Название реки', 'длина, км', `a:b <c> & "d"`, `1'; drop table x`])
          expect(said).toContain(`${field}: `);
    });

    testNeeding(missing('gdal'), 'is read by GDAL from OGC API Features', async () => {
      const address = await kit().address();
      const about = JSON.parse(textOf((await get(`/ogc/collections/${at(name)}`)).body)) as { id: string };
      const oapif = await kit().run('ogrinfo', ['-ro', '-al', `OAPIF:${address}/ogc`, about.id]);
      expect(oapif.match(/^OGRFeature/gm)?.length ?? 0).toBe(ROWS[name]);
    });

    test('is GML that GDAL reads, from WFS', async () => {
      const gml = await get(`/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=${at(name)}`);
      expect([gml.status, gml.status === 200 ? '' : textOf(gml.body)]).toEqual([200, '']);
      const file = join(kit().folder, 'strange.gml');
      writeFileSync(file, gml.body as Buffer);
      rmSync(join(kit().folder, 'strange.gfs'), { force: true });
      if (name !== 'empty') expect(countIn(await kit().gdal('ogrinfo', ['-ro', '-so', '-al', file]))).toBe(ROWS[name]);
    });
  });
});
