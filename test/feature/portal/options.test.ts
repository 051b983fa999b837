// OPTIONS tells what an address takes, and promises nobody what would be refused.

import { beforeAll, describe, expect, test } from 'vitest';
import { headerOf, textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, onCatalogue } from './on-catalogue.ts';

const MAP = { title: 'Asked', zoom: 3, projection: 'EPSG:3857', center_x: 0, center_y: 0 };
const READS = ['GET', 'HEAD', 'OPTIONS'];

onCatalogue('OPTIONS', {}, (portal) => {
  const ids = { map: 0, upload: 0 };
  beforeAll(async () => {
    const made = await portal().as('ada').post('/api/v2/maps', MAP);
    ids.map = Number(bodyOf<{ map: { pk: string } }>(made).map.pk);
    await portal()
      .as('ada')
      .put(`/api/v2/resources/${ids.map}/set_perms`, {
        users: { bob: ['view_resourcebase', 'change_resourcebase_metadata'] },
        groups: { anonymous: ['view_resourcebase'] },
      });
    const upload = await portal().as('ada').post('/api/v2/uploads', { name: 'x' });
    ids.upload = bodyOf<{ upload: { id: number } }>(upload).upload.id;
  });
  const clients = () => ({
    visitor: portal().visitor,
    ada: portal().as('ada'),
    bob: portal().as('bob'),
    mel: portal().as('mel'),
    mia: portal().as('mia'),
    admin: portal().as('admin'),
  });
  type Who = keyof ReturnType<typeof clients>;
  const allowed = async (who: Who, path: string): Promise<string[]> => {
    const reply = await clients()[who].request('OPTIONS', path);
    return String(headerOf(reply, 'allow')).split(', ').sort();
  };

  // Paths are made when the ids are known.
  const CASES: readonly (readonly [Who, () => string, readonly string[]])[] = [
    ['visitor', () => '/api/v2/maps/', []],
    ['ada', () => '/api/v2/maps/', ['DELETE', 'PATCH', 'POST']],
    ['visitor', () => `/api/v2/maps/${ids.map}/`, []],
    ['ada', () => `/api/v2/maps/${ids.map}/`, ['DELETE', 'PATCH', 'PUT']],
    ['bob', () => `/api/v2/maps/${ids.map}/`, ['PATCH', 'PUT']],
    ['mel', () => `/api/v2/maps/${ids.map}/`, []],
    ['admin', () => `/api/v2/resources/${ids.map}/`, ['DELETE', 'PATCH', 'PUT']],
    ['bob', () => `/api/v2/resources/${ids.map}/set_perms`, []],
    ['ada', () => `/api/v2/resources/${ids.map}/set_perms`, ['PUT']],
    ['bob', () => `/api/v2/resources/${ids.map}/delete`, []],
    ['ada', () => `/api/v2/resources/${ids.map}/delete`, ['DELETE']],
    ['visitor', () => '/api/v2/users', []],
    ['bob', () => '/api/v2/users', ['DELETE', 'PATCH']],
    ['admin', () => '/api/v2/users', ['DELETE', 'PATCH', 'POST']],
    ['bob', () => `/api/v2/users/${portal().ids.bob}`, ['DELETE', 'PATCH', 'PUT']],
    ['bob', () => `/api/v2/users/${portal().ids.ada}`, []],
    ['visitor', () => '/api/v2/groups', []],
    ['bob', () => '/api/v2/groups', ['POST']],
    ['mia', () => `/api/v2/groups/${portal().ids.surveyors}`, ['PATCH', 'PUT']],
    ['mel', () => `/api/v2/groups/${portal().ids.surveyors}`, []],
    ['admin', () => `/api/v2/groups/${portal().ids.surveyors}`, ['DELETE', 'PATCH', 'PUT']],
    ['mia', () => `/api/v2/groups/${portal().ids.surveyors}/members`, ['POST']],
    ['mel', () => `/api/v2/groups/${portal().ids.surveyors}/members`, []],
    ['mel', () => `/api/v2/groups/${portal().ids.surveyors}/members/${portal().ids.mel}`, ['DELETE']],
    ['visitor', () => '/api/v2/uploads', []],
    ['ada', () => `/api/v2/uploads/${ids.upload}`, ['DELETE', 'PATCH', 'PUT']],
    ['visitor', () => '/mapviewer/rest/resources', []],
    ['bob', () => '/api/v2/settings', []],
    ['admin', () => '/api/v2/settings', ['PATCH']],
    ['admin', () => '/api/v2/keywords', []],
  ];

  test.each(CASES)('to %s tells what is not refused (%#)', async (who, path, writes) => {
    const allow = await allowed(who, path());
    expect([path(), allow.filter((verb) => !READS.includes(verb))]).toEqual([path(), writes]);
    expect(allow).toContain('OPTIONS');
  });

  test.each([
    ['POST', () => `/api/v2/resources/${ids.map}/set_perms`, 'OPTIONS, PUT'],
    ['PATCH', () => `/api/v2/resources/${ids.map}/set_perms/`, 'OPTIONS, PUT'],
    ['GET', () => `/api/v2/resources/${ids.map}/set_perms`, 'OPTIONS, PUT'],
    ['PUT', () => `/api/v2/resources/${ids.map}/get_perms`, 'GET, HEAD, OPTIONS'],
    ['POST', () => '/api/v2/resources/approved', 'GET, HEAD, OPTIONS'],
    ['PATCH', () => `/api/v2/resources/${ids.map}/copy`, 'OPTIONS, PUT'],
    ['PATCH', () => `/api/v2/maps/${ids.map}/layers`, 'GET, HEAD, OPTIONS'],
  ])('a refused %s names what the address takes (%#)', async (method, path, allow) => {
    const reply = await portal().as('ada').request(method, path(), { body: '{}' });
    expect([path(), reply.status, headerOf(reply, 'allow')]).toEqual([path(), 405, allow]);
  });

  test.each(['approved', 'published', 'featured', 'resource_types', 'favorites'])(
    'of the list %s it tells what that takes, not what an item does',
    async (name) => {
      const reply = await portal().as('ada').request('OPTIONS', `/api/v2/resources/${name}`);
      expect([reply.status, headerOf(reply, 'allow')]).toEqual([200, 'GET, HEAD, OPTIONS']);
    },
  );

  test('of an item that the caller does not see is refused as reading it is, but for browsers that ask on behalf of another site', async () => {
    const made = await portal()
      .as('ada')
      .post('/api/v2/maps', { ...MAP, permissions: { users: {}, groups: {} } });
    const hidden = `/api/v2/maps/${bodyOf<{ map: { pk: string } }>(made).map.pk}`;
    for (const [who, path] of [
      ['visitor', hidden],
      ['bob', hidden],
      ['bob', `/api/v2/uploads/${ids.upload}`],
      ['visitor', `/api/v2/uploads/${ids.upload}`],
      ['ada', '/api/v2/maps/999999'],
      ['ada', '/api/v2/maps/none'],
    ] as const) {
      const read = await clients()[who].get(path);
      const asked = await clients()[who].request('OPTIONS', path);
      expect([who, path, asked.status, textOf(asked.body)]).toEqual([who, path, read.status, textOf(read.body)]);
      expect(read.status).toBeGreaterThan(400);
    }
    expect(await portal().as('ada').request('OPTIONS', hidden)).toMatchReply({ status: 200 });
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'PATCH' };
    expect(await portal().visitor.request('OPTIONS', hidden, { headers })).toMatchReply({ status: 200 });
  });

  test('is true: what it leaves out is refused, and what it names is not', async () => {
    const wrong: string[] = [];
    for (const who of ['visitor', 'bob', 'mel', 'admin', 'ada'] as const) {
      for (const [method, path, body] of [
        ['POST', '/api/v2/maps', MAP],
        ['PATCH', `/api/v2/maps/${ids.map}`, { abstract: who }],
        ['PATCH', `/api/v2/users/${portal().ids.bob}`, { first_name: 'Bob' }],
        ['POST', '/api/v2/groups', { title: who, slug: `by-${who}`, description: '' }],
        ['PATCH', `/api/v2/groups/${portal().ids.surveyors}`, { description: who }],
        ['PATCH', `/api/v2/uploads/${ids.upload}`, { name: who }],
        [
          'PUT',
          `/api/v2/resources/${ids.map}/set_perms`,
          {
            users: { bob: ['view_resourcebase', 'change_resourcebase_metadata'] },
            groups: { anonymous: ['view_resourcebase'] },
          },
        ],
      ] as const) {
        // What is not there for somebody promises nothing.
        const promised = (await allowed(who, path)).includes(method);
        const { status } = await clients()[who].request(method, path, { body });
        if (promised !== status < 400)
          wrong.push(`${who} ${method} ${path}: ${promised ? 'promised' : 'left out'}, ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  describe('while the portal is read-only', () => {
    test('promises writes to administrators alone', async () => {
      await portal().as('admin').patch('/api/v2/settings', { READ_ONLY: true });
      try {
        for (const path of ['/api/v2/maps', `/api/v2/users/${portal().ids.ada}`, '/api/v2/uploads'])
          expect((await allowed('ada', path)).filter((verb) => !READS.includes(verb))).toEqual([]);
        expect(await allowed('admin', '/api/v2/maps')).toContain('POST');
      } finally {
        await portal().as('admin').patch('/api/v2/settings', { READ_ONLY: false });
      }
    });
  });

  test('names patch-all only where it works', async () => {
    expect(
      bodyOf<{ features: string[] }>(await portal().visitor.request('OPTIONS', '/api/v2/maps')).features,
    ).not.toContain('patch-all');
  });
});
