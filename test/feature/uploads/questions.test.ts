// Imports that need somebody to say something first, and what they tell while they run.

import { expect, test } from 'vitest';
import { at, collection, onUploads } from './upload-kit.ts';

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
    const stranger = await kit().import('ada', [{ name: 'x.csv', content: 'lon,lat\n1,2\n' }], {}, into);
    expect(stranger).toMatchObject({ state: 'INVALID', session: { error_msg: expect.stringContaining('"lon"') } });
    const said = await kit().import('ada', [{ name: 'said.csv', content: 'lon,lat\n1,2\n' }], { places: 'none' });
    expect(said.state).toBe('PROCESSED');
    expect(await kit().db.query('select lon::text, lat::text from layers.said')).toEqual([{ lon: '1', lat: '2' }]);
  }, 60_000);

  test('for the coordinate system waits for it, and goes on', async () => {
    const { portal } = kit();
    kit().write('p.geojson', collection([{ properties: { n: 1 }, geometry: at(8, 47) }]));
    kit().run('ogr2ogr', 'nowhere.shp', 'p.geojson', '-t_srs', 'EPSG:25832');
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
  }, 60_000);

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
  }, 60_000);

  test('does not ask what was said beforehand', async () => {
    const upload = await kit().import('ada', [{ name: 'said.csv', content: 'a,b\n500000,5200000\n' }], {
      lng: 'a',
      lat: 'b',
      crs: '25832',
    });
    expect(upload.state).toBe('PROCESSED');
  }, 60_000);

  test('asks for a coordinate system that was said beforehand and cannot be', async () => {
    const upload = await kit().import('ada', [{ name: 'far.csv', content: 'x,y\n-5e15,9e15\n' }], {
      crs: 'EPSG:25832',
    });
    expect(upload).toMatchObject({
      state: 'WAITING',
      session: { question: { kind: 'crs', said: expect.stringContaining('do not lie where EPSG:25832 is used') } },
    });
    expect((await kit().left()).staged).toEqual([]);
  }, 60_000);
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
  }, 60_000);

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
  }, 60_000);
});

function port(address: ReturnType<import('node:http').Server['address']>): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
