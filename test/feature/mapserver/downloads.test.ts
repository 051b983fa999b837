// Downloads: every format holds what is stored, as GDAL reads it; and only those who may download get one.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { textOf } from '../../testkit/reply-matcher.ts';
import { openRest } from '../../testkit/rest-client.ts';
import { makeLayer, OPEN, onLayers, setPerms } from './layer-kit.ts';

type Read = { features: { properties: Record<string, unknown>; geometry: { coordinates: unknown } | null }[] };

onLayers('downloads', {}, (kit) => {
  let places = 0;

  beforeAll(async () => {
    places = await makeLayer(kit(), {
      name: 'places',
      title: 'Places & <more>',
      columns:
        'name text, height integer, big bigint, share double precision, is_new boolean, since date, seen timestamptz, nothing text',
      geometry: 'Point',
      srid: 25832,
      rows: `insert into $table (name, height, big, share, is_new, since, seen, geom) values
        ('Köln, "am" <Rhein>', 53, 9007199254740993, 0.25, true, '2001-02-03', '2020-01-02T03:04:05Z', st_setsrid(st_makepoint(356000, 5645000), 25832)),
        (E'two\\nlines', -1, 5, -2.5, false, null, null, st_setsrid(st_makepoint(500000, 5600000), 25832))`,
    });
    await makeLayer(kit(), {
      name: 'areas',
      columns: 'name text',
      geometry: 'MultiPolygon',
      rows: `insert into $table (name, geom) values ('a', st_multi(st_makeenvelope(7, 50, 8, 51, 4326))), ('none', null)`,
    });
  });

  /** Downloads the file and has GDAL read it. */
  const read = async (format: string, layer = 'places', query = ''): Promise<Read> => {
    const reply = await kit().portal.visitor.get(`/download/${layer}.${format}${query}`);
    if (reply.status !== 200) throw new Error(`${reply.status} ${textOf(reply.body)}`);
    const path = join(kit().folder, `got.${format}`);
    writeFileSync(path, reply.body as Uint8Array);
    const source = format === 'shp.zip' ? `/vsizip/${path}` : path;
    const options =
      format === 'csv'
        ? ['-oo', 'GEOM_POSSIBLE_NAMES=wkt', '-oo', 'KEEP_GEOM_COLUMNS=NO', '-oo', 'AUTODETECT_TYPE=YES']
        : [];
    return JSON.parse(
      await kit().gdal('ogr2ogr', [
        '-f',
        'GeoJSON',
        ...(format === 'csv' ? [] : ['-t_srs', 'EPSG:4326']),
        '/vsistdout/',
        source,
        ...options,
      ]),
    ) as Read;
  };

  test.each(['geojson', 'gpkg', 'fgb', 'csv', 'shp.zip'])(
    '%s holds features and attributes as they are stored',
    async (format) => {
      const { features } = await read(format);
      expect(features).toHaveLength(2);
      const one = features.find(({ properties }) => properties['height'] === 53);
      expect(one?.properties).toMatchObject({ name: 'Köln, "am" <Rhein>', share: 0.25 });
      expect(String(one?.properties['since']).replaceAll('/', '-')).toMatch(/^2001-02-03/);
      const [x = 0, y = 0] = (one?.geometry?.coordinates ?? []) as number[];
      // GDAL writes longitude and latitude into GeoJSON; CSV has no system to go by.
      if (format === 'csv') expect([x, y]).toEqual([356000, 5645000]);
      else expect([x, y]).toEqual([expect.closeTo(6.95, 1), expect.closeTo(50.94, 1)]);
    },
  );

  test('kml holds features and attributes', async () => {
    const { features } = await read('kml');
    expect(features).toHaveLength(2);
    const text = textOf((await kit().portal.visitor.get('/download/places.kml')).body);
    // Not every GDAL reads attributes of KML.
    expect(text).toMatch(/name="height">(?:<value>)?53</);
    expect(text).toContain('<name>Places &#38; &#60;more&#62;</name>');
  });

  test('kmz holds the same KML', async () => {
    const reply = await kit().portal.visitor.get('/download/places.kmz');
    expect(reply).toMatchReply({ status: 200, headers: { 'content-type': 'application/vnd.google-earth.kmz' } });
    const path = join(kit().folder, 'places.kmz');
    writeFileSync(path, reply.body as Uint8Array);
    expect(await kit().gdal('ogrinfo', ['-ro', '-al', `/vsizip/${path}/doc.kml`])).toContain('Feature Count: 2');
  });

  test('parquet holds the features with their types, and where they are', async () => {
    const bytes = async (layer: string): Promise<ArrayBuffer> => {
      const reply = await kit().portal.visitor.get(`/download/${layer}.parquet`);
      expect(reply).toMatchReply({ status: 200, headers: { 'content-type': 'application/vnd.apache.parquet' } });
      return Uint8Array.from(reply.body as Uint8Array).buffer;
    };
    const file = await bytes('places');
    const { key_value_metadata: told = [], schema } = parquetMetadata(file);
    const geo = JSON.parse(told.find(({ key }) => key === 'geo')?.value ?? '{}');
    expect(geo).toMatchObject({
      version: '1.1.0',
      primary_column: 'geometry',
      columns: { geometry: { encoding: 'WKB', geometry_types: ['Point'] } },
    });
    expect(schema.find(({ name }) => name === 'since')).toMatchObject({ type: 'INT32', converted_type: 'DATE' });
    const rows = await parquetReadObjects({ file });
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ name: 'Köln, "am" <Rhein>', height: 53, big: 9007199254740993n, share: 0.25 });
    expect(await parquetReadObjects({ file: await bytes('areas') })).toHaveLength(2);
  });

  test.each(['places', 'areas'])('a workbook of %s says where each feature is', async (layer) => {
    const reply = await kit().portal.visitor.get(`/download/${layer}.xlsx`);
    expect(reply).toMatchReply({ status: 200 });
    const path = join(kit().folder, `${layer}.xlsx`);
    writeFileSync(path, reply.body as Uint8Array);
    const said = await kit().gdal('ogrinfo', ['-ro', '-al', path]);
    expect(said).toContain('Feature Count: 2');
    const [longitude, latitude] = layer === 'places' ? [6.95, 50.94] : [7.5, 50.5];
    const told = (name: string): number[] =>
      [...said.matchAll(new RegExp(`${name} \\(Real\\) = ([\\d.]+)`, 'g'))].map(([, number]) => Number(number));
    expect(told('longitude')).toContainEqual(expect.closeTo(longitude, 1));
    expect(told('latitude')).toContainEqual(expect.closeTo(latitude, 1));
  });

  test('types, ids and names survive in a GeoPackage', async () => {
    const reply = await kit().portal.visitor.get('/download/places.gpkg');
    expect(reply).toMatchReply({
      status: 200,
      headers: {
        'content-type': 'application/geopackage+sqlite3',
        'content-disposition': `attachment; filename*=UTF-8''places.gpkg`,
      },
    });
    const path = join(kit().folder, 'types.gpkg');
    writeFileSync(path, reply.body as Uint8Array);
    const said = await kit().gdal('ogrinfo', ['-ro', '-al', path]);
    for (const line of [
      /Layer name: places/,
      /height: Integer \(/,
      /big: Integer64/,
      /share: Real/,
      /is_new: Integer\(Boolean\)/,
      /since: Date/,
      /seen: DateTime/,
      /nothing: String/,
      /ID\["EPSG",25832\]/,
      /FID Column = fid/,
    ])
      expect(said).toMatch(line);
    expect(said).toContain('big (Integer64) = 9007199254740993');
  });

  test('a GeoPackage keeps JSON, 16-bit and 32-bit integers, whatever the columns are called', async () => {
    await makeLayer(kit(), {
      name: 'typed',
      columns: `small smallint, middle integer, "a ""b"" <c>\\ größe" jsonb, list text[], share double precision`,
      geometry: 'Point',
      rows: `insert into $table (small, middle, "a ""b"" <c>\\ größe", list, share, geom) values
        (null, null, null, null, null, null),
        (-32768, 2147483647, '{"a": [1, "two"]}', '{x,y}', 0.30000000000000004, st_setsrid(st_makepoint(7, 50), 4326))`,
    });
    const reply = await kit().portal.visitor.get('/download/typed.gpkg');
    expect(reply).toMatchReply({ status: 200 });
    const path = join(kit().folder, 'typed.gpkg');
    writeFileSync(path, reply.body as Uint8Array);
    const said = await kit().gdal('ogrinfo', ['-ro', '-al', path]);
    for (const line of [
      /small: Integer\(Int16\)/,
      /middle: Integer \(/,
      /a "b" <c>\\ größe: String\(JSON\)/,
      /small \(Integer\(Int16\)\) = -32768/,
      /middle \(Integer\) = 2147483647/,
      /größe \(String\(JSON\)\) = \{ ?"a": ?\[ ?1, ?"two" ?\] ?\}/,
    ])
      expect(said).toMatch(line);
    const exact = `select printf('%!.17g', share) as exact from typed where share > 0`;
    expect(await kit().gdal('ogrinfo', ['-ro', '-q', path, '-sql', exact])).toContain('= 0.30000000000000004\n');
  });

  test('a GeoPackage keeps binary, byte for byte', async () => {
    await makeLayer(kit(), {
      name: 'binary',
      columns: 'name text, raw bytea, after integer',
      geometry: 'Point',
      rows: `insert into $table (name, raw, after, geom) values ('null', null, 1, null), ('empty', '', 2, null),
        ('bytes', decode('00ff5c7800', 'hex'), 3, st_setsrid(st_makepoint(7, 50), 4326))`,
    });
    const reply = await kit().portal.visitor.get('/download/binary.gpkg');
    expect(reply).toMatchReply({ status: 200 });
    const path = join(kit().folder, 'binary.gpkg');
    writeFileSync(path, reply.body as Uint8Array);
    expect(await kit().gdal('ogrinfo', ['-ro', '-so', '-al', path])).toMatch(
      /\nname: String.*\nraw: Binary.*\nafter: Integer .*\n$/,
    );
    const cells = `select name || ' ' || typeof(raw) || ' ' || coalesce(hex(raw), '') as cell from binary order by after`;
    const said = await kit().gdal('ogrinfo', ['-ro', '-q', path, '-sql', cells]);
    expect([...said.matchAll(/cell \(String\) = (.*)/g)].map(([, cell]) => cell)).toEqual([
      'null null ',
      'empty blob ',
      'bytes blob 00FF5C7800',
    ]);
  });

  test.each(['geojson', 'csv', 'kml', 'gpkg', 'fgb', 'shp.zip'])(
    'coordinates and numbers keep all their digits in %s',
    async (format) => {
      const [x, y, share] = [7.123456789012345, 50.00000000000001, 0.12345678901234568];
      await makeLayer(kit(), {
        name: `exact_${format.slice(0, 3)}`,
        columns: 'share double precision, anything jsonb',
        geometry: 'Point',
        rows: `insert into $table (share, anything, geom) values (${share}, '"text"', st_setsrid(st_makepoint(${x}, ${y}), 4326))`,
      });
      const reply = await kit().portal.visitor.get(`/download/exact_${format.slice(0, 3)}.${format}`);
      expect(reply).toMatchReply({ status: 200 });
      if (format === 'geojson' || format === 'csv' || format === 'kml') {
        const text = textOf(reply.body);
        for (const number of [x, y, share]) expect(text).toContain(String(number));
        return;
      }
      const path = join(kit().folder, `exact.${format}`);
      writeFileSync(path, reply.body as Uint8Array);
      const source = format === 'shp.zip' ? `/vsizip/${path}` : path;
      const read = await kit().gdal('ogr2ogr', [
        '-f',
        'GeoJSON',
        '-lco',
        'COORDINATE_PRECISION=17',
        '/vsistdout/',
        source,
      ]);
      const [feature] = (JSON.parse(read) as Read).features;
      expect(feature?.geometry?.coordinates).toEqual([x, y]);
      if (format !== 'gpkg') return;
      // JSON of any kind is JSON there.
      const said = await kit().gdal('ogrinfo', ['-ro', '-q', path, '-sql', 'select anything from exact_gpk']);
      expect(said).toContain('= "text"\n');
    },
  );

  test('a shapefile of several types of geometry is one file for each type', async () => {
    await makeLayer(kit(), {
      name: 'mixed',
      columns: 'name text',
      geometry: 'Geometry',
      rows: `insert into $table (name, geom) values ('p', st_setsrid(st_makepoint(7, 50), 4326)), ('nothing', null),
        ('l', st_setsrid(st_makeline(st_makepoint(7, 50), st_makepoint(8, 51)), 4326)),
        ('a', st_makeenvelope(7, 50, 8, 51, 4326)), ('m', st_multi(st_makeenvelope(7, 50, 8, 51, 4326))),
        ('mp', st_setsrid(st_geomfromtext('MULTIPOINT(7 50, 8 51)'), 4326))`,
    });
    const reply = await kit().portal.visitor.get('/download/mixed.shp.zip');
    expect(reply).toMatchReply({ status: 200 });
    const path = join(kit().folder, 'mixed.shp.zip');
    writeFileSync(path, reply.body as Uint8Array);
    const said = await kit().gdal('ogrinfo', ['-ro', '-so', '-al', `/vsizip/${path}`]);
    const layers = [...said.matchAll(/Layer name: (\S+)\n[\s\S]*?Geometry: ([^\n]+)\n[\s\S]*?Feature Count: (\d+)/g)];
    expect(layers.map(([, name, type, count]) => [name, type, count]).sort()).toEqual([
      ['mixed_line', 'Line String', '1'],
      ['mixed_multipoint', 'Multi Point', '1'],
      ['mixed_point', 'Point', '1'],
      ['mixed_polygon', 'Polygon', '2'],
      ['mixed_without_geometry', 'None', '1'],
    ]);
    // One type alone keeps the name of the layer.
    expect((await read('shp.zip', 'mixed', '?name=p')).features).toHaveLength(1);
    await kit().db.script(
      `insert into layers.mixed (name, geom) values ('c', st_setsrid(st_geomfromtext('GEOMETRYCOLLECTION(POINT(7 50))'), 4326))`,
    );
    const refused = await kit().portal.visitor.get('/download/mixed.shp.zip');
    expect(refused).toMatchReply({ status: 400 });
    expect(textOf(refused.body)).toContain('GeoPackage');
    expect((await read('gpkg', 'mixed')).features).toHaveLength(7);
  });

  test('a download can be filtered, like the features', async () => {
    expect((await read('geojson', 'places', '?height=53')).features).toHaveLength(1);
    expect((await read('gpkg', 'places', `?filter=${encodeURIComponent('height < 0')}`)).features).toHaveLength(1);
    expect((await read('csv', 'places', '?limit=1&properties=name')).features[0]?.properties).toEqual({
      fid: 1,
      name: 'Köln, "am" <Rhein>',
    });
    expect(await kit().portal.visitor.get('/download/places.geojson?unknown=1')).toMatchReply({ status: 400 });
    expect(await kit().portal.visitor.get('/download/places.geojson?height=tall')).toMatchReply({ status: 400 });
  });

  test('texts that a spreadsheet would run are defused in CSV, numbers are not', async () => {
    await makeLayer(kit(), {
      name: 'formulas',
      columns: '"=head" text, n integer, said varchar(40)',
      geometry: 'Point',
      rows: `insert into $table ("=head", n, said) values ('=1+1', -5, '@x'), (E'\\tx', 5, '-5.5'), ('a=1', 0, '-x'), (null, null, E'\\r=1')`,
    });
    for (const path of [
      '/download/formulas.csv',
      '/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=formulas&outputFormat=text/csv',
    ])
      expect(textOf((await kit().portal.visitor.get(path)).body)).toBe(
        `fid,'=head,n,said,wkt\n1,'=1+1,-5,'@x,\n2,'\tx,5,-5.5,\n3,a=1,0,'-x,\n4,,,"'\r=1",\n`,
      );
    expect((await read('geojson', 'formulas')).features[0]?.properties).toMatchObject({ '=head': '=1+1', n: -5 });
  });

  test('a feature without geometry is there, too', async () => {
    expect((await read('geojson', 'areas')).features.map(({ geometry }) => geometry === null)).toEqual([false, true]);
    expect((await read('gpkg', 'areas')).features).toHaveLength(2);
  });

  test('who may see but not download is refused; taking the permission away takes effect at once', async () => {
    for (const format of ['geojson', 'csv', 'kml', 'gpkg'])
      expect(await kit().portal.visitor.get(`/download/places.${format}`)).toMatchReply({ status: 200 });
    await setPerms(kit(), places, {
      users: { mia: ['view_resourcebase', 'download_resourcebase'] },
      groups: { anonymous: ['view_resourcebase'] },
    });
    for (const format of ['geojson', 'csv', 'kml', 'gpkg']) {
      expect(await kit().portal.visitor.get(`/download/places.${format}`)).toMatchReply({ status: 401 });
      expect(await kit().portal.as('bob').get(`/download/places.${format}`)).toMatchReply({ status: 403 });
      expect(await kit().portal.as('mia').get(`/download/places.${format}`)).toMatchReply({ status: 200 });
    }
    await setPerms(kit(), places, {});
    expect(await kit().portal.visitor.get('/download/places.geojson')).toMatchReply({ status: 404 });
    await setPerms(kit(), places, OPEN);
  });

  test('rows are listed by no service for who may not download, who still looks at maps and at one feature', async () => {
    const rest = await openRest(
      kit().db,
      {
        'db-schemas': 'layers',
        'db-extra-search-path': 'public',
        'db-anon-role': 'survest_anon',
        'db-relation-guard': 'portal.visible_relations',
      },
      () => kit().db.driver,
    );
    onTestFinished(() => rest.close());
    const lists = [
      '/ogc/collections/places/items',
      '/ogc/collections/places/items?f=html',
      '/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=places',
      '/wfs?service=WFS&version=1.0.0&request=GetFeature&typeName=places&outputFormat=text/csv',
      '/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=places&resultType=hits',
    ];
    const views = ['/ogc/collections/places', '/ogc/collections/places/items/1', '/tiles/places/0/0/0.mvt'];
    const reads: readonly (readonly [method: string, path: string, body?: unknown])[] = [
      ['GET', '/places'],
      ['HEAD', '/places'],
      ['QUERY', '/places', {}],
      ['POST', '/places/query', {}],
      ['POST', '/batch', [{ method: 'GET', path: '/places' }]],
      ['POST', '/batch', [{ method: 'POST', path: '/places/query', body: {} }]],
    ];
    const rows = ([method, path, body]: (typeof reads)[number]): Promise<{ status: number }> =>
      rest.request(method, path, body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } });

    for (const path of [...lists, ...views]) expect((await kit().portal.visitor.get(path)).status, path).toBe(200);
    for (const read of reads) expect((await rows(read)).status, read.join(' ')).toBe(200);
    await setPerms(kit(), places, {
      users: { mia: ['view_resourcebase', 'change_layer_data'] },
      groups: { anonymous: ['view_resourcebase'] },
    });
    for (const path of lists) {
      expect((await kit().portal.visitor.get(path)).status, path).toBe(401);
      const refused = await kit().portal.as('bob').get(path);
      expect({ path, status: refused.status, said: /permission to download/.test(textOf(refused.body)) }).toEqual({
        path,
        status: 403,
        said: true,
      });
      expect((await kit().portal.as('mia').get(path)).status, path).toBe(200);
    }
    for (const path of views) expect((await kit().portal.visitor.get(path)).status, path).toBe(200);
    for (const read of reads) expect((await rows(read)).status, read.join(' ')).toBe(401);
    expect((await rest.request('OPTIONS', '/places')).status).toBe(200);
    await setPerms(kit(), places, OPEN);
  });

  test.each([
    ['/download/places', 404],
    ['/download/places.exe', 404],
    ['/download/nothing.geojson', 404],
    ['/download/places.tif', 400],
    ['/download/..%2f..%2fetc%2fpasswd.csv', 404],
    [`/download/places.geojson?crs=EPSG:3857`, 400],
    [`/download/places.geojson?filter=${encodeURIComponent('('.repeat(2000))}`, 400],
  ])('%s is refused (%i)', async (target, status) => {
    expect(await kit().portal.visitor.get(target)).toMatchReply({ status });
  });
});

onLayers('rasters', {}, (kit) => {
  test('a raster is downloaded as it is stored, also in parts', async () => {
    const content = Buffer.from('II*\0 not really a raster');
    await kit().blobs.put(
      'rasters/aa/test',
      (async function* () {
        yield content;
      })(),
    );
    await kit().db.script(`
      begin;
      select set_config('role', 'survest_user', true), set_config('request.jwt.claims', '{"sub":"${kit().portal.ids.ada}","role":"survest_user"}', true);
      insert into portal.resource (resource_type, title, name, store, store_type, srid, ll_bbox_polygon)
        values ('layer', 'heights', 'heights', 'heights', 'coverageStore', 'EPSG:4326', st_makeenvelope(0, 0, 1, 1, 4326));
      insert into portal.raster (resource_id, blob, size, width, height, bands)
        select max(id), 'rasters/aa/test', ${content.length}, 10, 10, '[{"type": "Byte", "nodata": null}]' from portal.resource;
      commit`);
    const { visitor } = kit().portal;
    const whole = await visitor.get('/download/heights.tif');
    expect(whole).toMatchReply({
      status: 200,
      headers: { 'content-length': String(content.length), 'accept-ranges': 'bytes' },
    });
    expect(Buffer.from(whole.body as Uint8Array)).toEqual(content);
    const part = await visitor.get('/download/heights.tif', { range: 'bytes=2-3' });
    expect(part).toMatchReply({ status: 206, headers: { 'content-range': `bytes 2-3/${content.length}` } });
    expect(Buffer.from(part.body as Uint8Array)).toEqual(content.subarray(2, 4));
    expect(await visitor.get('/download/heights.tif', { range: 'bytes=9999-' })).toMatchReply({ status: 416 });
    expect(await visitor.get('/download/heights.geojson')).toMatchReply({ status: 400 });
    expect(await visitor.get('/tiles/heights/0/0/0.mvt')).toMatchReply({ status: 400 });
    expect(await visitor.get('/ogc/collections/heights/items')).toMatchReply({ status: 404 });
  });
});
