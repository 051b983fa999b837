// Requests that mean harm: every parameter, every field, every address gets what it does not expect. No answer is a 500, nothing
// takes long, and nothing is learned that could not be seen anyway.

import { beforeAll, describe, expect, test } from 'vitest';
import { textOf } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, membersOf, onCatalogue } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

const COLLECTIONS = [
  'resources',
  'layers',
  'datasets',
  'maps',
  'documents',
  'geoapps',
  'geostories',
  'groups',
  'users',
  'uploads',
  'owners',
  'categories',
  'keywords',
  'tkeywords',
  'regions',
];

const TEXTS = [
  "'",
  '"',
  "' or '1'='1",
  '1; drop table portal.resource; --',
  '$1',
  '$$',
  '\\',
  "\\'; --",
  '%',
  '_',
  '%00',
  '\u0000',
  '\ufffe',
  '🗺',
  'x'.repeat(3000),
  '{}',
  '[]',
  '{"a":1}',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e309',
  '0x10',
  "E'\\x27'",
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  `$${'{7*7}'}`,
  '(select 1)',
  'a.b.c.d',
  '-',
  '--',
  '/*',
  '*',
  '()',
  '((((',
  '[',
  'ß',
  'İ',
];

onCatalogue('hostile requests', {}, (portal) => {
  beforeAll(() => fillCatalogue(portal()));

  /**
   * What is sent is read by the same code on both engines; the embedded one, which is slower, gets every third, and other ones
   * for each parameter.
   */
  function triedIn<T>(name: string, list: readonly T[]): readonly T[] {
    return portal().db.engine === 'postgres' ? list : list.filter((_, i) => (i + name.length) % 3 === 0);
  }

  /** Nothing breaks, and nothing of the inside comes out. */
  function expectCalm(reply: { status: number; body: string | Uint8Array }, what: string): void {
    expect({ what, status: reply.status, body: reply.status >= 500 ? textOf(reply.body) : '' }).toMatchObject({
      status: expect.not.stringMatching(/^5/),
      body: '',
    });
    if (reply.status >= 400)
      expect(textOf(reply.body)).not.toMatch(
        /portal_private|search_path|relation "|syntax error|column .* does not exist|pg_catalog|at character/i,
      );
  }

  test.each([
    'page',
    'page_size',
    'ordering',
    'sort[]',
    'search',
    'search_fields',
    'extent',
    'include[]',
    'exclude[]',
    'full',
    'debug',
    'favorite',
    'patch-all',
    'lang',
    'sideloading',
    'filter{title}',
    'filter{pk}',
    'filter{date.gte}',
    'filter{title.regex}',
    'filter{title.in}',
    'filter{owner.username.icontains}',
    'filter{featured}',
    'filter{uuid}',
    'filter{date.year}',
    'filter{keywords.name.isnull}',
  ])(
    'anything in %s',
    async (parameter) => {
      for (const text of triedIn(parameter, TEXTS)) {
        const query = `${encodeURIComponent(parameter)}=${encodeURIComponent(text)}`;
        expectCalm(await portal().as('bob').get(`/api/v2/resources?search=a&${query}`), query);
      }
      const strange = Buffer.from([0xff, 0xfe]).toString('latin1');
      expectCalm(
        await portal()
          .as('bob')
          .get(`/api/v2/resources?${encodeURIComponent(parameter)}=%ff%fe%`),
        strange,
      );
    },
    120_000,
  );

  test('anything as a name of a parameter', async () => {
    for (const text of TEXTS) {
      for (const name of [
        text,
        `filter{${text}}`,
        `filter{title.${text}}`,
        `filter{owner.${text}.in}`,
        `filter{-${text}`,
      ]) {
        expectCalm(await portal().visitor.get(`/api/v2/layers?${encodeURIComponent(name)}=x`), name);
      }
    }
  }, 120_000);

  test('anything as an address', async () => {
    for (const text of TEXTS.filter((one) => one.length < 500)) {
      for (const target of [
        `/api/v2/${encodeURIComponent(text)}`,
        `/api/v2/layers/${encodeURIComponent(text)}`,
        `/api/v2/layers/${encodeURIComponent(text)}/styles`,
        `/api/v2/layers/1/${encodeURIComponent(text)}`,
        `/documents/${encodeURIComponent(text)}/download`,
        `/mapviewer/rest/resources/${encodeURIComponent(text)}`,
        `/avatar/${encodeURIComponent(text)}`,
      ]) {
        const reply = await portal().as('bob').get(target);
        expectCalm(reply, target);
      }
    }
  }, 120_000);

  test.each(COLLECTIONS)('the same in %s', async (collection) => {
    for (const query of [
      'filter{pk}=1e5',
      'filter{pk.in}=1;2',
      'sort[]=pk;drop',
      "search=';--&search_fields=pk",
      'filter{__proto__.x}=1',
      'include[]=constructor',
      'page=1e9',
      'filter{pk.regex}=(((((',
    ]) {
      expectCalm(await portal().as('bob').get(`/api/v2/${collection}?${query}`), `${collection} ${query}`);
    }
  });

  describe('bodies', () => {
    const fields = [
      'title',
      'abstract',
      'date',
      'zoom',
      'center_x',
      'projection',
      'category',
      'keywords',
      'regions',
      'group',
      'owner',
      'bbox_polygon',
      'srid',
      'language',
      'featured',
      'metadata_only',
      'thumbnail_url',
      'data',
      'license',
      'temporal_extent_start',
      'maintenance_frequency',
    ];
    const values: readonly unknown[] = [
      ...TEXTS,
      0,
      -1,
      1.5,
      1e308,
      2 ** 53,
      true,
      null,
      [],
      {},
      [null],
      [[]],
      [{}],
      { pk: null },
      { pk: [] },
      { pk: {} },
      { id: '1; drop' },
      { name: {} },
      [[[[[]]]]],
      { __proto__: null },
      JSON.parse('{"__proto__": {"title": "x"}}'),
      { type: 'Polygon', coordinates: 'x' },
      { type: 'Polygon', coordinates: [[[null, null]]] },
    ];

    test.each(fields)(
      'anything in %s',
      async (field) => {
        for (const value of triedIn(field, values)) {
          const whole = {
            title: 'Hostile',
            zoom: 1,
            projection: 'EPSG:3857',
            center_x: 0,
            center_y: 0,
            [field]: value,
          };
          expectCalm(
            await portal().as('bob').post('/api/v2/maps', whole),
            `${field} ${JSON.stringify(value).slice(0, 100)}`,
          );
        }
      },
      120_000,
    );

    test.each<[string, string]>([
      ['nothing', ''],
      ['half a text', '"abc'],
      ['half an object', '{"a":'],
      ['a comma too many', '[1,]'],
      ['many zeros', '0'.repeat(1000)],
      ['no UTF-8', '\u00ff\u00fe'],
      ['deep lists', '['.repeat(50_000) + ']'.repeat(50_000)],
      ['deep objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
      ['a prototype', '{"__proto__": {"title": "x"}, "constructor": {"prototype": {"title": "y"}}}'],
      ['the same name twice', '{"title": "a", "title": "b"}'],
      ['a large number', `{"zoom": ${'9'.repeat(400)}}`],
      ['a strange escape', '{"title": "\\ud800"}'],
      ['a NUL', '{"title": "a\\u0000b"}'],
    ])('%s', async (_, body) => {
      for (const [method, target] of [
        ['POST', '/api/v2/maps'],
        ['PATCH', '/api/v2/maps'],
        ['PUT', '/api/v2/maps/1'],
        ['DELETE', '/api/v2/maps'],
        ['PUT', '/api/v2/resources/1/set_perms'],
        ['POST', '/mapviewer/rest/resources'],
        ['POST', '/api/v2/users'],
      ] as const) {
        expectCalm(
          await portal()
            .as('bob')
            .request(method, target, { body, headers: { 'content-type': 'application/json' } }),
          `${method} ${target}`,
        );
      }
    });

    test('a document of a story that is nested without end is refused', async () => {
      const deep = `{"name": "deep", "data": ${'['.repeat(5000)}${']'.repeat(5000)}}`;
      expect(
        await portal().as('bob').post('/api/v2/geostories', deep, { 'content-type': 'application/json' }),
      ).toMatchReply({ status: 400, json: { detail: 'The body is nested too deep.' } });
      const asText = { name: 'deep', data: '['.repeat(5000) + ']'.repeat(5000) };
      expect(await portal().as('bob').post('/api/v2/geostories', asText)).toMatchReply({
        status: 400,
        json: { data: ['The value is nested too deep.'] },
      });
    });

    test('too much of everything is refused', async () => {
      expect(
        await portal()
          .as('bob')
          .post('/api/v2/maps', { title: 'x'.repeat(17 * 1024 * 1024) }),
      ).toMatchReply({ status: 413 });
    });

    test('nobody changed the prototype of anything', () => {
      expect(({} as Record<string, unknown>)['title']).toBeUndefined();
    });
  });

  describe('probing', () => {
    test.each([
      'owner__password',
      'owner__account_detail__email',
      'owner__credential__password_hash',
      'viewers',
      'obstacles',
      'is_public',
      'dirty',
      'default_style_id',
      'owner_id',
      'tableoid',
      'ctid',
      'xmin',
    ])('%s cannot be searched, filtered or sorted by', async (name) => {
      const dotted = name.replaceAll('__', '.');
      for (const query of [
        `search=a&search_fields=${name}`,
        `filter{${dotted}}=a`,
        `filter{${dotted}.startswith}=a`,
        `sort[]=${dotted}`,
        `ordering=-${dotted}`,
      ]) {
        expect(await portal().visitor.get(`/api/v2/resources?${query}`)).toMatchReply({ status: 400 });
      }
      // Asked for, it is ignored: the records are as they always are.
      const usual = bodyOf<{ resources: unknown }>(await portal().visitor.get('/api/v2/resources'));
      const asked = bodyOf<{ resources: unknown }>(await portal().visitor.get(`/api/v2/resources?include[]=${dotted}`));
      expect(asked.resources).toEqual(usual.resources);
    });

    test('what a private group holds is not told by its number', async () => {
      await portal().db.script(`
        insert into portal.user_group (slug, title, access) values ('cabal', 'Cabal', 'private');
        update portal.resource set group_id = (select id from portal.user_group where slug = 'cabal') where title = 'Lakes'`);
      const [{ id: group } = { id: 0 }] = await portal().db.query<{ id: number }>(
        `select id from portal.user_group where slug = 'cabal'`,
      );
      expect(
        bodyOf(
          await portal()
            .as('bob')
            .get(`/api/v2/layers/${await idOf(portal(), 'Lakes')}`),
        ),
      ).toMatchObject({ layer: { group: null } });
      for (const query of [
        `filter{group}=${group}`,
        `filter{group.pk}=${group}`,
        'filter{group.name}=cabal',
        'filter{group.isnull}=false',
      ]) {
        expect(membersOf(await portal().as('bob').get(`/api/v2/layers?${query}`), 'layers')).toEqual([]);
      }
      expect(membersOf(await portal().as('admin').get(`/api/v2/layers?filter{group}=${group}`), 'layers')).toEqual([
        'Lakes',
      ]);
      expect(
        await portal().as('bob').post('/api/v2/documents', { title: 'x', doc_url: 'https://example.org/a', group }),
      ).toMatchReply({
        status: 400,
        json: { group: [expect.stringMatching(/does not exist/)] },
      });
    });

    test('a hidden item is the same as none, whoever asks how', async () => {
      const hidden = await idOf(portal(), 'Secret mines');
      for (const [method, target, body] of [
        ['GET', `/api/v2/layers/${hidden}`, undefined],
        ['PATCH', `/api/v2/layers/${hidden}`, { title: 'x' }],
        ['DELETE', `/api/v2/layers/${hidden}`, undefined],
        ['GET', `/api/v2/resources/${hidden}/get_perms`, undefined],
        ['PUT', `/api/v2/resources/${hidden}/set_perms`, {}],
        ['POST', `/api/v2/resources/${hidden}/favorite`, undefined],
        ['GET', `/api/v2/layers/${hidden}/styles`, undefined],
        ['GET', `/mapviewer/rest/resources/${hidden}`, undefined],
      ] as const) {
        const [there, nowhere] = await Promise.all([
          portal().as('ada').request(method, target, { body }),
          portal()
            .as('ada')
            .request(method, target.replace(String(hidden), '99999999'), { body }),
        ]);
        expect({ target, status: there.status, body: textOf(there.body) }).toEqual({
          target,
          status: nowhere.status,
          body: textOf(nowhere.body),
        });
        expect(there.status).toBe(404);
      }
      expect(
        await portal()
          .as('ada')
          .patch('/api/v2/layers', [{ id: hidden, title: 'x' }]),
      ).toMatchReply({ status: 400, json: ['Could not find all objects to update: 1 != 0.'] });
      expect(
        await portal()
          .as('ada')
          .delete('/api/v2/layers', [{ id: hidden }]),
      ).toMatchReply({ status: 204 });
      expect(membersOf(await portal().as('bob').get(`/api/v2/layers?filter{pk}=${hidden}`), 'layers')).toEqual([
        'Secret mines',
      ]);
    });
  });
});

// The embedded engine cannot be stopped in the middle of a statement; there the expressions alone are limited.
onCatalogue('regular expressions that take too long', { engines: ['postgres'] }, (portal) => {
  test('are stopped, and said to be the reason', async () => {
    // Somebody holds the table, so that the statement takes as long as it may.
    const held = await portal().db.driver.hold(async (session) => {
      await session.execute([
        { text: 'begin', params: [] },
        { text: 'lock table portal.resource', params: [] },
      ]);
      const reply = await portal().visitor.get('/api/v2/resources?filter{title.regex}=a');
      await session.execute([{ text: 'rollback', params: [] }]);
      return reply;
    });
    expect(held.ok && held.value).toMatchReply({ status: 400, json: ['The regular expression takes too long.'] });
  });
});
