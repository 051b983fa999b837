// Taking files in: who may, how much, under which names; and what is left when it goes wrong.

import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { beat, claimUpload } from '../../../src/portal/uploads/import-run.ts';
import { at, collection, multipart, onUploads } from './upload-kit.ts';

const POINT = collection([{ geometry: at(8, 47) }]);
const sent = (name: string, content: string | Uint8Array = POINT, field?: string) => ({
  name,
  content,
  ...(field === undefined ? {} : { field }),
});

onUploads('files', { workers: 0, receive: { maxBytes: 100_000, maxFiles: 5 } }, (kit) => {
  let address: Promise<string> | undefined;
  const listening = (): Promise<string> => {
    address ??= kit().portal.app.listen({ host: '127.0.0.1', port: 0 });
    return address;
  };

  test('are taken by PUT and by POST, with a session or with a password', async () => {
    const { portal } = kit();
    for (const method of ['PUT', 'POST']) {
      expect(await kit().send('ada', [sent('a.geojson')], {}, '/api/v2/uploads/upload', method)).toMatchReply({
        status: 201,
      });
    }
    expect(await portal.as('ada').get('/api/v2/uploads/upload/')).toMatchReply({
      status: 405,
      headers: { allow: 'OPTIONS, POST, PUT' },
      json: { detail: 'Method "GET" not allowed.' },
    });
    const session = await portal.session('ada');
    expect(await kit().send(session, [sent('a.geojson')])).toMatchReply({ status: 201 });
    session.cookies.delete('csrftoken');
    expect(await kit().send(session, [sent('a.geojson')])).toMatchReply({ status: 403 });
  });

  test('wait as PENDING until somebody is free, and are not shown before the layer is there', async () => {
    const reply = await kit().send('ada', [sent('wait.geojson')]);
    const { upload_id, id } = JSON.parse(String(reply.body));
    const { portal } = kit();
    const record = JSON.parse(String((await portal.as('ada').get(`/api/v2/uploads/${upload_id}`)).body)).upload;
    expect(record).toMatchObject({
      state: 'PENDING',
      progress: 0,
      complete: false,
      uploadfile_set: [],
      resume_url: null,
      delete_url: `/upload/delete/${upload_id}`,
      import_url: expect.stringMatching(new RegExp(`^http://.*/mapserver/rest/imports/${id}$`)),
      detail_url: null,
    });
    expect(await portal.as('ada').get(`/upload/final?id=${id}`)).toMatchReply({
      status: 200,
      json: expect.objectContaining({ status: 'pending', success: true, id, redirect_to: `/upload/final?id=${id}` }),
    });
    expect(await portal.as('ada').get(`/mapserver/rest/imports/${id}`)).toMatchReply({
      status: 200,
      json: {
        import: expect.objectContaining({
          id,
          state: 'PENDING',
          tasks: [expect.objectContaining({ id: 0, state: 'READY', updateMode: 'CREATE' })],
        }),
      },
    });
    expect(await portal.as('ada').get(`/mapserver/rest/imports/${id}/tasks/0`)).toMatchReply({ status: 200 });
    expect(await portal.as('ada').get(`/mapserver/rest/imports/${id}/tasks/7`)).toMatchReply({ status: 404 });
    expect(await portal.as('ada').get(`/upload/progress?id=${id}`)).toMatchReply({
      status: 200,
      json: expect.objectContaining({ state: 'PENDING', progress: 0 }),
    });
  });

  test('may be as large as everybody can read', async () => {
    const { visitor } = kit().portal;
    const dataset = {
      slug: 'dataset_upload_size',
      description: expect.any(String),
      max_size: 100_000,
      max_size_label: '97.7 KB',
    };
    const document = { ...dataset, slug: 'document_upload_size', max_size: 1_000_000, max_size_label: '976.6 KB' };
    expect(await visitor.get('/api/v2/upload-size-limits/')).toMatchReply({
      status: 200,
      json: expect.objectContaining({ total: 2, 'upload-size-limits': [dataset, document] }),
    });
    expect(await visitor.get('/api/v2/upload-size-limits/dataset_upload_size/')).toMatchReply({
      status: 200,
      json: { 'upload-size-limit': dataset },
    });
    expect(await visitor.get('/api/v2/upload-size-limits/other/')).toMatchReply({ status: 404 });
  });

  test('may be as large as an administrator says, who can say less than the program takes', async () => {
    const { portal } = kit();
    const { visitor } = portal;
    const path = '/api/v2/upload-size-limits/dataset_upload_size/';
    const admin = portal.as('admin');
    const shown = async (): Promise<number> =>
      JSON.parse(String((await visitor.get(path)).body))['upload-size-limit'].max_size;
    for (const [who, status] of [
      [visitor, 401],
      [portal.as('ada'), 403],
    ] as const) {
      expect(await who.patch(path, { max_size: 50 })).toMatchReply({ status });
      expect(await who.delete(path)).toMatchReply({ status });
    }
    for (const wrong of [{}, { max_size: 0 }, { max_size: 1.5 }, { max_size: '50' }, { max_size: 100_001 }])
      expect(await admin.patch(path, wrong)).toMatchReply({
        status: 400,
        json: expect.objectContaining({ max_size: [expect.any(String)] }),
      });
    expect(await admin.patch('/api/v2/upload-size-limits/other/', { max_size: 50 })).toMatchReply({
      status: 404,
    });
    expect(await shown()).toBe(100_000);

    expect(await admin.patch(path, { max_size: 50 })).toMatchReply({
      status: 200,
      json: { meta: { updated: 1 } },
    });
    expect(await shown()).toBe(50);
    expect(await kit().send('ada', [sent('large.geojson')])).toMatchReply({
      status: 413,
      json: { success: false, errors: ['Total upload size exceeds 50 bytes. Please try again with smaller files.'] },
    });
    expect(await admin.put(path, { 'upload-size-limit': { max_size: 90_000 } })).toMatchReply({
      status: 200,
    });
    expect(await shown()).toBe(90_000);
    const list = '/api/v2/upload-size-limits/';
    const wish = { slug: 'dataset_upload_size', max_size: 80_000 };
    expect(await portal.as('ada').post(list, wish)).toMatchReply({ status: 403 });
    expect(await admin.post(list, { ...wish, slug: 'other' })).toMatchReply({ status: 400 });
    expect(await admin.post(list, wish)).toMatchReply({
      status: 201,
      json: { 'upload-size-limit': expect.objectContaining(wish) },
    });
    expect(await shown()).toBe(80_000);
    expect(await kit().send('ada', [sent('small.geojson')])).toMatchReply({ status: 201 });

    expect(await admin.delete(path)).toMatchReply({ status: 204 });
    expect(await shown()).toBe(100_000);
    expect(JSON.parse(String((await admin.get('/api/v2/audit/?name=dataset_upload_size')).body))).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({ act: 'setting-changed', name: 'dataset_upload_size', detail: 50 }),
      ]),
    });
  });

  test('are as far as the work on them, whoever is asked', async () => {
    const reply = await kit().send('ada', [sent('far.geojson')]);
    const { upload_id, id, execution_id } = JSON.parse(String(reply.body));
    const { portal } = kit();
    const ada = portal.as('ada');
    const body = async (path: string) => JSON.parse(String((await ada.get(path)).body));
    const figures = async () => [
      (await body(`/api/v2/uploads/${upload_id}`)).upload.progress,
      (await body(`/upload/progress?id=${id}`)).progress,
      (await body(`/mapserver/rest/imports/${id}/tasks/0/progress`)).progress * 100,
      (await body(`/api/v2/executionrequest/${execution_id}`)).request.progress,
    ];
    const same = (figure: number) => [figure, figure, figure, figure];
    expect(await figures()).toEqual(same(0));
    const token = randomUUID();
    expect(await claimUpload(portal.callerDb, upload_id, token, 3)).toMatchObject({ value: { kind: 'claimed' } });
    const run = { phase: 'reading', bytesRead: 500, bytesTotal: 1000, features: 7 } as const;
    await beat(portal.callerDb, upload_id, token, run);
    expect(await figures()).toEqual(same(42.5));
    const found = await body(`/api/v2/uploads?filter{progress}=42.5`);
    expect(found.uploads.map((one: { id: number }) => one.id)).toEqual([upload_id]);
    await beat(portal.callerDb, upload_id, token, { ...run, phase: 'publishing' });
    expect(await figures()).toEqual(same(97));
    for (const [state, figure] of [
      ['WAITING', 50],
      ['INVALID', 0],
      ['PROCESSED', 100],
    ] as const) {
      await kit().db.query('update portal.upload set state = $2 where id = $1', [upload_id, state]);
      expect(await figures()).toEqual(same(figure));
    }
    await kit().db.query('delete from portal.upload where id = $1', [upload_id]);
  });

  test('keep their names, without folders and tricks', async () => {
    const reply = await kit().send('ada', [sent('..\\..\\My "rivers".geojson'.replaceAll('"', ''), POINT, 'whatever')]);
    const { upload_id } = JSON.parse(String(reply.body));
    expect(
      await kit().db.query('select name, base, slug from portal.upload_file where upload_id = $1', [upload_id]),
    ).toEqual([{ name: 'My rivers.geojson', base: true, slug: 'my-rivers-geojson' }]);
  });

  test.each([
    ['no body', undefined, 400, { detail: 'Empty content' }],
    ['fields only', multipart([], { layer_title: 'x' }), 400, { detail: 'Empty content' }],
    [
      'a part without a file',
      multipart([{ name: '', content: Buffer.alloc(0) }], {}),
      400,
      { detail: 'Empty content' },
    ],
    [
      'an unknown type',
      multipart([{ name: 'a.exe', content: Buffer.from('x') }], {}),
      400,
      { success: false, errors: [expect.stringContaining('exe')] },
    ],
    [
      'a .shp alone',
      multipart([{ name: 'a.shp', content: Buffer.from('x') }], {}),
      400,
      { success: false, errors: [expect.stringContaining('dbf'), expect.stringContaining('shx')] },
    ],
    [
      'two files of one name',
      multipart(
        [
          { name: 'a.csv', content: Buffer.from('lat,lon\n1,2\n') },
          { name: 'A.csv', content: Buffer.from('lat,lon\n3,4\n'), field: 'csv_file' },
        ],
        {},
      ),
      400,
      { success: false, errors: [expect.stringContaining('A.csv was sent twice, with different contents')] },
    ],
    [
      'bad permissions',
      multipart([{ name: 'a.csv', content: Buffer.from('x') }], { permissions: '{' }),
      400,
      { success: false, errors: [expect.stringContaining('JSON')] },
    ],
    [
      'a coordinate system that is none',
      multipart([{ name: 'a.csv', content: Buffer.from('x') }], { srs: 'EPSG:4326; drop table x' }),
      400,
      { success: false, errors: [expect.stringContaining('is not a code like EPSG:4326')] },
    ],
    [
      'a coordinate system that is not there',
      multipart([{ name: 'a.csv', content: Buffer.from('x') }], { crs: 'EPSG:99999' }),
      400,
      { success: false, errors: [expect.stringContaining('There is no coordinate system EPSG:99999')] },
    ],
    [
      'too many files',
      multipart(
        Array.from({ length: 6 }, (_, i) => ({ name: `${i}.csv`, content: Buffer.from('x') })),
        {},
      ),
      400,
      { success: false, errors: [expect.stringContaining('At most 5 files')] },
    ],
    [
      'too much',
      multipart(
        [
          { name: 'a.csv', content: Buffer.alloc(60_000) },
          { name: 'b.csv', content: Buffer.alloc(60_000) },
        ],
        {},
      ),
      413,
      { success: false, errors: [expect.stringContaining('exceeds 100000 bytes')] },
    ],
    [
      'half a form',
      {
        type: 'multipart/form-data; boundary=x',
        body: Buffer.from('--x\r\nContent-Disposition: form-data; name="a"; filename="a.csv"\r\n\r\nabc'),
      },
      400,
      { detail: expect.stringContaining('Multipart form parse error') },
    ],
    [
      'no boundary',
      { type: 'multipart/form-data; x=y', body: Buffer.from('abc') },
      400,
      { detail: expect.stringContaining('Multipart form parse error') },
    ],
  ])('are refused: %s', async (_what, form, status, json) => {
    const before = await kit().stored();
    const reply = await kit()
      .portal.as('ada')
      .request('PUT', '/api/v2/uploads/upload/', {
        ...(form === undefined ? {} : { headers: { 'content-type': form.type }, body: form.body }),
      });
    expect(reply).toMatchReply({ status, json });
    expect(await kit().stored()).toEqual(before);
  });

  test('are not taken from who may not add anything', async () => {
    await kit().db.query('delete from portal.group_member where group_id = 3 and account_id = $1', [
      kit().portal.ids.bob,
    ]);
    const before = await kit().stored();
    expect(await kit().send('bob', [sent('a.geojson')])).toMatchReply({ status: 403 });
    expect(await kit().send(kit().portal.visitor, [sent('a.geojson')])).toMatchReply({ status: 401 });
    expect(await kit().stored()).toEqual(before);
  });

  test('that are refused while they are still coming are answered all the same', async () => {
    const put = async (authorization: string | undefined, size: number) => {
      const body = new FormData();
      body.append('base_file', new Blob([Buffer.alloc(size, 120)]), 'a.csv');
      const headers = authorization === undefined ? {} : { authorization };
      const reply = await fetch(new URL('/api/v2/uploads/upload/', await listening()), {
        method: 'PUT',
        headers,
        body,
      });
      await reply.arrayBuffer();
      return reply.status;
    };
    const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;
    for (const size of [10, 100_000, 3_000_000]) {
      expect(await put(undefined, size)).toBe(401);
      expect(await put(basic('ada:wrong'), size)).toBe(401);
      expect(await put(basic('bob:correct horse'), size)).toBe(403);
    }
    expect(await put(basic('ada:correct horse'), 3_000_000)).toBe(413);
  });

  test('that stop coming leave nothing behind', async () => {
    const before = await kit().stored();
    const [{ n: uploads } = { n: 0 }] = await kit().db.query<{ n: number }>(
      'select count(*)::int as n from portal.upload',
    );
    const address = await listening();
    const form = multipart([{ name: 'a.csv', content: Buffer.alloc(50_000, 120) }], {});
    await new Promise<void>((resolve) => {
      const request = httpRequest(new URL('/api/v2/uploads/upload/', address), {
        method: 'PUT',
        headers: {
          authorization: `Basic ${Buffer.from('ada:correct horse').toString('base64')}`,
          'content-type': form.type,
          'content-length': form.body.length,
        },
      });
      request.on('error', () => resolve());
      request.on('response', (response) => response.resume().on('end', resolve));
      request.write(form.body.subarray(0, 30_000), () => request.destroy(new Error('gone')));
    });
    // The same connection's end has reached the server once a request after it is answered.
    await kit().portal.as('ada').get('/api/v2/uploads/');
    expect(await kit().db.query('select count(*)::int as n from portal.upload')).toEqual([{ n: uploads }]);
    expect(await kit().stored()).toEqual(before);
  });

  test('are deleted with their upload, by their owner and by administrators', async () => {
    const { portal } = kit();
    for (const account of ['ada', 'admin'] as const) {
      const before = await kit().stored();
      const { upload_id } = JSON.parse(String((await kit().send('ada', [sent('gone.geojson')])).body));
      expect(await portal.as('mia').get(`/upload/delete/${upload_id}`)).toMatchReply({ status: 404 });
      expect(await portal.as(account).get(`/upload/delete/${upload_id}`)).toMatchReply({
        status: 200,
        json: { success: true },
      });
      expect(await portal.as(account).get(`/upload/delete/${upload_id}`)).toMatchReply({ status: 404 });
      expect(await kit().stored()).toEqual(before);
    }
  });

  test('are not deleted by a link or a picture, whoever looks at it', async () => {
    const session = await kit().portal.session('ada');
    const { upload_id } = JSON.parse(String((await kit().send('ada', [sent('kept.geojson')])).body));
    const path = `/upload/delete/${upload_id}`;
    const refused = { status: 405, headers: { allow: 'DELETE, OPTIONS, POST, PUT' } };
    expect(await session.get(path)).toMatchReply(refused);
    for (const site of ['cross-site', 'same-site', 'same-origin', 'none'])
      expect(await session.get(path, { 'sec-fetch-site': site })).toMatchReply(refused);
    // A password that the browser remembers is sent along, too.
    expect(await kit().portal.as('ada').get(path, { 'sec-fetch-mode': 'no-cors' })).toMatchReply(refused);
    expect(await session.delete(path)).toMatchReply({ status: 200 });
  });

  test.each(['', '?id=', '?id=abc', '?id=0', '?id=99999999', '?id=1;drop', '?id=-1', '?id=1&id=2'])(
    'are not found under /upload/final%s',
    async (query) => {
      const reply = await kit().portal.as('ada').get(`/upload/final${query}`);
      expect(reply.status).toBe(query === '' ? 400 : 404);
    },
  );
});
