// The client that others install (client/), against the running program: what it types is what is answered, and what a bundler keeps of it is little.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient, PortalError, pages } from '../../client/src/index.ts';
import { PASSWORD, type PortalProgram, startPortal } from '../browser/portal-program.ts';

const CLIENT = fileURLToPath(new URL('../../client/src', import.meta.url));

let portal: PortalProgram;
let ada: Client;
let visitor: Client;

beforeAll(async () => {
  portal = await startPortal();
  const made = await portal.api('admin', 'POST', '/api/v2/users/', { username: 'ada', password: PASSWORD });
  expect(made.status).toBe(201);
  const token = await portal.api('ada', 'POST', '/api/v2/access-tokens/', { name: 'client', scope: 'write' });
  // A function is asked each time, so that a program can renew what it has.
  ada = createClient(`${portal.url}/`, { token: async () => (token.json as { token: string }).token });
  visitor = createClient(portal.url);
}, 120_000);
afterAll(() => portal?.stop());

const title = 'Wells of the north';

test('makes, reads, changes, lists and deletes an item, with types', async () => {
  const made = await ada.post('/api/v2/maps/', {
    body: { title, zoom: 3, projection: 'EPSG:3857', center_x: 9, center_y: 50 },
  });
  if (!('map' in made)) throw new Error('one map was sent');
  const id = made.map.pk;
  expect((await ada.patch('/api/v2/maps/{id}/', { path: { id }, body: { title: `${title}!` } })).meta).toEqual({
    updated: 1,
  });
  const { maps, total } = await ada.get('/api/v2/maps/', {
    query: { 'filter{title.icontains}': 'north', page_size: 5 },
  });
  expect([total, maps[0]?.title]).toEqual([1, `${title}!`]);
  expect(await ada.delete('/api/v2/maps/{id}/', { path: { id } })).toBeUndefined();
});

test('sends files as forms', async () => {
  const form = new FormData();
  form.append('title', 'Notes');
  form.append('doc_file', new Blob(['some text']), 'notes.txt');
  const sent = await ada.post('/api/v2/documents/', { body: form });
  expect(sent).toMatchObject({ document: { title: 'Notes' } });
});

test('goes through the pages of a list', async () => {
  const named = (n: number): string => `Story ${n}`;
  for (let n = 0; n < 5; n++) await ada.post('/api/v2/geostories/', { body: { name: `story-${n}`, title: named(n) } });
  const seen: string[] = [];
  for await (const { geostories } of pages(ada, '/api/v2/geostories/', {
    query: { page_size: 2, 'sort[]': ['title'] },
  }))
    seen.push(...geostories.map((story) => story.title));
  expect(seen).toEqual([0, 1, 2, 3, 4].map(named));
});

test('throws what the portal refuses, with what it said', async () => {
  const refused = await visitor
    .post('/api/v2/maps/', { body: { title, zoom: 1, projection: '', center_x: 0, center_y: 0 } })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(PortalError);
  expect(refused).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
  const missing = await ada.get('/api/v2/layers/{id}/', { path: { id: 999_999 } }).catch((error: unknown) => error);
  expect(missing).toMatchObject({ name: 'PortalError', status: 404 });
  const stopped = AbortSignal.abort();
  await expect(visitor.get('/api/v2/layers/', { signal: stopped })).rejects.toThrow(/abort/);
  // @ts-expect-error: the address has a part to be filled in
  await expect(ada.get('/api/v2/layers/{id}/')).rejects.toThrow('needs "id"');
});

test('is refused by the compiler where the portal would refuse it', () => {
  const never = (): unknown => [
    // @ts-expect-error: no such address
    ada.get('/api/v2/lairs/'),
    // @ts-expect-error: no such field
    ada.get('/api/v2/layers/', { query: { pages: 2 } }),
    // @ts-expect-error: a title is text
    ada.patch('/api/v2/maps/{id}/', { path: { id: 1 }, body: { title: 5 } }),
  ];
  expect(never).toBeTypeOf('function');
});

test('is small, needs nothing, and leaves what is not used', async () => {
  const bundled = async (code: string): Promise<string> => {
    const bundle = await rolldown({
      input: 'entry',
      plugins: [
        {
          name: 'entry',
          resolveId: (id) => (id === 'entry' ? id : id === 'client' ? join(CLIENT, 'index.ts') : null),
          load: (id) => (id === 'entry' ? code : null),
        },
      ],
    });
    const { output } = await bundle.generate({ minify: true });
    await bundle.close();
    expect(output[0].imports).toEqual([]);
    return output[0].code;
  };
  const whole = await bundled(`export * from 'client';`);
  const client = await bundled(`import { createClient } from 'client'; createClient(location.origin);`);
  expect(whole.length).toBeLessThan(3500);
  expect(client).not.toContain('async function*');
  expect(client.length).toBeLessThan(whole.length);
});
