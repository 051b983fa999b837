// Layers that follow an address: made of it, renewed with the differences in the history, refused where the address is none that may be asked, and
// whoever wanted it is told once when it fails.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeRemoteFetch } from '../../../src/http/outbound/remote-fetch.ts';
import { refreshDue } from '../../../src/portal/sources/refresh-source.ts';
import { bodyOf } from '../portal/on-catalogue.ts';
import { onUploads } from './upload-kit.ts';

type Json = Record<string, unknown>;

const CSV = 'code,name,lon,lat\na,Inn,10.5,50.5\nb,Isar,11.5,48.5\n';
const feature = (id: number, name: string) => ({
  type: 'Feature',
  id,
  geometry: { type: 'Point', coordinates: [10, 50] },
  properties: { name },
});

/** What each path answers now. */
const answers = new Map<string, { readonly status?: number; readonly type: string; readonly body: string }>();
const asked: string[] = [];
const internal: string[] = [];

onUploads('followed addresses', { remote: makeRemoteFetch({ hosts: { allowed: [], internal } }) }, (kit) => {
  let server: Server;
  let url = '';
  let layer = 0;
  const ada = () => kit().portal.as('ada');
  const parts = () => ({
    db: kit().portal.callerDb,
    blobs: kit().blobs,
    jobs: kit().jobs,
    remote: makeRemoteFetch({ hosts: { allowed: [], internal } }),
  });
  const rows = async (columns = 'code, name'): Promise<unknown> => {
    const [table] = await kit().db.query<{ name: string }>(
      'select portal_private.layer_table.table_name as name from portal_private.layer_table where resource_id = $1',
      [layer],
    );
    const [found] = await kit().db.query<{ j: unknown }>(
      `select json_agg(json_build_array(${columns}) order by code) as j from layers."${table?.name}"`,
    );
    return found?.j;
  };
  const source = async (): Promise<Json> =>
    bodyOf(await ada().get(`/api/v2/layers/${layer}/source/`))['source'] as Json;
  const makeDue = () => kit().db.query(`update portal_private.layer_source set next_at = now() - interval '1 minute'`);
  /** The import that was begun has ended. */
  const settled = async (): Promise<string> => {
    const [newest] = await kit().db.query<{ id: number }>('select max(id)::integer as id from portal.upload');
    const { state, session } = await kit().until(newest?.id ?? 0);
    return state === 'PROCESSED' ? state : `${state}: ${String(session['error_msg'])}`;
  };
  const told = async (): Promise<readonly string[]> =>
    (bodyOf(await ada().get('/api/v2/notifications/'))['notifications'] as { kind: string }[]).map(({ kind }) => kind);

  beforeAll(async () => {
    server = createServer((request, reply) => {
      const path = request.url ?? '/';
      asked.push(path);
      const answer = answers.get(path.split('?')[0] ?? '') ?? { status: 404, type: 'text/plain', body: 'none' };
      reply.writeHead(answer.status ?? 200, { 'Content-Type': answer.type }).end(answer.body);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    internal.push(host);
    url = `http://${host}`;
    answers.set('/rivers.csv', { type: 'text/csv', body: CSV });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('a layer is made of what an address holds, and follows it', async () => {
    const order = { title: 'Rivers', address: `${url}/rivers.csv`, key: 'code', every_minutes: 30 };
    const made = await ada().post('/api/v2/layers/follow/', order);
    expect([made.status, bodyOf(made)]).toEqual([201, { upload: expect.any(Number) }]);
    const upload = await kit().until(Number(bodyOf(made)['upload']));
    expect([upload.state, upload.session['error_msg']]).toEqual(['PROCESSED', null]);
    layer = upload.resource_id ?? 0;
    expect(await rows()).toEqual([
      ['a', 'Inn'],
      ['b', 'Isar'],
    ]);
    expect(await source()).toMatchObject({
      kind: 'file',
      address: `${url}/rivers.csv`,
      key: 'code',
      every_minutes: 30,
      paused: false,
      error: null,
      failures: 0,
      as: 'ada',
    });
  });

  test('when it is due it is asked, once, and where nothing has changed nothing is imported', async () => {
    expect(await refreshDue(parts())).toBe(0);
    await makeDue();
    const before = asked.length;
    expect(await refreshDue(parts())).toBe(1);
    expect(await refreshDue(parts())).toBe(0);
    expect(asked.length - before).toBe(1);
    expect((await kit().db.query('select id from portal.upload')).length).toBe(1);
  });

  test('differences are made by the key, and stand in the history one by one', async () => {
    answers.set('/rivers.csv', {
      type: 'text/csv',
      body: 'code,name,lon,lat\na,Inn (2),10.5,50.5\nc,Lech,10.9,48.3\n',
    });
    await makeDue();
    expect(await refreshDue(parts())).toBe(1);
    expect(await settled()).toBe('PROCESSED');
    expect(await rows()).toEqual([
      ['a', 'Inn (2)'],
      ['c', 'Lech'],
    ]);
    const { edits } = bodyOf(await ada().get(`/api/v2/layers/${layer}/history/`)) as { edits: Json[] };
    expect(edits.slice(0, 3).map(({ kind, by }) => [kind, by])).toEqual([
      ['insert', 'ada'],
      ['update', 'ada'],
      ['delete', 'ada'],
    ]);
    expect(edits[1]).toMatchObject({ old: { name: 'Inn' }, new: { name: 'Inn (2)' } });
    // Rows that stayed are the same rows.
    expect(await rows('code, fid')).toEqual([
      ['a', 1],
      ['c', expect.any(Number)],
    ]);
  });

  test('a key that does not tell rows apart changes nothing, and is said', async () => {
    answers.set('/rivers.csv', { type: 'text/csv', body: 'code,name,lon,lat\na,Inn,10,50\na,Isar,11,48\n' });
    await makeDue();
    await refreshDue(parts());
    expect(await settled()).toMatch(/^INVALID: .*does not tell the rows apart/);
    expect(await rows()).toEqual([
      ['a', 'Inn (2)'],
      ['c', 'Lech'],
    ]);
    expect(await source()).toMatchObject({
      failures: 1,
      error: expect.stringContaining('does not tell the rows apart'),
    });
  });

  test('whoever wanted it is told once in a row of failures', async () => {
    expect(await told()).toEqual(['source']);
    answers.delete('/rivers.csv');
    await makeDue();
    await refreshDue(parts());
    expect(await source()).toMatchObject({ failures: 2, error: 'The address answered with status 404.' });
    expect(await told()).toEqual(['source']);
    answers.set('/rivers.csv', { type: 'text/csv', body: CSV });
    const now = await ada().post(`/api/v2/layers/${layer}/source/refresh/`);
    expect(now.status).toBe(200);
    expect(await settled()).toBe('PROCESSED');
    expect(await source()).toMatchObject({ failures: 0, error: null });
    expect(await rows()).toEqual([
      ['a', 'Inn'],
      ['b', 'Isar'],
    ]);
  });

  test('paused it is not asked', async () => {
    const paused = { address: `${url}/rivers.csv`, key: 'code', every_minutes: 30, paused: true };
    expect(bodyOf(await ada().put(`/api/v2/layers/${layer}/source/`, paused))).toMatchObject({
      source: { paused: true, next_at: null },
    });
    await makeDue();
    expect(await refreshDue(parts())).toBe(0);
  });

  test('items of an OGC API come page by page, and a WFS is asked for its features', async () => {
    answers.set('/collections/peaks/items', {
      type: 'application/geo+json',
      body: JSON.stringify({
        type: 'FeatureCollection',
        features: [feature(1, 'A')],
        links: [{ rel: 'next', href: 'more' }],
      }),
    });
    answers.set('/collections/peaks/more', {
      type: 'application/geo+json',
      body: JSON.stringify({ type: 'FeatureCollection', features: [feature(2, 'B')] }),
    });
    const peaks = await ada().post('/api/v2/layers/follow/', {
      kind: 'features',
      address: `${url}/collections/peaks`,
      key: 'id',
    });
    const one = await kit().until(Number(bodyOf(peaks)['upload']));
    expect([one.state, one.session['error_msg']]).toEqual(['PROCESSED', null]);
    const [counted] = await kit().db.query<{ n: number }>('select count(*)::integer as n from layers.peaks');
    expect(counted).toEqual({ n: 2 });
    answers.set('/wfs', {
      type: 'application/json',
      body: JSON.stringify({ type: 'FeatureCollection', features: [feature(1, 'A')] }),
    });
    const wfs = await ada().post('/api/v2/layers/follow/', {
      kind: 'wfs',
      address: `${url}/wfs?map=x`,
      type_name: 'ns:huts',
    });
    expect((await kit().until(Number(bodyOf(wfs)['upload']))).state).toBe('PROCESSED');
    expect(asked.at(-1)).toBe(
      '/wfs?map=x&service=WFS&version=2.0.0&request=GetFeature&typeNames=ns%3Ahuts&outputFormat=application%2Fjson',
    );
  });

  test('addresses that may not be asked, and those that hold nothing, are refused in words', async () => {
    const refused = async (order: Json): Promise<unknown> => {
      const reply = await ada().post('/api/v2/layers/follow/', order);
      return [reply.status, bodyOf(reply)];
    };
    expect(await refused({ address: 'http://169.254.169.254/latest/' })).toEqual([
      400,
      { address: [expect.stringContaining('not asked')] },
    ]);
    expect(await refused({ address: 'http://10.0.0.1/x.csv' })).toEqual([
      400,
      { address: [expect.stringContaining('not asked')] },
    ]);
    expect(await refused({ address: `${url}/nothing.csv` })).toEqual([
      400,
      { address: ['The address answered with status 404.'] },
    ]);
    expect(await refused({ address: 'ftp://example.org/x' })).toEqual([
      400,
      { address: ['An address of http or https is expected.'] },
    ]);
    expect(await refused({ address: `${url}/rivers.csv`, every_minutes: 5 })).toEqual([
      400,
      { every_minutes: ['A whole number from 15 to 525600 is expected.'] },
    ]);
    expect(await refused({ kind: 'wfs', address: `${url}/wfs` })).toEqual([
      400,
      { type_name: ['A WFS is asked for one of its feature types.'] },
    ]);
  });

  test('only who manages the layer knows of the address, changes it or asks it now', async () => {
    const { portal } = kit();
    const path = `/api/v2/layers/${layer}/source/`;
    for (const [who, status] of [
      [portal.visitor, 401],
      [portal.as('bob'), 403],
    ] as const) {
      expect((await who.get(path)).status).toBe(status);
      expect((await who.put(path, { address: `${url}/rivers.csv` })).status).toBe(status);
      expect((await who.post(`${path}refresh/`)).status).toBe(status);
      expect((await who.delete(path)).status).toBe(status);
    }
    expect((await ada().delete(path)).status).toBe(204);
    expect(bodyOf(await ada().get(path))).toEqual({ source: null });
    expect(await rows()).toEqual([
      ['a', 'Inn'],
      ['b', 'Isar'],
    ]);
  });
});
