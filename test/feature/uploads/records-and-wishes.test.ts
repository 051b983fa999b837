// Uploads that begin as a record and get their files later, and what is said of an upload at /upload/final.

import { expect, test } from 'vitest';
import { headerOf, type Reply } from '../../testkit/reply-matcher.ts';
import { complaintAbout, type Document } from '../portal/answers-by-schema.ts';
import { at, collection, onUploads, type UploadKit } from './upload-kit.ts';

const POINT = collection([{ geometry: at(8, 47), properties: { name: 'a' } }]);
const TABLE = 'a,b,what\n8,47,here\n';

onUploads('a record of an upload', {}, (kit) => {
  const record = async (name: string): Promise<{ id: number; import_id: number }> => {
    const made = await kit().portal.as('ada').post('/api/v2/uploads/', { name });
    expect(made.status).toBe(201);
    return JSON.parse(String(made.body)).upload;
  };

  test.each([
    ['PUT', ''],
    ['POST', ''],
    ['PUT', 'files/'],
    ['POST', 'files/'],
  ])('gets its files by %s /uploads/{id}/%s, and becomes a layer of its name', async (method, below) => {
    const { id, import_id } = await record('Rivers & lakes');
    const target = `/api/v2/uploads/${id}/${below}`;
    const sent = await kit().send('ada', [{ name: 'x.geojson', content: POINT }], {}, target, method);
    expect(sent).toMatchReply({
      status: 201,
      json: expect.objectContaining({ id: import_id, upload_id: id, success: true, status: 'pending' }),
    });
    expect(headerOf(sent, 'set-cookie')).toBeDefined();
    const upload = await kit().until(id);
    expect(upload.state).toBe('PROCESSED');
    expect(
      await kit().db.query('select title, name from portal.resource where id = $1', [upload.resource_id ?? 0]),
    ).toEqual([{ title: 'Rivers & lakes', name: expect.stringMatching(/^rivers_lakes/) }]);
    const again = await kit().send('ada', [{ name: 'y.geojson', content: POINT }], {}, target, method);
    expect(again).toMatchReply({ status: 400, json: { detail: expect.stringMatching(/has its files/) } });
  });

  test('keeps waiting for them when they are refused, and nothing of them is kept', async () => {
    const { id } = await record('patient');
    const before = await kit().stored();
    const target = `/api/v2/uploads/${id}/`;
    expect(await kit().send('ada', [{ name: 'x.exe', content: 'MZ' }], {}, target)).toMatchReply({
      status: 400,
      json: { success: false, errors: [expect.stringMatching(/cannot be imported/)] },
    });
    expect(await kit().send('bob', [{ name: 'x.geojson', content: POINT }], {}, target)).toMatchReply({ status: 404 });
    expect(await kit().send(kit().portal.visitor, [{ name: 'x.geojson', content: POINT }], {}, target)).toMatchReply({
      status: 401,
    });
    expect(await kit().stored()).toEqual(before);
    const [one, two] = await Promise.all(
      ['1', '2'].map((n) => kit().send('ada', [{ name: `x${n}.geojson`, content: POINT }], {}, target)),
    );
    expect([one?.status, two?.status].sort()).toEqual([201, 400]);
    expect((await kit().until(id)).state).toBe('PROCESSED');
  });

  test('answers as the OpenAPI document says, at every address of an upload', async () => {
    const ada = kit().portal.as('ada');
    const document = JSON.parse(String((await ada.get('/api/v2/schema/?format=json')).body)) as Document;
    const { id, import_id } = await record('described');
    const form = [{ name: 'd.geojson', content: POINT }];
    const replies: [string, string, Reply][] = [
      ['get', '/upload/progress', await ada.get(`/upload/progress?id=${import_id}`)],
      ['get', '/upload/final', await ada.get(`/upload/final?id=${import_id}`)],
      ['put', '/api/v2/uploads/{id}/files/', await kit().send('ada', [], {}, `/api/v2/uploads/${id}/files/`)],
      ['put', '/api/v2/uploads/{id}/files/', await kit().send('ada', form, {}, `/api/v2/uploads/${id}/files/`)],
    ];
    await kit().until(id);
    const sent = await kit().send('ada', form);
    const { upload_id, execution_id, id: number } = JSON.parse(String(sent.body));
    replies.push(['put', '/api/v2/uploads/upload/', sent]);
    await kit().until(upload_id);
    const failed = await kit().import('ada', [{ name: 'bad.geojson', content: '{' }]);
    const bad = await kit().send('ada', [{ name: 'x.exe', content: 'MZ' }]);
    replies.push(['put', '/api/v2/uploads/upload/', bad]);
    for (const [path, target] of [
      ['/upload/final', `/upload/final?id=${number}`],
      ['/upload/final', `/upload/final?id=${failed.import_id}`],
      ['/upload/progress', `/upload/progress?id=${number}`],
      ['/upload/progress', `/upload/progress?id=${failed.import_id}`],
      ['/api/v2/executionrequest/{exec_id}/', `/api/v2/executionrequest/${execution_id}`],
      ['/api/v2/executionrequest/', '/api/v2/executionrequest/?page_size=100'],
      ['/api/v2/upload-size-limits/', '/api/v2/upload-size-limits/'],
      ['/api/v2/upload-size-limits/{slug}/', '/api/v2/upload-size-limits/dataset_upload_size/'],
      ['/api/v2/uploads/', '/api/v2/uploads/?full=true'],
      ['/api/v2/uploads/{id}/', `/api/v2/uploads/${upload_id}?full=true`],
      ['/api/v2/uploads/{id}/', `/api/v2/uploads/${upload_id}?sideloading=true&full=true`],
      ['/api/v2/datasets/', '/api/v2/datasets/?sideloading=true'],
      ['/api/v2/users/', '/api/v2/users/?include[]=email'],
    ] as const)
      replies.push(['get', path, await ada.get(target)]);
    replies.push([
      'put',
      '/upload/final',
      await ada.request('PUT', `/upload/final?id=${number}`, { body: { colour: 'x' } }),
    ]);
    expect(
      replies.flatMap(([method, path, reply]) => {
        const operation = document.paths[path]?.[method];
        const said = operation === undefined ? 'not described' : complaintAbout(reply, operation, document);
        return said === undefined ? [] : [`${method} ${path}: ${reply.status} ${said}`];
      }),
    ).toEqual([]);
  });

  test('is among the execution requests of its owner, found by what newer clients filter by, and deleted there', async () => {
    const [ada, bob] = [kit().portal.as('ada'), kit().portal.as('bob')];
    const { upload_id, execution_id } = JSON.parse(
      String((await kit().send('ada', [{ name: 'listed.geojson', content: POINT }])).body),
    );
    const { resource_id } = await kit().until(upload_id);
    const failed = await kit().import('ada', [{ name: 'unlisted.geojson', content: '{' }]);
    const names = async (query: string, client = ada): Promise<string[]> => {
      const reply = await client.get(`/api/v2/executionrequest?filter{name.iendswith}=listed&${query}`);
      expect([query, reply.status]).toEqual([query, 200]);
      const { requests, total } = JSON.parse(String(reply.body)) as { requests: { name: string }[]; total: number };
      expect(total).toBeGreaterThanOrEqual(requests.length);
      return requests.map(({ name }) => name);
    };
    const both = ['unlisted', 'listed'];
    for (const [query, expected] of [
      ['filter{action}=import&filter{source}=upload&page=1&page_size=99999', both],
      ['filter{action}=upload&sort[]=name', ['listed', 'unlisted']],
      ['filter{action.in}=replace', []],
      ['filter{status}=finished', ['listed']],
      ['filter{status.in}=failed&filter{status.in}=running', ['unlisted']],
      ['filter{user}=ada&page_size=1', ['unlisted']],
      ['filter{user}=ada&page_size=1&page=2', ['listed']],
      [`filter{geonode_resource}=${resource_id}`, ['listed']],
      ['filter{step.isnull}=true&filter{finished.isnull}=false', both],
    ] as const)
      expect([query, await names(query)]).toEqual([query, expected]);
    const list = JSON.parse(String((await ada.get(`/api/v2/executionrequest?filter{exec_id}=${execution_id}`)).body));
    const item = JSON.parse(String((await ada.get(`/api/v2/executionrequest/${execution_id}`)).body));
    expect(list.requests).toEqual([item.request]);
    expect(item.request).toMatchObject({
      output_params: { resources: [{ id: resource_id }] },
      geonode_resource: resource_id,
    });

    expect(await names('', bob)).toEqual([]);
    expect(await names('', kit().portal.as('admin'))).toEqual(both);
    expect(await kit().portal.visitor.get('/api/v2/executionrequest')).toMatchReply({ status: 401 });
    expect(await ada.get('/api/v2/executionrequest?filter{colour}=red')).toMatchReply({ status: 400 });
    expect(await ada.get('/api/v2/executionrequest?page=99')).toMatchReply({ status: 404 });
    const at = `/api/v2/executionrequest/${execution_id}`;
    expect(await kit().portal.visitor.request('DELETE', at)).toMatchReply({ status: 401 });
    expect(await bob.delete(at)).toMatchReply({ status: 404 });
    expect(await ada.delete(at)).toMatchReply({ status: 204 });
    expect(await ada.delete(at)).toMatchReply({ status: 404 });
    expect(await ada.delete('/api/v2/executionrequest/12')).toMatchReply({ status: 404 });
    expect(await names('')).toEqual(['unlisted']);
    // What it became is not deleted with it.
    expect(await ada.get(`/api/v2/layers/${resource_id}`)).toMatchReply({ status: 200 });
    await ada.delete(`/api/v2/uploads/${failed.id}`);
  });

  test('OPTIONS promises nobody what would be refused', async () => {
    const { id } = await record('asked');
    const allow = async (client: { request: UploadKit['portal']['visitor']['request'] }, path: string) =>
      String(headerOf(await client.request('OPTIONS', path), 'allow')).split(', ');
    for (const path of ['/api/v2/uploads/upload', `/api/v2/uploads/${id}/files`, '/upload/final', '/upload/srs']) {
      expect([path, await allow(kit().portal.as('ada'), path)]).toEqual([
        path,
        expect.arrayContaining(['PUT', 'POST']),
      ]);
      const visitors = await allow(kit().portal.visitor, path);
      expect([path, visitors.filter((verb) => ['PUT', 'POST', 'PATCH', 'DELETE'].includes(verb))]).toEqual([path, []]);
    }
    expect(await allow(kit().portal.as('bob'), `/api/v2/uploads/${id}/files`)).not.toContain('PUT');
  });

  test('is renamed by a form without files, and is no upload that somebody forgot', async () => {
    const { id } = await record('first');
    const form = '------b\r\nContent-Disposition: form-data; name="name"\r\n\r\nsecond\r\n------b--\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=----b' };
    expect(
      await kit().portal.as('ada').request('PATCH', `/api/v2/uploads/${id}/`, { headers, body: form }),
    ).toMatchReply({ status: 200 });
    expect(await kit().db.query('select name, state from portal.upload where id = $1', [id])).toEqual([
      { name: 'second', state: 'READY' },
    ]);
    const { findForgotten } = await import('../../../src/portal/uploads/import-run.ts');
    const { makeCallerDb } = await import('../../../src/auth/caller-db.ts');
    expect(await findForgotten(makeCallerDb(kit().driver))).toMatchObject({ ok: true, value: [] });
  });
});

const bodyOf = (reply: { body: unknown }) => JSON.parse(String(reply.body));

async function layerOf(kit: UploadKit, resource: number | null): Promise<unknown> {
  const [layer] = await kit.db.query('select title, abstract, srid from portal.resource where id = $1', [
    resource ?? 0,
  ]);
  return layer;
}

onUploads('what is said at /upload/final', { workers: 0 }, (kit) => {
  const final = (id: number, body: unknown, method = 'PUT', headers = {}) =>
    kit().portal.as('ada').request(method, `/upload/final?id=${id}`, { body, headers });

  test('holds as long as nobody has begun to import', async () => {
    const { id, upload_id } = bodyOf(
      await kit().send('ada', [{ name: 'said.geojson', content: POINT }], { layer_title: 'Before' }),
    );
    expect(await final(id, { layer_title: 'After', abstract: 'All', time: 'false' })).toMatchReply({
      status: 200,
      json: expect.objectContaining({ status: 'pending' }),
    });
    const permissions = { users: { bob: ['view_resourcebase'] }, groups: {} };
    const form = new URLSearchParams({ permissions: JSON.stringify(permissions), charset: 'UTF-8' });
    expect(
      await final(id, form.toString(), 'POST', { 'content-type': 'application/x-www-form-urlencoded' }),
    ).toMatchReply({ status: 200 });
    const workers = await kit().startWorkers();
    const upload = await kit()
      .until(upload_id)
      .finally(() => workers.stop());
    expect(upload.state).toBe('PROCESSED');
    expect(await layerOf(kit(), upload.resource_id)).toMatchObject({ title: 'After', abstract: 'All' });
    expect(await kit().portal.as('bob').get(`/api/v2/layers/${upload.resource_id}`)).toMatchReply({ status: 200 });
    expect(await kit().portal.visitor.get(`/api/v2/layers/${upload.resource_id}`)).toMatchReply({ status: 404 });
    // The same once more is what was done; anything else comes too late.
    expect(await final(id, { layer_title: 'After', time: 'false', permissions, charset: 'utf-8' })).toMatchReply({
      status: 200,
      json: expect.objectContaining({ status: 'finished' }),
    });
    for (const [name, value] of Object.entries({
      layer_title: 'Too late',
      abstract: 'Too late',
      time: 'true',
      charset: 'CP850',
      crs: 'EPSG:3857',
      permissions: '{"users": {}, "groups": {}}',
    })) {
      expect([name, await final(id, { layer_title: 'After', [name]: value })]).toEqual([
        name,
        expect.objectContaining({ status: 400 }),
      ]);
      expect(bodyOf(await final(id, { [name]: value }))).toEqual({ [name]: [expect.stringMatching(/has ended/)] });
    }
  });

  test('answers an open question, or is refused with what is missing', async () => {
    const { id, upload_id } = bodyOf(await kit().send('ada', [{ name: 'table.csv', content: TABLE }]));
    const workers = await kit().startWorkers();
    try {
      expect((await kit().until(upload_id)).state).toBe('WAITING');
      expect(await final(id, { layer_title: 'Only a title' })).toMatchReply({
        status: 200,
        json: expect.objectContaining({ status: 'incomplete' }),
      });
      expect(await final(id, { x: 'a' })).toMatchReply({ status: 400, json: { y: ['This field is required.'] } });
      expect(await final(id, { x: 'a', y: 'b', crs: 'EPSG:4326' })).toMatchReply({ status: 200 });
      const upload = await kit().until(upload_id, ['PROCESSED', 'INVALID']);
      expect(await layerOf(kit(), upload.resource_id)).toMatchObject({ title: 'Only a title' });
    } finally {
      await workers.stop();
    }
  });

  test('is refused where it cannot be, and named where nobody knows it', async () => {
    const { id } = bodyOf(await kit().send('ada', [{ name: 'wrong.geojson', content: POINT }]));
    for (const [body, field] of [
      [{ time: 'perhaps' }, 'time'],
      [{ crs: 'EPSG:999999' }, 'crs'],
      [{ layer_title: 'x'.repeat(256) }, 'layer_title'],
      [{ permissions: { users: { 'no body': ['view_resourcebase'] } } }, 'permissions'],
      [{ permissions: 'no JSON' }, 'permissions'],
    ] as const) {
      const reply = await final(id, body);
      expect([reply.status, Object.keys(bodyOf(reply))]).toEqual([400, [field]]);
    }
    expect(await final(id, { colour: 'red', csrfmiddlewaretoken: 'x' })).toMatchReply({
      status: 200,
      json: expect.objectContaining({ meta: { ignored: ['colour'] } }),
    });
    expect(await final(id, { colour: 'red' }, 'PUT', { prefer: 'handling=strict' })).toMatchReply({
      status: 400,
      json: { colour: ['Unknown field.'] },
    });
    const [first] = await kit().db.query<{ session: Record<string, unknown> }>(
      'select session from portal.upload where import_id = $1',
      [id],
    );
    expect(first?.session).toMatchObject({ layer_title: null, time: false });
    const strict = (await import('./upload-kit.ts')).multipart([{ name: 's.geojson', content: Buffer.from(POINT) }], {
      colour: 'red',
    });
    expect(
      await kit()
        .portal.as('ada')
        .request('PUT', '/api/v2/uploads/upload/', {
          headers: { 'content-type': strict.type, prefer: 'handling=strict' },
          body: strict.body,
        }),
    ).toMatchReply({ status: 400, json: { success: false, errors: ['colour: Unknown field.'] } });
    // A file comes too late here, whatever else the form says.
    const late = await kit().send('ada', [{ name: 'b.geojson', content: POINT }], {}, `/upload/final?id=${id}`);
    expect(late).toMatchReply({ status: 400, json: { detail: expect.stringMatching(/No files/) } });
    const again = await kit().send(
      'ada',
      [{ name: 'Wrong.geojson', content: POINT }],
      { layer_title: 'Sent again' },
      `/upload/final?id=${id}`,
    );
    expect(again).toMatchReply({
      status: 200,
      json: expect.objectContaining({ status: 'pending', meta: { ignored: ['base_file'] } }),
    });
    const only = await kit().send('ada', [], { layer_title: 'By a form' }, `/upload/final?id=${id}`);
    expect(only).toMatchReply({ status: 200 });
    expect(
      await kit().db.query(`select session ->> 'layer_title' as t from portal.upload where import_id = $1`, [id]),
    ).toEqual([{ t: 'By a form' }]);
  });

  test('is too late for how a file is read, once it is read', async () => {
    const { claimUpload } = await import('../../../src/portal/uploads/import-run.ts');
    const { makeCallerDb } = await import('../../../src/auth/caller-db.ts');
    const { id, upload_id } = bodyOf(
      await kit().send('ada', [{ name: 'begun.geojson', content: POINT }], { charset: 'UTF-8' }),
    );
    await claimUpload(makeCallerDb(kit().driver), upload_id, crypto.randomUUID(), 3);
    expect(await final(id, { charset: 'CP850' })).toMatchReply({
      status: 400,
      json: { charset: [expect.stringMatching(/has begun/)] },
    });
    expect(await final(id, { charset: 'UTF-8', layer_title: 'Still in time' })).toMatchReply({ status: 200 });
  });
});
