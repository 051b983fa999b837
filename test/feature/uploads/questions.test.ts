// Imports that need somebody to say something first, and what they tell while they run.

import { expect, test } from 'vitest';
import {
  SHEET_PART,
  SHEET_TAIL,
  sheetHead,
  sheetRow,
  workbookParts,
} from '../../../src/mapserver/downloads/workbook.ts';
import { at, collection, onUploads } from './upload-kit.ts';
import { zipOf } from './zip-writer.ts';

onUploads('an import that has to ask', {}, (kit) => {
  test('for coordinates that a table does not have takes it as a plain table, and later rows as well', async () => {
    const { portal } = kit();
    const ada = portal.bearer(await portal.tokenOf('ada'));
    const upload = await kit().import('ada', [{ name: 'prices.csv', content: 'Ware;Preis\nBrot;2,5\nMilch;1\n' }]);
    expect(upload).toMatchObject({ state: 'WAITING', session: { question: { kind: 'columns' } } });
    const path = `/api/v2/uploads/${upload.id}/answer/`;
    expect(await ada.post(path, { places: 'some' })).toMatchReply({ status: 400 });
    expect(await ada.post(path, { places: 'none' })).toMatchReply({ status: 200 });
    const done = await kit().until(upload.id, ['PROCESSED', 'INVALID']);
    expect(done.state).toBe('PROCESSED');
    const { layer } = JSON.parse(String((await ada.get(`/api/v2/layers/${done.resource_id}/`)).body));
    expect(layer).toMatchObject({
      subtype: 'tabular',
      default_style: null,
      ll_bbox_polygon: null,
      attribute_set: [
        { attribute: 'ware', attribute_label: 'Ware', attribute_type: 'xsd:string' },
        { attribute: 'preis', attribute_label: 'Preis', max: '2.5' },
      ],
    });
    expect(await ada.get(`/upload/final?id=${upload.import_id}`)).toMatchReply({
      status: 200,
      json: expect.objectContaining({
        status: 'finished',
        layers: [expect.objectContaining({ id: done.resource_id })],
      }),
    });
    const rows = () => kit().db.query('select ware, preis::float8 as preis from layers.prices order by fid');
    expect(await rows()).toEqual([
      { ware: 'Brot', preis: 2.5 },
      { ware: 'Milch', preis: 1 },
    ]);

    // What goes into a table has no places, whatever its columns are called; and where it is said with the file, nothing is asked.
    const into = `/api/v2/layers/${done.resource_id}/append/`;
    const more = await kit().import('ada', [{ name: 'more.csv', content: 'Ware,Preis\nKäse,3\n' }], {}, into);
    expect(more).toMatchObject({ state: 'PROCESSED', session: { rows: { before: 2, after: 3 } } });
    expect(await rows()).toContainEqual({ ware: 'Käse', preis: 3 });

    // Either is undone, and that as well.
    const keptPath = `/api/v2/layers/${done.resource_id}/kept/`;
    const kept = async () => JSON.parse(String((await ada.get(keptPath)).body)).kept;
    expect(await kept()).toMatchObject([{ kind: 'append', rows: 1, by: 'ada' }]);
    const replaced = await kit().import(
      'ada',
      [{ name: 'new.csv', content: 'Ware,Preis,Ort\nReis,4,Ulm\n' }],
      {},
      `/api/v2/layers/${done.resource_id}/replace/`,
    );
    expect(replaced).toMatchObject({ state: 'PROCESSED', session: { rows: { before: 3, after: 1 } } });
    const [replacement, addition] = await kept();
    expect(replacement).toMatchObject({ kind: 'replace', rows: 3 });
    const bob = portal.bearer(await portal.tokenOf('bob'));
    expect((await bob.get(keptPath)).status).not.toBe(200);
    expect((await bob.post(`${keptPath}${replacement.id}/restore/`)).status).not.toBe(200);
    // Pressed twice, it is undone once.
    const twice = await Promise.all([1, 2].map(() => ada.post(`${keptPath}${replacement.id}/restore/`)));
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(twice.find(({ status }) => status === 200)).toMatchReply({ json: { rows: { before: 1, after: 3 } } });
    expect(await rows()).toEqual([
      { ware: 'Brot', preis: 2.5 },
      { ware: 'Milch', preis: 1 },
      { ware: 'Käse', preis: 3 },
    ]);
    expect(await ada.post(`${keptPath}${addition.id}/restore/`)).toMatchReply({
      status: 200,
      json: { rows: { before: 3, after: 2 } },
    });
    expect((await ada.post(`${keptPath}${addition.id}/restore/`)).status).toBe(404);
    const [again] = await kept();
    expect(again).toMatchObject({ kind: 'replace', rows: 1 });
    expect((await ada.post(`${keptPath}${again.id}/restore/`)).status).toBe(200);
    expect(await kit().db.query('select ware, ort from layers.prices')).toEqual([{ ware: 'Reis', ort: 'Ulm' }]);
    const [last] = await kept();
    expect((await ada.post(`${keptPath}${last.id}/restore/`)).status).toBe(200);
    await kit().db.query('select portal.forget_kept_data(0)');
    expect(await kept()).toEqual([]);
    const stranger = await kit().import('ada', [{ name: 'x.csv', content: 'lon,lat\n1,2\n' }], {}, into);
    expect(stranger).toMatchObject({ state: 'INVALID', session: { error_msg: expect.stringContaining('"lon"') } });
    const said = await kit().import('ada', [{ name: 'said.csv', content: 'lon,lat\n1,2\n' }], { places: 'none' });
    expect(said.state).toBe('PROCESSED');
    expect(await kit().db.query('select lon::text, lat::text from layers.said')).toEqual([{ lon: '1', lat: '2' }]);
  });

  test('for coordinates of a workbook names its sheets, and takes all of them as tables, or one', async () => {
    const { portal } = kit();
    const ada = portal.bearer(await portal.tokenOf('ada'));
    kit().write('Orders.csv', 'No,Date,Price,Name,Code\n1,2024-02-03,2.5,Ünal,007\n2,2024-03-04,3,Bo,012\n');
    kit().write('Orders.csvt', '"Integer","Date","Real","String","String"');
    kit().write('Goods.csv', 'Ware,Stock\nBread,5\n');
    await kit().gdal('ogr2ogr', '-f', 'XLSX', 'shop.xlsx', 'Orders.csv');
    await kit().gdal('ogr2ogr', '-f', 'XLSX', '-update', 'shop.xlsx', 'Goods.csv', '-oo', 'AUTODETECT_TYPE=YES');
    const book = `${kit().folder}/shop.xlsx`;
    const asked = await kit().import('ada', [book], { layer_title: 'Shop' });
    expect(asked).toMatchObject({
      state: 'WAITING',
      session: { question: { kind: 'columns', sheets: ['Orders', 'Goods'] } },
    });
    expect(await ada.get(`/upload/?id=${asked.import_id}`)).toMatchReply({
      status: 200,
      json: expect.objectContaining({ question: expect.objectContaining({ sheets: ['Orders', 'Goods'] }) }),
    });
    expect((await ada.post(`/api/v2/uploads/${asked.id}/answer/`, { places: 'none' })).status).toBe(200);
    expect((await kit().until(asked.id, ['PROCESSED', 'INVALID'])).state).toBe('PROCESSED');
    const { layers } = JSON.parse(String((await ada.get(`/upload/final?id=${asked.import_id}`)).body));
    expect(layers).toHaveLength(2);
    const titles = await kit().db.query<{ title: string }>(
      'select r.title from portal.upload_layer l join portal.resource r on r.id = l.resource_id where l.upload_id = $1 order by 1',
      [asked.id],
    );
    expect(titles.map(({ title }) => title)).toEqual(['Shop: Goods', 'Shop: Orders']);
    // Cells keep their types: dates, numbers, and codes that begin with a zero.
    const columns = await kit().db.query<{ said: string }>(
      `select a.attname || ' ' || format_type(a.atttypid, a.atttypmod) as said from pg_attribute a
        where a.attrelid = 'layers.orders'::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    );
    expect(columns.map(({ said }) => said)).toEqual([
      'fid bigint',
      'no integer',
      'date date',
      'price double precision',
      'name text',
      'code text',
    ]);
    expect(await kit().db.query('select no, date::text, price, name, code from layers.orders order by fid')).toEqual([
      { no: 1, date: '2024-02-03', price: 2.5, name: 'Ünal', code: '007' },
      { no: 2, date: '2024-03-04', price: 3, name: 'Bo', code: '012' },
    ]);

    const one = await kit().import('ada', [book], { places: 'none', sheet: 'Goods', layer_title: 'Goods alone' });
    expect(one.state).toBe('PROCESSED');
    const [made] = await kit().db.query<{ title: string; name: string }>(
      'select title, name from portal.resource where id = $1',
      [one.resource_id],
    );
    expect(made?.title).toBe('Goods alone');
    expect(await kit().db.query(`select ware, stock from layers."${made?.name}"`)).toEqual([
      { ware: 'Bread', stock: 5 },
    ]);
    const none = await kit().import('ada', [book], { places: 'none', sheet: 'Sales' });
    expect(none).toMatchObject({ state: 'INVALID', session: { error_msg: expect.stringContaining('"Goods"') } });
    // Names stand in the first row, also where every cell is a text.
    kit().write('People.csv', 'First,Last\nAda,Byron\n');
    await kit().gdal('ogr2ogr', '-f', 'XLSX', 'people.xlsx', 'People.csv');
    const texts = await kit().import('ada', [`${kit().folder}/people.xlsx`], { places: 'none' });
    expect(texts.state).toBe('PROCESSED');
    expect(await kit().db.query('select * from layers.people')).toEqual([{ fid: '1', first: 'Ada', last: 'Byron' }]);
    // Into a table that exists goes one sheet: the largest, or the one that is named.
    const into = `/api/v2/layers/${one.resource_id}/append/`;
    const more = await kit().import('ada', [book], { sheet: 'Goods' }, into);
    expect(more).toMatchObject({ state: 'PROCESSED', session: { rows: { before: 1, after: 2 } } });
  });

  test('of a workbook takes its TRUE and FALSE for booleans, and its 1 and 0 for numbers', async () => {
    const kinds = ['text', 'boolean', 'integer', 'boolean'] as const;
    const columns = kinds.map((kind) => ({ kind, isDouble: false }));
    const rows = [
      ['a', 'true', '1', null],
      ['b', null, '0', 'true'],
      ['c', 'false', null, 'false'],
    ];
    const sheet = `${sheetHead(['Shop', 'Open', 'Count', 'Late'])}${rows.map((row, i) => sheetRow(columns, row, i + 2)).join('')}${SHEET_TAIL}`;
    const parts = [...workbookParts('Shops'), [SHEET_PART, sheet] as const];
    const content = zipOf(parts.map(([name, text]) => ({ name, content: text })));
    const done = await kit().import('ada', [{ name: 'shops.xlsx', content }], { places: 'none' });
    expect(done.state).toBe('PROCESSED');
    expect(await kit().db.query('select shop, open, count, late from layers.shops order by fid')).toEqual([
      { shop: 'a', open: true, count: 1, late: null },
      { shop: 'b', open: null, count: 0, late: true },
      { shop: 'c', open: false, count: null, late: false },
    ]);
  });

  test('of several layers in a GeoPackage makes one of each, of tables without places, too, and says what was left out', async () => {
    const { portal } = kit();
    const ada = portal.bearer(await portal.tokenOf('ada'));
    kit().write('p.geojson', collection([{ properties: { n: 1 }, geometry: at(8, 47) }]));
    kit().write('notes.csv', 'a,b\n1,2\n0102000020E6100000,"two\nlines"\n');
    await kit().gdal('ogr2ogr', 'several.gpkg', 'p.geojson', '-nln', 'wells');
    await kit().gdal('ogr2ogr', '-update', 'several.gpkg', 'p.geojson', '-nln', 'springs');
    await kit().gdal('ogr2ogr', '-update', 'several.gpkg', 'notes.csv', '-nln', 'notes');
    await kit().gdal('ogr2ogr', '-update', 'several.gpkg', 'notes.csv', '-nln', 'layer_styles');
    const upload = await kit().import('ada', [`${kit().folder}/several.gpkg`], { layer_title: 'Water' });
    expect(upload).toMatchObject({
      state: 'PROCESSED',
      session: { warnings: ['"layer_styles" is a table of QGIS and was left out.'] },
    });
    const { layers } = JSON.parse(String((await ada.get(`/upload/final?id=${upload.import_id}`)).body));
    const made: { readonly pk: string; readonly title: string; readonly subtype: string; readonly name: string }[] = [];
    for (const { id } of layers) made.push(JSON.parse(String((await ada.get(`/api/v2/layers/${id}/`)).body)).layer);
    expect(made.map(({ title, subtype }) => [title, subtype]).sort()).toEqual([
      ['Water: notes', 'tabular'],
      ['Water: springs', 'vector'],
      ['Water: wells', 'vector'],
    ]);
    const notes = made.find(({ subtype }) => subtype === 'tabular');
    expect(await kit().db.query(`select * from layers."${notes?.name}" order by fid`)).toEqual([
      { fid: '1', a: '1', b: '2' },
      { fid: '2', a: '0102000020E6100000', b: 'two\nlines' },
    ]);
    // Further rows get further keys.
    expect(await kit().db.query(`insert into layers."${notes?.name}" (a) values ('three') returning fid`)).toEqual([
      { fid: '3' },
    ]);
    // Alone it is called like the file, whatever its coordinate system would be; into a layer with places it does not go.
    await kit().gdal('ogr2ogr', 'notes.gpkg', 'notes.csv', '-nln', 'whatever');
    const alone = await kit().import('ada', [`${kit().folder}/notes.gpkg`]);
    expect(alone).toMatchObject({ state: 'PROCESSED', session: { warnings: [] } });
    expect(
      await kit().db.query('select title, is_tabular from portal.resource where id = $1', [alone.resource_id]),
    ).toEqual([{ title: 'notes', is_tabular: true }]);
    await kit().gdal(
      'ogr2ogr',
      'mixed.gpkg',
      'p.geojson',
      '-nln',
      'wells',
      '-t_srs',
      '+proj=laea +lat_0=47 +lon_0=8 +datum=WGS84 +units=m',
    );
    await kit().gdal('ogr2ogr', '-update', 'mixed.gpkg', 'notes.csv', '-nln', 'notes');
    const wells = made.find(({ title }) => title === 'Water: wells');
    const into = `/api/v2/layers/${wells?.pk}/append/`;
    expect(await kit().import('ada', [`${kit().folder}/mixed.gpkg`], {}, into)).toMatchObject({
      state: 'PROCESSED',
      session: { rows: { before: 1, after: 2 }, warnings: [expect.stringContaining('"notes" has no places')] },
    });
  });

  test('for the coordinate system waits for it, and goes on', async () => {
    const { portal } = kit();
    kit().write('p.geojson', collection([{ properties: { n: 1 }, geometry: at(8, 47) }]));
    await kit().gdal('ogr2ogr', 'nowhere.shp', 'p.geojson', '-t_srs', 'EPSG:25832');
    const parts = ['shp', 'dbf', 'shx'].map((part) => `${kit().folder}/nowhere.${part}`);
    const upload = await kit().import('ada', parts);
    expect(upload).toMatchObject({ state: 'WAITING', session: { question: { kind: 'crs', file: 'nowhere.shp' } } });

    const record = JSON.parse(String((await portal.as('ada').get(`/api/v2/uploads/${upload.id}`)).body)).upload;
    expect(record).toMatchObject({ state: 'WAITING', progress: 50, resume_url: `/upload/?id=${upload.import_id}` });
    expect(await portal.as('ada').get(`/upload/?id=${upload.import_id}`)).toMatchReply({
      status: 200,
      json: expect.objectContaining({
        status: 'incomplete',
        success: true,
        redirect_to: expect.stringMatching(new RegExp(`/upload/srs\\?id=${upload.import_id}&force_ajax=true$`)),
        question: expect.objectContaining({ kind: 'crs', fields: ['crs'] }),
      }),
    });
    expect(await portal.as('ada').get(`/mapserver/rest/imports/${upload.import_id}`)).toMatchReply({
      status: 200,
      json: {
        import: expect.objectContaining({ state: 'INCOMPLETE', tasks: [expect.objectContaining({ state: 'NO_CRS' })] }),
      },
    });

    const path = `/api/v2/uploads/${upload.id}/answer/`;
    expect(await portal.as('bob').post(path, { crs: 'EPSG:25832' })).toMatchReply({ status: 404 });
    expect(await portal.as('ada').post(path, { crs: 'somewhere' })).toMatchReply({
      status: 400,
      json: { crs: [expect.any(String)] },
    });
    expect(await portal.as('ada').post(path, {})).toMatchReply({ status: 400 });
    expect(await portal.as('ada').post(path, { crs: 'EPSG:99999' })).toMatchReply({
      status: 400,
      json: { crs: [expect.stringContaining('EPSG:99999')] },
    });
    for (const crs of [4978, 'EPSG:4978'])
      expect(await portal.as('ada').post(path, { crs })).toMatchReply({
        status: 400,
        json: { crs: [expect.stringContaining('no coordinate system of maps')] },
      });
    // One that the numbers cannot be in is asked for again, with the reason; and the files are still there.
    expect(await portal.as('ada').post(path, { srs: '4326' })).toMatchReply({ status: 200 });
    const again = await kit().until(upload.id, ['WAITING', 'PROCESSED', 'INVALID']);
    expect(again).toMatchObject({
      state: 'WAITING',
      session: { question: { kind: 'crs', said: expect.stringContaining('do not lie where EPSG:4326 is used') } },
    });
    expect(await portal.as('ada').get(`/upload/?id=${upload.import_id}`)).toMatchReply({
      status: 200,
      json: expect.objectContaining({
        question: expect.objectContaining({ said: expect.stringContaining('EPSG:4326') }),
      }),
    });
    expect(await portal.as('ada').post(path, { crs: 'urn:ogc:def:crs:EPSG::25832' })).toMatchReply({ status: 200 });
    const done = await kit().until(upload.id, ['PROCESSED', 'INVALID']);
    expect(done.state).toBe('PROCESSED');
    expect(await kit().db.query('select srid from portal.resource where id = $1', [done.resource_id])).toEqual([
      { srid: 'EPSG:25832' },
    ]);
    expect(await portal.as('ada').post(path, { crs: 'EPSG:4326' })).toMatchReply({ status: 400 });
  });

  test('for the columns of a table is answered by a form, as clients of old do', async () => {
    const upload = await kit().import('ada', [{ name: 'table.csv', content: 'name,breite,laenge\nx,47,8\n' }]);
    expect(upload).toMatchObject({
      state: 'WAITING',
      session: { question: { kind: 'columns', columns: ['name', 'breite', 'laenge'] } },
    });
    const { portal } = kit();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const path = `/upload/csv?id=${upload.import_id}`;
    expect(await portal.as('ada').post(path, 'lat=breite', form)).toMatchReply({
      status: 400,
      json: { x: ['This field is required.'] },
    });
    expect(await portal.as('ada').post(path, 'lat=breite&lng=nothing', form)).toMatchReply({ status: 400 });
    expect(await portal.as('ada').post(path, 'lat=breite&lng=laenge&srs=nowhere', form)).toMatchReply({
      status: 400,
      json: { crs: [expect.any(String)] },
    });
    expect(await portal.as('ada').post(path, 'lat=breite&lng=laenge', form)).toMatchReply({ status: 200 });
    const done = await kit().until(upload.id, ['PROCESSED', 'INVALID']);
    expect(done.state).toBe('PROCESSED');
    expect(await kit().db.query('select st_astext(geom) as geom from layers."table"')).toEqual([
      { geom: 'POINT(8 47)' },
    ]);
  });

  test('does not ask what was said beforehand', async () => {
    const upload = await kit().import('ada', [{ name: 'said.csv', content: 'a,b\n500000,5200000\n' }], {
      lng: 'a',
      lat: 'b',
      crs: '25832',
    });
    expect(upload.state).toBe('PROCESSED');
  });

  test('asks for a coordinate system that was said beforehand and cannot be', async () => {
    const upload = await kit().import('ada', [{ name: 'far.csv', content: 'x,y\n-5e15,9e15\n' }], {
      crs: 'EPSG:25832',
    });
    expect(upload).toMatchObject({
      state: 'WAITING',
      session: { question: { kind: 'crs', said: expect.stringContaining('do not lie where EPSG:25832 is used') } },
    });
    expect((await kit().left()).staged).toEqual([]);
  });
});

onUploads('while it runs', {}, (kit) => {
  test('an import tells of every step, to whoever listens', async () => {
    const { portal } = kit();
    const address = await portal.app.listen({ host: '127.0.0.1', port: 0 });
    const features = Array.from({ length: 3000 }, (_, n) => ({
      properties: { n, text: 'x'.repeat(100) },
      geometry: at(8 + n / 1e4, 47),
    }));
    const { upload_id } = JSON.parse(
      String((await kit().send('ada', [{ name: 'many.geojson', content: collection(features) }])).body),
    );
    const authorization = `Basic ${Buffer.from('ada:correct horse').toString('base64')}`;
    const stream = await fetch(`${address}/api/v2/uploads/${upload_id}/events/`, { headers: { authorization } });
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events = (await stream.text())
      .split('\n\n')
      .filter((event) => event.startsWith('event: progress'))
      .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)));
    expect(events.at(-1)).toMatchObject({ state: 'PROCESSED', progress: 100, layer: expect.any(Number) });
    const shares = events.map(({ progress }) => progress);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(events.every(({ bytes_read, bytes_total }) => bytes_read <= bytes_total)).toBe(true);
    const foreign = await fetch(`${address}/api/v2/uploads/${upload_id}/events/`);
    expect(foreign.status).toBe(401);
    await foreign.arrayBuffer();
  });

  test('one stream tells of many, until the last has ended', async () => {
    const { portal } = kit();
    const address = await portal.app
      .listen({ host: '127.0.0.1', port: 0 })
      .catch(() => `http://127.0.0.1:${port(portal.app.server.address())}`);
    const authorization = `Basic ${Buffer.from('ada:correct horse').toString('base64')}`;
    const ask = (ids: string): Promise<Response> =>
      fetch(`${address}/api/v2/uploads/events?ids=${ids}`, { headers: { authorization } });
    const sent: number[] = [];
    for (const name of ['first', 'second', 'third']) {
      const file = { name: `${name}.geojson`, content: collection([{ geometry: at(8, 47), properties: { name } }]) };
      sent.push(JSON.parse(String((await kit().send('ada', [file])).body)).upload_id);
    }
    const waiting = await kit().import('ada', [{ name: 'ask2.csv', content: 'name,breite,laenge\nx,47,8\n' }]);
    const foreign = await kit().import('bob', [
      { name: 'bens.geojson', content: collection([{ geometry: at(8, 47), properties: {} }]) },
    ]);
    const text = (await ask([...sent, waiting.id, foreign.id, 99_999_999].join(','))).text();
    await portal.as('ada').get(`/upload/delete/${waiting.id}`);
    const told = (await text).split('\n\n').flatMap((event) => {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(event) ?? [];
      return data === undefined ? [] : [{ name, ...(JSON.parse(data) as { id: number; state?: string }) }];
    });
    for (const id of sent) expect(told.findLast((one) => one.id === id)).toMatchObject({ state: 'PROCESSED' });
    // What somebody else has sent is not there, as what never was.
    for (const id of [foreign.id, 99_999_999])
      expect(told.filter((one) => one.id === id)).toEqual([{ name: 'gone', id }]);
    expect(told.findLast((one) => one.id === waiting.id)).toEqual({ name: 'gone', id: waiting.id });

    for (const ids of ['', 'x', '1,2,x', Array.from({ length: 101 }, (_, i) => i + 1).join(',')]) {
      const refused = await ask(ids);
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain('ids=7,8,9');
    }
  });

  test('a listener hears of its deletion', async () => {
    const { portal } = kit();
    const address = await portal.app
      .listen({ host: '127.0.0.1', port: 0 })
      .catch(() => `http://127.0.0.1:${port(portal.app.server.address())}`);
    const upload = await kit().import('ada', [{ name: 'ask.csv', content: 'name,breite,laenge\nx,47,8\n' }]);
    const authorization = `Basic ${Buffer.from('ada:correct horse').toString('base64')}`;
    const stream = await fetch(`${address}/api/v2/uploads/${upload.id}/events`, { headers: { authorization } });
    const text = stream.text();
    await portal.as('ada').get(`/upload/delete/${upload.id}`);
    expect(await text).toContain('event: gone');
  });
});

function port(address: ReturnType<import('node:http').Server['address']>): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
