// From a file to a layer: what is answered on the way, and what is there in the end.

import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { PASSWORD } from '../../testkit/portal-client.ts';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { at, collection, multipart, onUploads } from './upload-kit.ts';

const TOWNS = collection([
  { properties: { NAME: 'Zürich', inhabitants: 420_000 }, geometry: at(8.54, 47.37) },
  { properties: { NAME: 'Bern', inhabitants: 134_000 }, geometry: at(7.45, 46.95) },
]);

onUploads('an upload', {}, (kit) => {
  test('is accepted with the number of the import and where to ask for it', async () => {
    const reply = await kit().send('ada', [{ name: 'towns.geojson', content: TOWNS }]);
    expect(reply).toMatchReply({
      status: 201,
      json: {
        id: expect.any(Number),
        upload_id: expect.any(Number),
        execution_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        success: true,
        status: 'pending',
        url: expect.stringMatching(/^\/upload\/\?id=\d+$/),
        redirect_to: expect.stringMatching(/^\/upload\/final\?id=\d+$/),
      },
    });
    const { upload_id } = JSON.parse(String(reply.body));
    expect(await kit().until(upload_id)).toMatchObject({ state: 'PROCESSED' });
  });

  test('becomes a layer with everything that belongs to it', async () => {
    const upload = await kit().import('ada', [{ name: 'My towns.geojson', content: TOWNS }], {
      layer_title: 'Towns of Switzerland',
      abstract: 'Some of them',
    });
    expect(upload).toMatchObject({ state: 'PROCESSED', name: 'my_towns', resource_id: expect.any(Number) });
    const layer = await kit().portal.as('ada').get(`/api/v2/layers/${upload.resource_id}/`);
    expect(JSON.parse(String(layer.body)).layer).toMatchObject({
      title: 'Towns of Switzerland',
      abstract: 'Some of them',
      name: 'my_towns',
      workspace: 'portal',
      alternate: 'portal:my_towns',
      storeType: 'dataStore',
      srid: 'EPSG:4326',
      charset: 'UTF-8',
      owner: { username: 'ada' },
      default_style: { name: 'my_towns', sld_body: expect.stringContaining('PointSymbolizer') },
      attribute_set: [
        { attribute: 'name', attribute_label: 'NAME', attribute_type: 'xsd:string', count: 2 },
        {
          attribute: 'inhabitants',
          attribute_label: null,
          attribute_type: 'xsd:int',
          count: 2,
          min: '134000',
          max: '420000',
          median: '277000',
          sum: '554000',
        },
        { attribute: 'geom', attribute_type: 'gml:PointPropertyType' },
      ],
    });
    expect(
      await kit().db.query(
        `select fid, name, inhabitants, st_astext(geom) as geom, st_srid(geom) as srid from layers.my_towns order by fid`,
      ),
    ).toEqual([
      { fid: '1', name: 'Zürich', inhabitants: 420000, geom: 'POINT(8.54 47.37)', srid: 4326 },
      { fid: '2', name: 'Bern', inhabitants: 134000, geom: 'POINT(7.45 46.95)', srid: 4326 },
    ]);
    expect(await kit().left()).toMatchObject({ staged: [], runs: 0 });
  });

  test('answers at /upload/final with any verb, and again without a second layer', async () => {
    const upload = await kit().import('ada', [{ name: 'once.geojson', content: TOWNS }]);
    const expected = {
      status: 200,
      json: expect.objectContaining({
        status: 'finished',
        id: upload.resource_id,
        url: '/layers/portal_data:portal:once',
        bbox: '7.4500000,46.9500000,8.5400000,47.3700000',
        crs: { type: 'name', properties: 'EPSG:4326' },
        success: true,
      }),
    };
    for (const method of ['GET', 'POST', 'PUT']) {
      const reply = await kit().portal.as('ada').request(method, `/upload/final?id=${upload.import_id}`);
      expect(reply).toMatchReply(expected);
    }
    expect(await kit().db.query(`select count(*)::int as n from portal.resource where name like 'once%'`)).toEqual([
      { n: 1 },
    ]);
  });

  test('is shown as a record, with files and addresses', async () => {
    const upload = await kit().import('ada', [{ name: 'record.geojson', content: TOWNS }]);
    const reply = await kit().portal.as('ada').get(`/api/v2/uploads/${upload.id}/?full=true`);
    expect(JSON.parse(String(reply.body)).upload).toMatchObject({
      id: upload.id,
      name: 'record',
      state: 'PROCESSED',
      progress: 100,
      complete: true,
      import_id: upload.import_id,
      uploadfile_set: [{ name: 'record.geojson', base: true, slug: 'record-geojson' }],
      resume_url: null,
      delete_url: null,
      detail_url: expect.stringContaining('/layers/portal_data:portal:record'),
      layer: { name: 'record' },
      session: { charset: 'UTF-8', upload_type: 'GeoJSON', completed_step: 'final', error_msg: null },
    });
  });

  test('is followed as an execution request, to its layer or its failure', async () => {
    const { portal } = kit();
    const request = async (reply: Reply) => {
      const { upload_id, execution_id } = JSON.parse(String(reply.body));
      await kit().until(upload_id);
      return JSON.parse(String((await portal.as('ada').get(`/api/v2/executionrequest/${execution_id}/`)).body)).request;
    };
    const sent = await kit().send('ada', [{ name: 'exec.geojson', content: TOWNS }], { layer_title: 'Towns of mine' });
    const done = await request(sent);
    const [resource] = done.output_params.resources;
    expect(done).toMatchObject({
      status: 'finished',
      action: 'upload',
      user: 'ada',
      progress: 100,
      log: null,
      input_params: { title: 'Towns of mine' },
      output_params: { resources: [{ detail_url: '/layers/portal_data:portal:exec' }] },
      geonode_resource: resource.id,
    });
    expect(await portal.as('ada').get(`/api/v2/layers/${resource.id}`)).toMatchReply({ status: 200 });
    expect(Date.parse(done.finished)).toBeGreaterThanOrEqual(Date.parse(done.created));
    const document = JSON.parse(String((await portal.visitor.get('/api/v2/schema?format=json')).body));
    const described = document.paths['/api/v2/executionrequest/{exec_id}/'].get.responses['200'];
    const isAsDescribed = new Ajv({ strict: false, validateFormats: false }).compile(
      described.content['application/json'].schema,
    );
    expect(isAsDescribed({ request: done }), JSON.stringify(isAsDescribed.errors)).toBe(true);
    const path = `/api/v2/executionrequest/${done.exec_id}/`;
    expect(done.link).toMatch(new RegExp(`^http://.*${path}$`));
    expect(await portal.as('admin').get(path)).toMatchReply({ status: 200 });
    expect(await portal.as('bob').get(path)).toMatchReply({ status: 404 });
    expect(await portal.visitor.get(path)).toMatchReply({ status: 401 });
    expect(await portal.as('ada').get('/api/v2/executionrequest/12')).toMatchReply({ status: 404 });

    const failed = await request(await kit().send('ada', [{ name: 'broken.geojson', content: '{"type":' }]));
    expect(failed).toMatchObject({
      status: 'failed',
      log: expect.stringContaining('broken.geojson'),
      finished: expect.any(String),
      output_params: { resources: [], errors: [failed.log] },
      geonode_resource: null,
    });
    expect(isAsDescribed({ request: failed }), JSON.stringify(isAsDescribed.errors)).toBe(true);
  });

  test('is followed in the session that its first request has begun, without the password', async () => {
    const { portal } = kit();
    const browser = portal.browser();
    const basic = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`;
    const sendAs = async (name: string): Promise<Reply> => {
      const form = multipart([{ name, content: Buffer.from(TOWNS) }], {});
      return browser.request('PUT', '/api/v2/uploads/upload/', {
        headers: { authorization: basic, 'content-type': form.type },
        body: form.body,
      });
    };
    const reply = await sendAs('session.geojson');
    expect(reply).toMatchReply({ status: 201 });
    const cookies = [...browser.cookies];
    expect(cookies.map(([name]) => name).sort()).toEqual(['csrftoken', 'sessionid']);
    const { upload_id, id } = JSON.parse(String(reply.body));
    await kit().until(upload_id);
    expect(await browser.get(`/upload/final?id=${id}`)).toMatchReply({
      status: 200,
      json: expect.objectContaining({ status: 'finished', success: true }),
    });
    expect(await browser.put(`/upload/final?id=${id}`)).toMatchReply({ status: 200 });
    // The next file goes in the same session.
    await sendAs('session2.geojson');
    expect([...browser.cookies]).toEqual(cookies);
    // What only reads, and what is refused, begins none.
    expect((await portal.as('ada').get(`/upload/final?id=${id}`)).headers).not.toHaveProperty('set-cookie');
    expect((await kit().send('ada', [])).headers).not.toHaveProperty('set-cookie');
    expect(
      (await kit().send(portal.bearer(await portal.tokenOf('ada')), [{ name: 'a.geojson', content: TOWNS }])).headers,
    ).not.toHaveProperty('set-cookie');
  });

  test('is somebody’s own: others and visitors get nothing of it', async () => {
    const upload = await kit().import('ada', [{ name: 'own.geojson', content: TOWNS }]);
    const { portal } = kit();
    expect(await portal.as('bob').get(`/upload/final?id=${upload.import_id}`)).toMatchReply({ status: 404 });
    expect(await portal.visitor.get(`/upload/final?id=${upload.import_id}`)).toMatchReply({ status: 401 });
    expect(await portal.as('bob').get(`/mapserver/rest/imports/${upload.import_id}`)).toMatchReply({ status: 404 });
    expect(await portal.as('bob').get(`/upload/progress?id=${upload.import_id}`)).toMatchReply({
      status: 200,
      json: { state: 'NONE' },
    });
    expect(await portal.as('bob').get(`/upload/delete/${upload.id}`)).toMatchReply({ status: 404 });
    expect(await portal.visitor.put('/api/v2/uploads/upload/')).toMatchReply({ status: 401 });
    expect(await portal.as('admin').get(`/upload/final?id=${upload.import_id}`)).toMatchReply({ status: 200 });
  });
});
