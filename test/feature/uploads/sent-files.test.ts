// Files that are sent part by part, by a client of the tus protocol that others wrote, over connections that are cut.

import { request as httpRequest } from 'node:http';
import { Upload } from 'tus-js-client';
import { expect, test } from 'vitest';
import { PASSWORD } from '../../testkit/portal-client.ts';
import { headerOf } from '../../testkit/reply-matcher.ts';
import { at, collection, onUploads, RESTING } from './upload-kit.ts';

const FILES = '/api/v2/uploads/files/';
const TUS = { 'Tus-Resumable': '1.0.0' };

onUploads('files in parts', { receive: { maxBytes: 1_000_000, maxFiles: 3 } }, (kit) => {
  let address: Promise<string> | undefined;
  const listening = (): Promise<string> => {
    address ??= kit().portal.app.listen({ host: '127.0.0.1', port: 0 });
    return address;
  };
  const authorization = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`;
  const many = (count: number): Buffer =>
    Buffer.from(
      collection(Array.from({ length: count }, (_, n) => ({ geometry: at(n / 1000, 47), properties: { n } }))),
    );

  /** Sends it with the client; `until` is told how far it is, and ends it by returning false. */
  const send = async (
    content: Buffer,
    {
      name = 'points.geojson',
      chunk = 20_000,
      from,
      until,
    }: { name?: string; chunk?: number; from?: string; until?: (sent: number) => boolean } = {},
  ): Promise<string> => {
    const endpoint = `${await listening()}${FILES}`;
    return new Promise((resolve, reject) => {
      const upload = new Upload(content, {
        endpoint,
        ...(from === undefined ? {} : { uploadUrl: from }),
        chunkSize: chunk,
        retryDelays: null,
        metadata: { filename: name },
        headers: { Authorization: authorization },
        onSuccess: () => resolve(upload.url ?? ''),
        onError: reject,
        onChunkComplete: (_size, sent) => {
          if (until?.(sent) === false) void upload.abort().then(() => resolve(upload.url ?? ''), reject);
        },
      });
      upload.start();
    });
  };
  const idOf = (url: string): string => url.split('/').at(-1) ?? '';
  const ada = () => kit().portal.as('ada');
  const create = (length: string, who = ada(), headers: Record<string, string> = {}) =>
    who.post(FILES, undefined, { ...TUS, 'Upload-Length': length, ...headers });
  const add = (url: string, offset: number, content: string, who = ada()) =>
    who.patch(`${FILES}${idOf(url)}`, content, {
      ...TUS,
      'Upload-Offset': String(offset),
      'Content-Type': 'application/offset+octet-stream',
    });
  const blobs = () => kit().stored();

  test('are taken up where they were cut, and then imported like any other', async () => {
    const content = many(1000);
    const before = await blobs();
    const begun = await send(content, { until: (sent) => sent < 40_000 });
    const { files } = JSON.parse(String((await ada().get(FILES)).body));
    expect(files).toEqual([
      {
        id: idOf(begun),
        name: 'points.geojson',
        size: content.length,
        mark: '',
        received: 40_000,
        begun: expect.any(String),
      },
    ]);
    const early = await kit().send('ada', [], { sent_files: idOf(begun) });
    expect([early.status, String(early.body)]).toEqual([400, expect.stringContaining('has not been sent to its end')]);
    expect(await send(content, { from: begun })).toBe(begun);
    // A form that is refused costs nothing of what was sent.
    expect((await kit().send('ada', [], { sent_files: idOf(begun), crs: 'nonsense' })).status).toBe(400);
    const sent = await kit().send('ada', [], { sent_files: idOf(begun), layer_title: 'In parts' });
    expect(sent.status).toBe(201);
    const upload = await kit().until(JSON.parse(String(sent.body)).upload_id, RESTING);
    expect(upload.state).toBe('PROCESSED');
    expect(JSON.parse(String((await ada().get(FILES)).body))).toEqual({ files: [] });
    expect((await blobs()).length).toBeLessThanOrEqual(before.length + 1);
    expect((await kit().send('ada', [], { sent_files: idOf(begun) })).status).toBe(400);
  });

  test('keep what came before the connection broke', async () => {
    const url = headerOf(await create('100000'), 'location') ?? '';
    const { hostname, port } = new URL(await listening());
    await new Promise<void>((resolve) => {
      const request = httpRequest({
        hostname,
        port,
        method: 'PATCH',
        path: `${FILES}${idOf(url)}`,
        headers: {
          ...TUS,
          Authorization: authorization,
          'Content-Type': 'application/offset+octet-stream',
          'Upload-Offset': '0',
          'Content-Length': '100000',
        },
      });
      request.on('error', () => resolve());
      request.write(Buffer.alloc(30_000, 'x'), () => setImmediate(() => request.destroy()));
    });
    const received = async (): Promise<number> => JSON.parse(String((await ada().get(FILES)).body)).files[0].received;
    await expect.poll(received, { timeout: 10_000 }).toBe(30_000);
    expect((await add(url, 0, 'again')).status).toBe(409);
    expect((await add(url, 30_000, 'more')).status).toBe(204);
    expect((await add(url, 30_004, 'y'.repeat(70_000))).status).toBe(413);
    expect(await received()).toBe(30_004);
    expect((await ada().delete(`${FILES}${idOf(url)}`, undefined, TUS)).status).toBe(204);
    expect((await ada().delete(`${FILES}${idOf(url)}`, undefined, TUS)).status).toBe(404);
  });

  test('are nobody else’s, keep to the limits, and speak one version', async () => {
    const url = headerOf(await create('10'), 'location') ?? '';
    const bob = kit().portal.as('bob');
    expect((await add(url, 0, 'x', bob)).status).toBe(404);
    expect((await bob.delete(`${FILES}${idOf(url)}`, undefined, TUS)).status).toBe(404);
    expect((await kit().send('bob', [], { sent_files: idOf(url) })).status).toBe(400);
    expect((await kit().portal.visitor.post(FILES, undefined, { ...TUS, 'Upload-Length': '1' })).status).toBe(401);
    expect((await create('1000001')).status).toBe(413);
    expect((await create('-1')).status).toBe(400);
    expect(await ada().post(FILES, undefined, { 'Upload-Length': '1', 'Tus-Resumable': '0.2.2' })).toMatchReply({
      status: 412,
      headers: { 'tus-version': '1.0.0' },
    });
    expect(
      (await ada().patch(`${FILES}${idOf(url)}`, 'x', { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'text/plain' }))
        .status,
    ).toBe(415);
    expect(
      (
        await ada().patch(`${FILES}x`, 'x', {
          ...TUS,
          'Upload-Offset': '0',
          'Content-Type': 'application/offset+octet-stream',
        })
      ).status,
    ).toBe(404);
    const id = kit().portal.ids.ada;
    await kit().db.query('insert into portal_private.storage_quota (account_id, bytes) values ($1, 1)', [id]);
    expect((await create('10')).status).toBe(413);
    expect((await add(url, 0, 'xyz')).status).toBe(413);
    await kit().db.query('delete from portal_private.storage_quota where account_id = $1', [id]);
    expect((await add(url, 0, 'xyz')).status).toBe(204);
  });

  test('that nobody goes on with are gone after a week, and their parts with the next sweep', async () => {
    await kit().db.query(`update portal_private.sent_file set changed = now() - interval '8 days'`);
    const [swept] = await kit().db.query<{ n: number }>('select portal.sweep_sent_files() as n');
    expect(swept?.n).toBeGreaterThan(0);
    expect(JSON.parse(String((await ada().get(FILES)).body))).toEqual({ files: [] });
  });
});
