// Documents with files: sent, looked at, kept, downloaded; and nothing active from the portal's address.

import { describe, expect, test } from 'vitest';
import type { BlobStore } from '../../../src/blobs/blob-store.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { PortalClient } from '../../testkit/portal-client.ts';
import { headerOf, type Reply, textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, onCatalogue } from './on-catalogue.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Part = { readonly name: string; readonly fileName?: string; readonly content: string | Buffer };

function multipart(parts: readonly Part[]): { body: Buffer; headers: Record<string, string> } {
  const boundary = '----a-boundary-of-the-tests';
  const chunks = parts.flatMap(({ name, fileName, content }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n${fileName === undefined ? '' : 'Content-Type: text/html\r\n'}\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return {
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

const send = (
  client: PortalClient,
  parts: readonly Part[],
  target = '/api/v2/documents/',
  method = 'POST',
): Promise<Reply> => client.request(method, target, multipart(parts));
const file = (fileName: string, content: string | Buffer): Part => ({ name: 'doc_file', fileName, content });

/** Takes one chunk of a file, as a disk does that is full after it. */
const FULL_DISK: BlobStore = {
  put: async (_key, content) => {
    for await (const _ of content) break;
    return err({ kind: 'disk', fault: 'no-space' });
  },
  open: async (key) => err({ kind: 'no-such-blob', key }),
  remove: async () => ok(undefined),
  async *list() {},
};

onCatalogue('documents on a full disk', { engines: ['pglite'], api: { blobs: FULL_DISK } }, (portal) => {
  test('are answered with 507, though most of the file was not read', async () => {
    const large = file('large.txt', Buffer.alloc(900_000, 'large '));
    expect(await send(portal().as('ada'), [large, { name: 'title', content: 'Large' }])).toMatchReply({
      status: 507,
      json: { detail: 'There is no space left for the file. Try again later.' },
    });
  });
});

onCatalogue('documents', {}, (portal, store) => {
  /** How many files are kept, and how many of them belong to a document. */
  const blobs = async (): Promise<readonly [number, number]> => {
    let kept = 0;
    for await (const _ of store.list('documents/')) kept += 1;
    const [counted] = await portal().db.query<{ n: string }>('select count(*) as n from portal.document_file');
    return [kept, Number(counted?.n)];
  };

  describe('a file that is sent', () => {
    test('may be none, where a browser’s form has an address instead', async () => {
      const reply = await send(portal().as('ada'), [
        { name: 'title', content: 'Elsewhere' },
        { name: 'doc_url', content: 'https://example.org/paper.pdf' },
        file('', ''),
      ]);
      expect(reply).toMatchReply({
        status: 201,
        json: {
          document: expect.objectContaining({ href: 'https://example.org/paper.pdf', doc_type: 'presentation' }),
        },
      });
    });

    test('comes with lists whose names are repeated in the form', async () => {
      const reply = await send(portal().as('ada'), [
        { name: 'title', content: 'Tagged' },
        { name: 'keywords', content: 'a' },
        { name: 'keywords', content: 'b' },
        file('notes.txt', 'some notes'),
      ]);
      expect(reply).toMatchReply({
        status: 201,
        json: {
          document: expect.objectContaining({
            keywords: [expect.objectContaining({ name: 'a' }), expect.objectContaining({ name: 'b' })],
          }),
        },
      });
    });

    test.each([[[]], [[file('', '')]], [[{ name: 'doc_url', content: ' ' }, file('', '')]]])(
      'is missed in a form with neither file nor address: %j',
      async (parts) => {
        expect(await send(portal().as('ada'), [{ name: 'title', content: 'Nothing' }, ...parts])).toMatchReply({
          status: 400,
          json: { doc_file: [expect.stringMatching(/doc_file.*doc_url/)] },
        });
      },
    );

    test('is its owner’s alone where the form says so', async () => {
      const reply = await send(portal().as('ada'), [
        { name: 'title', content: 'Diary' },
        { name: 'permissions', content: '{"users": {}, "groups": {}}' },
        file('diary.txt', 'dear diary'),
      ]);
      expect(reply.status).toBe(201);
      const { pk } = bodyOf<{ document: { pk: string } }>(reply).document;
      expect((await portal().as('ada').get(`/documents/${pk}/download`)).status).toBe(200);
      expect((await portal().visitor.get(`/documents/${pk}/download`)).status).toBe(404);
      expect((await portal().visitor.get(`/api/v2/documents/${pk}/`)).status).toBe(404);
    });

    test('becomes a document, and comes back byte by byte', async () => {
      const reply = await send(portal().as('ada'), [
        { name: 'title', content: 'A picture' },
        { name: 'keywords', content: 'small, square' },
        file('pixel.png', PNG),
        { name: 'abstract', content: 'behind the file' },
      ]);
      expect(reply.status).toBe(201);
      const { document } = bodyOf<{ document: Record<string, unknown> }>(reply);
      expect(document).toMatchObject({
        title: 'A picture',
        name: 'A picture',
        abstract: 'behind the file',
        doc_type: 'image',
        extension: 'png',
        mime_type: 'image/png',
        href: `http://localhost/documents/${document['pk']}/download`,
        keywords: [{ name: 'small' }, { name: 'square' }],
      });
      const download = await portal().visitor.get(`/documents/${document['pk']}/download`);
      expect(download).toMatchReply({
        status: 200,
        headers: {
          'content-type': 'image/png',
          'content-length': String(PNG.length),
          'content-disposition': `attachment; filename="pixel.png"; filename*=UTF-8''pixel.png`,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
        },
      });
      expect(Buffer.from(download.body as Uint8Array).equals(PNG)).toBe(true);
    });

    test('can be read in parts', async () => {
      const { pk } = bodyOf<{ document: { pk: string } }>(
        await send(portal().as('ada'), [file('digits.txt', '0123456789')]),
      ).document;
      const path = `/api/v2/documents/${pk}/download`;
      expect(await portal().visitor.get(path, { range: 'bytes=2-4' })).toMatchReply({
        status: 206,
        text: '234',
        headers: { 'content-range': 'bytes 2-4/10', 'content-length': '3' },
      });
      expect(await portal().visitor.get(path, { range: 'bytes=7-' })).toMatchReply({ status: 206, text: '789' });
      expect(await portal().visitor.get(path, { range: 'bytes=10-' })).toMatchReply({
        status: 416,
        headers: { 'content-range': 'bytes */10' },
      });
      expect(await portal().visitor.get(path, { range: 'lines=1-2' })).toMatchReply({
        status: 200,
        text: '0123456789',
      });
      expect(await portal().visitor.request('HEAD', path)).toMatchReply({
        status: 200,
        text: '',
        headers: { 'content-length': '10' },
      });
    });

    test('without a title is titled after its name', async () => {
      expect(bodyOf(await send(portal().as('ada'), [file('Jahres bericht.v2.txt', 'text')]))).toMatchObject({
        document: { title: 'Jahres bericht.v2', doc_type: 'text', extension: 'txt', mime_type: 'text/plain' },
      });
    });

    test('can be replaced', async () => {
      const { pk } = bodyOf<{ document: { pk: string } }>(
        await send(portal().as('ada'), [file('old.txt', 'old')]),
      ).document;
      expect(
        await send(portal().as('bob'), [file('new.txt', 'evil')], `/api/v2/documents/${pk}`, 'PATCH'),
      ).toMatchReply({ status: 403 });
      expect(await send(portal().as('ada'), [file('new.png', PNG)], `/api/v2/documents/${pk}`, 'PATCH')).toMatchReply({
        status: 200,
        json: expect.objectContaining({ meta: { updated: 1 } }),
      });
      expect(bodyOf(await portal().visitor.get(`/api/v2/documents/${pk}`))).toMatchObject({
        document: { title: 'old', extension: 'png', doc_type: 'image', mime_type: 'image/png' },
      });
    });

    test('goes with its document', async () => {
      const { pk } = bodyOf<{ document: { pk: string } }>(
        await send(portal().as('ada'), [file('x.txt', 'x')]),
      ).document;
      const [before] = await blobs();
      expect(await portal().as('ada').delete(`/api/v2/documents/${pk}`)).toMatchReply({ status: 204 });
      expect((await blobs())[0]).toBe(before - 1);
      expect(await portal().visitor.get(`/documents/${pk}/download`)).toMatchReply({
        status: 404,
        json: { detail: 'Not found.' },
      });
    });

    test.each([
      ['page.html', '<html>'],
      ['picture.svg', '<svg/>'],
      ['script.js', 'alert(1)'],
      ['program.exe', 'MZ'],
      ['noending', 'text'],
      ['x.php', '<?php'],
      ['fake.png', '<html><script>alert(1)</script>'],
      ['fake.pdf', 'not a pdf'],
      ['fake.txt', '<!DOCTYPE html>'],
      ['fake.xml', '<svg onload=alert(1)>'],
      ['binary.txt', Buffer.from([0, 1, 2])],
      ['empty.txt', ''],
    ])('as %s is refused, and nothing is kept', async (name, content) => {
      const before = await blobs();
      expect(await send(portal().as('ada'), [{ name: 'title', content: 'Refused' }, file(name, content)])).toMatchReply(
        { status: 400, json: { doc_file: [expect.any(String)] } },
      );
      expect(await blobs()).toEqual(before);
    });

    test('too large is refused, and nothing is kept', async () => {
      const before = await blobs();
      expect(await send(portal().as('ada'), [file('large.txt', 'x'.repeat(1024 * 1024 + 1))])).toMatchReply({
        status: 413,
      });
      expect(await blobs()).toEqual(before);
    });

    test('with a record that is wrong is refused, and nothing is kept', async () => {
      const before = await blobs();
      expect(
        await send(portal().as('ada'), [{ name: 'title', content: 'x'.repeat(300) }, file('a.txt', 'x')]),
      ).toMatchReply({ status: 400, json: { title: ['Ensure this field has no more than 255 characters.'] } });
      expect(await send(portal().as('ada'), [{ name: 'category', content: 'nope' }, file('a.txt', 'x')])).toMatchReply({
        status: 400,
        json: { category: [expect.any(String)] },
      });
      expect(await blobs()).toEqual(before);
    });

    test('by a visitor is not even read', async () => {
      expect(await send(portal().visitor, [file('a.txt', 'x')])).toMatchReply({ status: 401 });
    });

    test('by an account that may not add anything is refused', async () => {
      await portal().db.script(
        `delete from portal.group_member where group_id = 3 and account_id = ${portal().ids.mel}`,
      );
      expect(await send(portal().as('mel'), [file('a.txt', 'x')])).toMatchReply({ status: 403 });
    });

    test.each([
      ['two files', multipart([file('a.txt', 'x'), file('b.txt', 'y')])],
      ['no boundary', { body: Buffer.from('x'), headers: { 'content-type': 'multipart/form-data' } }],
      [
        'half a form',
        { ...multipart([file('a.txt', 'x')]), body: multipart([file('a.txt', 'x')]).body.subarray(0, 100) },
      ],
      ['no form', { body: Buffer.from('nonsense'), headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
      ['very many fields', multipart(Array.from({ length: 300 }, (_, i) => ({ name: `f${i}`, content: 'x' })))],
    ])('with %s is refused', async (_, request) => {
      const before = await blobs();
      expect(await portal().as('ada').request('POST', '/api/v2/documents', request)).toMatchReply({
        status: 400,
        json: { detail: expect.any(String) },
      });
      expect(await blobs()).toEqual(before);
    });

    test('may be called anything', async () => {
      const names = [
        '../../etc/passwd.txt',
        '..\\..\\x.txt',
        'a\u0000b.txt',
        'Fluß & "Quelle".txt',
        '.txt',
        `${'x'.repeat(300)}.txt`,
        'con.txt',
      ];
      for (const name of names) {
        const reply = await send(portal().as('ada'), [
          { name: 'title', content: 'Named' },
          file(name.replaceAll('"', '%22'), 'text'),
        ]);
        expect([201, 400]).toContain(reply.status);
        if (reply.status !== 201) continue;
        const download = await portal().visitor.get(
          `/documents/${bodyOf<{ document: { pk: string } }>(reply).document.pk}/download`,
        );
        expect(download).toMatchReply({
          status: 200,
          text: 'text',
          headers: { 'content-disposition': /^attachment; filename="[^"\\/]*"; filename\*=UTF-8''[^\s;"/]*$/ },
        });
      }
    });
  });

  describe('an address instead of a file', () => {
    test('is where the download leads', async () => {
      const { document } = bodyOf<{ document: Record<string, unknown> }>(
        await portal()
          .as('ada')
          .post('/api/v2/documents', { title: 'Elsewhere', doc_url: 'https://example.org/a/report.pdf?x=1' }),
      );
      expect(document).toMatchObject({
        href: 'https://example.org/a/report.pdf?x=1',
        extension: 'pdf',
        doc_type: 'presentation',
        mime_type: null,
      });
      expect(await portal().visitor.get(`/documents/${document['pk']}/download`)).toMatchReply({
        status: 302,
        headers: { location: 'https://example.org/a/report.pdf?x=1' },
      });
    });

    test.each([
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'ftp://x',
      '//example.org',
      'https://',
      'not an address',
      `https://${'x'.repeat(3000)}`,
    ])('%s is none', async (doc_url) => {
      expect(await portal().as('ada').post('/api/v2/documents', { title: 'x', doc_url })).toMatchReply({
        status: 400,
        json: { doc_url: [expect.any(String)] },
      });
    });
  });

  describe('a document with neither file nor address', () => {
    const remedy = expect.stringMatching(/doc_file.*doc_url/);

    test.each([{ title: 'Nowhere' }, { title: 'Nowhere', doc_url: null }])(
      'is not made by JSON among the documents: %j',
      async (body) => {
        expect(await portal().as('ada').post('/api/v2/documents', body)).toMatchReply({
          status: 400,
          json: { doc_file: [remedy] },
        });
      },
    );

    test('is a mistake of its own among several', async () => {
      const sent = [{ title: 'Nowhere 1', doc_url: 'https://example.org/a' }, { title: 'Nowhere 2' }];
      expect(await portal().as('ada').post('/api/v2/documents', sent)).toMatchReply({
        status: 400,
        json: { documents: [], errors: [{ detail: { doc_file: [remedy] }, source: sent[1] }] },
      });
      expect(await portal().db.query(`select from portal.resource where title like 'Nowhere%'`)).toEqual([]);
    });

    test('does not come of a change either', async () => {
      const { pk } = bodyOf<{ document: { pk: string } }>(
        await portal().as('ada').post('/api/v2/documents', { title: 'Moves', doc_url: 'https://example.org/a' }),
      ).document;
      const path = `/api/v2/documents/${pk}`;
      expect(await portal().as('ada').patch(path, { doc_url: null })).toMatchReply({
        status: 400,
        json: { doc_url: [remedy] },
      });
      expect(await portal().as('ada').get(path)).toMatchReply({
        status: 200,
        json: { document: expect.objectContaining({ href: 'https://example.org/a' }) },
      });
      const moved = await send(
        portal().as('ada'),
        [{ name: 'doc_url', content: '' }, file('here.txt', 'here')],
        `${path}?include[]=href`,
        'PATCH',
      );
      expect(moved).toMatchReply({
        status: 200,
        json: expect.objectContaining({
          document: expect.objectContaining({ href: expect.stringMatching(/\/documents\/\d+\/download$/) }),
        }),
      });
    });
  });

  describe('who may download', () => {
    test('is a question of its own', async () => {
      const { pk } = bodyOf<{ document: { pk: string } }>(
        await send(portal().as('ada'), [{ name: 'title', content: 'Guarded' }, file('g.txt', 'secret')]),
      ).document;
      const perms = (body: object): Promise<Reply> => portal().as('ada').put(`/api/v2/resources/${pk}/set_perms`, body);
      const path = `/documents/${pk}/download`;
      await perms({
        users: { bob: ['view_resourcebase', 'download_resourcebase'] },
        groups: { anonymous: ['view_resourcebase'] },
      });
      expect(await portal().visitor.get(path)).toMatchReply({ status: 401 });
      expect(await portal().as('mia').get(path)).toMatchReply({ status: 403 });
      expect(await portal().as('bob').get(path)).toMatchReply({ status: 200, text: 'secret' });
      expect(bodyOf(await portal().visitor.get(`/api/v2/documents/${pk}`))).toMatchObject({ document: { href: null } });
      await perms({});
      expect(await portal().as('bob').get(path)).toMatchReply({ status: 404 });
      expect(await portal().as('ada').get(path)).toMatchReply({ status: 200 });
      for (const id of ['999999', 'abc', '0'])
        expect(await portal().visitor.get(`/documents/${id}/download`)).toMatchReply({ status: 404 });
    });
  });

  describe('what a page shows of a document', () => {
    const given = async (name: string, content: string | Buffer, body: object): Promise<string> => {
      const { pk } = bodyOf<{ document: { pk: string } }>(
        await send(portal().as('ada'), [{ name: 'title', content: name }, file(name, content)]),
      ).document;
      await portal().as('ada').put(`/api/v2/resources/${pk}/set_perms`, body);
      return pk;
    };
    const SEEN = { users: {}, groups: { anonymous: ['view_resourcebase'] } };

    test('is for who sees it: a picture in a story needs no right to download', async () => {
      const pk = await given('seen.png', PNG, SEEN);
      expect(await portal().visitor.get(`/documents/${pk}/view`)).toMatchReply({
        status: 200,
        headers: { 'content-type': 'image/png', 'x-content-type-options': 'nosniff' },
      });
      expect((await portal().visitor.get(`/documents/${pk}/download`)).status).toBe(401);
      expect((await portal().as('bob').get(`/documents/${pk}/download`)).status).toBe(403);
    });

    test('is nothing but pictures, films and sounds, and nothing of what is hidden', async () => {
      const text = await given('seen.txt', 'secret', SEEN);
      const hidden = await given('hidden.png', PNG, { users: {}, groups: {} });
      for (const pk of [text, hidden, '999999', 'x'])
        expect((await portal().visitor.get(`/documents/${pk}/view`)).status).toBe(404);
      expect((await portal().as('ada').get(`/documents/${hidden}/view`)).status).toBe(200);
    });

    test('a picture that is refused has no browser ask for a password', async () => {
      const pk = await given('refused.png', PNG, SEEN);
      const challenge = async (headers: Record<string, string>): Promise<string | null> =>
        headerOf(await portal().visitor.get(`/documents/${pk}/download`, headers), 'www-authenticate');
      for (const dest of ['image', 'empty', 'iframe'])
        expect(await challenge({ 'sec-fetch-dest': dest })).not.toContain('Basic');
      expect(await challenge({ 'sec-fetch-dest': 'document' })).toContain('Basic');
      expect(await challenge({})).toContain('Basic');
    });
  });

  describe('linked resources', () => {
    test('are chosen by the document, and listed as far as they are seen', async () => {
      await portal()
        .as('ada')
        .post('/api/v2/layers', [{ title: 'Linked' }, { title: 'Linked too' }]);
      const [one, two] = [await idOf(portal(), 'Linked'), await idOf(portal(), 'Linked too')];
      const { pk } = bodyOf<{ document: { pk: string } }>(
        await portal()
          .as('ada')
          .post('/api/v2/documents', {
            title: 'Links',
            doc_url: 'https://example.org/a',
            linked_resources: [one, { pk: String(two) }],
          }),
      ).document;
      const path = `/api/v2/documents/${pk}/linked_resources/`;
      expect(bodyOf(await portal().visitor.get(path))).toMatchObject({
        total: 2,
        page: 1,
        resources: [{ resource_type: 'layer' }, { resource_type: 'layer' }],
      });
      await portal().as('ada').put(`/api/v2/resources/${one}/set_perms`, {});
      expect(bodyOf(await portal().visitor.get(`${path}?page_size=1`))).toMatchObject({
        total: 1,
        resources: [{ title: 'Linked too' }],
      });
      expect(await portal().as('ada').patch(`/api/v2/documents/${pk}`, { linked_resources: [] })).toMatchReply({
        status: 200,
      });
      expect(bodyOf(await portal().visitor.get(path))).toMatchObject({ total: 0 });
      expect(
        await portal()
          .as('ada')
          .patch(`/api/v2/documents/${pk}`, { linked_resources: [999_999] }),
      ).toMatchReply({ status: 400, json: { linked_resources: [expect.any(String)] } });
      expect(await portal().visitor.get('/api/v2/documents/999999/linked_resources')).toMatchReply({ status: 404 });
      expect(textOf((await portal().visitor.get(`/api/v2/documents/${pk}`)).body)).not.toContain('linked_resources');
    });
  });

  describe('files beside an item, as newer clients send them', () => {
    const item = async (title: string): Promise<string> =>
      bodyOf<{ document: { pk: string } }>(
        await portal().as('ada').post('/api/v2/documents/', { title, doc_url: 'https://example.org/a.pdf' }),
      ).document.pk;
    const path = (pk: string): string => `/api/v2/resources/${pk}/assets/`;
    const attach = (pk: string, client: PortalClient = portal().as('ada')): Promise<Reply> =>
      send(
        client,
        [
          { name: 'title', content: 'Legend' },
          { ...file('legend.txt', 'a legend'), name: 'file' },
        ],
        path(pk),
      );

    test('are documents that are linked to it, listed and downloaded', async () => {
      const pk = await item('With files');
      expect(await portal().visitor.get(path(pk))).toMatchReply({ status: 200, json: [] });
      const made = await attach(pk);
      const shown = { name: 'Legend', title: 'Legend', type: 'text', owner: { username: 'ada' } };
      expect(made.status).toBe(201);
      expect(bodyOf(made)).toMatchObject({ ...shown, deletable: true });
      const [listed] = bodyOf<{ id: number; download_url: string }[]>(await portal().visitor.get(path(pk)));
      expect(listed).toMatchObject({ ...shown, deletable: false });
      const content = await portal().visitor.get(new URL(listed?.download_url ?? '').pathname);
      expect(textOf(content.body)).toBe('a legend');
      const linked = await portal().visitor.get(`/api/v2/documents/${listed?.id}/linked_resources/`);
      expect(bodyOf(linked)).toMatchObject({ total: 1, resources: [{ pk }] });
    });

    test('are deleted, or taken from this item where others have them too', async () => {
      const [one, two] = [await item('One'), await item('Two')];
      const { id } = bodyOf<{ id: number }>(await attach(one));
      await portal()
        .as('ada')
        .patch(`/api/v2/documents/${id}/`, { linked_resources: [one, two] });
      const remove = (pk: string): Promise<Reply> =>
        portal()
          .as('ada')
          .delete(`${path(pk)}${id}/`);
      expect(
        (
          await portal()
            .as('bob')
            .delete(`${path(one)}${id}/`)
        ).status,
      ).toBe(403);
      expect((await remove(one)).status).toBe(204);
      expect((await remove(one)).status).toBe(404);
      expect((await portal().visitor.get(`/api/v2/documents/${id}/`)).status).toBe(200);
      expect((await remove(two)).status).toBe(204);
      expect((await portal().visitor.get(`/api/v2/documents/${id}/`)).status).toBe(404);
    });

    test('are added by who may change the item, and nothing of a refused one is kept', async () => {
      const pk = await item('Refusing');
      const before = await blobs();
      expect((await attach(pk, portal().visitor)).status).toBe(401);
      expect((await attach(pk, portal().as('bob'))).status).toBe(403);
      expect((await attach('999999')).status).toBe(404);
      const evil = [{ ...file('a.exe', 'MZ'), name: 'file' }];
      expect((await send(portal().as('ada'), evil, path(pk))).status).toBe(400);
      expect((await send(portal().as('ada'), [{ name: 'title', content: 'x' }], path(pk))).status).toBe(400);
      expect((await portal().as('ada').post(path(pk), { title: 'x' })).status).toBe(400);
      expect(await blobs()).toEqual(before);
    });
  });
});
