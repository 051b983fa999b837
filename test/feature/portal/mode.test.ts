// The mode of service: read-only and maintenance, with the operator's message.

import { expect, test } from 'vitest';
import type { Portal } from '../../testkit/portal-client.ts';
import { bodyOf, onCatalogue } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

const NEW_MAP = { title: 'New', zoom: 3, projection: 'EPSG:3857', center_x: 0, center_y: 0 };
const CLOSED = { status: 503, headers: { 'retry-after': '60' } };

onCatalogue('the mode of service', {}, (portal) => {
  let tokens: Readonly<Record<'admin' | 'ada', string>> | undefined;
  const as = async (account: 'admin' | 'ada'): Promise<ReturnType<Portal['bearer']>> => {
    tokens ??= { admin: await portal().tokenOf('admin'), ada: await portal().tokenOf('ada') };
    return portal().bearer(tokens[account]);
  };
  const set = async (mode: string, message = ''): Promise<void> => {
    expect(await (await as('admin')).put('/api/v2/mode/', { mode, message })).toMatchReply({ status: 200 });
  };

  test('is normal, and administrators alone set it', async () => {
    await fillCatalogue(portal());
    expect(await portal().visitor.get('/api/v2/mode/')).toMatchReply({
      status: 200,
      json: { mode: 'normal', message: '', since: null },
    });
    const asked = { mode: 'maintenance', message: 'x' };
    expect(await portal().visitor.put('/api/v2/mode/', asked)).toMatchReply({ status: 401 });
    expect(await (await as('ada')).put('/api/v2/mode/', asked)).toMatchReply({ status: 403 });
    const admin = await as('admin');
    expect(await admin.put('/api/v2/mode/', { mode: 'closed' })).toMatchReply({
      status: 400,
      json: { mode: ['Must be one of normal, read-only, maintenance.'] },
    });
    expect(await admin.put('/api/v2/mode/', { mode: 'read-only', message: 'a\nb', until: 1 })).toMatchReply({
      status: 400,
      json: { message: ['Must be one line of at most 500 characters.'], until: ['Unknown field.'] },
    });
    expect(await admin.put('/api/v2/mode/', { mode: 'read-only', message: 'x'.repeat(501) })).toMatchReply({
      status: 400,
    });
  });

  test('read-only: everybody reads and signs in, nobody writes, and the refusal has the message', async () => {
    const ada = await as('ada');
    const admin = await as('admin');
    await set('read-only', 'Moving house <until> noon.');
    try {
      expect(bodyOf(await portal().visitor.get('/api/v2/mode/'))).toMatchObject({
        mode: 'read-only',
        message: 'Moving house <until> noon.',
        since: expect.stringMatching(/^\d{4}-/),
      });
      expect(await portal().visitor.get('/api/v2/maps/')).toMatchReply({ status: 200 });
      await portal().session('bob');
      const refused = { ...CLOSED, json: { detail: 'Moving house <until> noon.', code: 'read-only' } };
      for (const client of [ada, admin]) {
        expect(await client.post('/api/v2/maps/', NEW_MAP)).toMatchReply(refused);
        expect(await client.patch('/api/v2/settings/', { RESOURCE_PUBLISHING: true })).toMatchReply(
          client === admin ? refused : { status: 503 },
        );
      }
      const form = { 'content-type': 'multipart/form-data; boundary=x' };
      expect(await ada.request('POST', '/api/v2/documents/', { body: '--x--\r\n', headers: form })).toMatchReply(
        refused,
      );
    } finally {
      await set('normal');
    }
    expect(await ada.post('/api/v2/maps/', NEW_MAP)).toMatchReply({ status: 201 });
  });

  test('maintenance: administrators sign in and work; everybody else gets the message, as a page or as JSON', async () => {
    const ada = await as('ada');
    const admin = await as('admin');
    await set('maintenance', 'Back <b>soon</b>.');
    try {
      const refused = { ...CLOSED, json: { detail: 'Back <b>soon</b>.', code: 'maintenance' } };
      expect(await portal().visitor.get('/api/v2/maps/')).toMatchReply(refused);
      expect(await ada.get('/api/v2/maps/')).toMatchReply(refused);
      expect(await portal().visitor.get('/api/v2/schema/')).toMatchReply(refused);
      expect(await portal().visitor.get('/health')).toMatchReply({ status: 200 });
      const page = await portal().visitor.get('/', { accept: 'text/html', 'accept-language': 'de-AT,en' });
      expect(page).toMatchReply(CLOSED);
      expect(String(page.body)).toContain('<p>Back &#60;b&#62;soon&#60;/b&#62;.</p>');
      expect(String(page.body)).toContain('lang="de"');
      expect(
        await portal().browser().post('/account/login/', { username: 'bob', password: 'correct horse' }),
      ).toMatchReply(refused);
      const browser = await portal().session('admin');
      expect(await browser.get('/api/v2/maps/')).toMatchReply({ status: 200 });
      expect(await admin.post('/api/v2/maps/', NEW_MAP)).toMatchReply({ status: 201 });
    } finally {
      await set('normal');
    }
    expect(await ada.get('/api/v2/maps/')).toMatchReply({ status: 200 });
  });

  test('a message that was not given is a plain sentence; changes are in the audit log', async () => {
    await set('read-only');
    expect(bodyOf<{ message: string }>(await portal().visitor.get('/api/v2/mode/')).message).toMatch(/later/);
    await set('normal');
    const { entries } = bodyOf<{ entries: { act: string; name: string; actor_name: string }[] }>(
      await (await as('admin')).get('/api/v2/audit/?limit=2'),
    );
    expect(entries).toMatchObject([
      { act: 'mode-changed', name: 'normal', actor_name: 'admin' },
      { act: 'mode-changed', name: 'read-only', actor_name: 'admin' },
    ]);
  });
});
