// Thesauri, and the words of theirs that items have: read, filtered by, written.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../../testkit/reply-matcher.ts';
import { bodyOf, idOf, membersOf, onCatalogue } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

onCatalogue('thesaurus keywords', {}, (portal) => {
  const words: Record<string, number> = {};
  let rivers: number;
  let lakes: number;
  const make = async (collection: string, body: unknown): Promise<Record<string, unknown>> => {
    const reply = await portal().as('admin').post(`/api/v2/${collection}/`, body);
    expect(reply.status).toBe(201);
    return Object.values(bodyOf<Record<string, Record<string, unknown>>>(reply))[0] ?? {};
  };
  beforeAll(async () => {
    await fillCatalogue(portal());
    rivers = await idOf(portal(), 'Rivers');
    lakes = await idOf(portal(), 'Lakes');
    await make('thesauri', { identifier: 'gemet', title: 'GEMET', uri: 'https://example.org/gemet' });
    await make('thesauri', { identifier: 'local', title: 'Local words' });
    for (const [name, thesaurus, more] of [
      ['Water', 'gemet', { uri: 'https://example.org/gemet/1', i18n: { de: 'Wasser' } }],
      ['Soil', 'gemet', {}],
      ['Nice & blue', 'local', {}],
      ['Water', 'local', { uri: 'https://example.org/local/1' }],
    ] as const) {
      const { pk } = await make('tkeywords', { name, thesaurus, ...more });
      words[`${thesaurus} ${name}`] = Number(pk);
    }
  });
  const write = (id: number, tkeywords: unknown, as: 'ada' | 'bob' = 'ada'): Promise<Reply> =>
    portal().as(as).patch(`/api/v2/datasets/${id}`, { tkeywords });
  const found = async (query: string): Promise<unknown[]> =>
    membersOf(await portal().visitor.get(`/api/v2/resources/?${query}`), 'resources').toSorted();

  test('are lists that everybody reads and administrators write', async () => {
    const list = await portal().visitor.get('/api/v2/tkeywords/?filter{thesaurus.slug}=gemet&sort[]=name');
    expect(bodyOf<{ tkeywords: unknown[] }>(list).tkeywords).toMatchObject([
      { name: 'Soil', slug: 'soil', i18n: {} },
      {
        pk: words['gemet Water'],
        name: 'Water',
        slug: 'water',
        uri: 'https://example.org/gemet/1',
        i18n: { de: 'Wasser' },
        thesaurus: { name: 'GEMET', slug: 'gemet', uri: 'https://example.org/gemet' },
        count: expect.any(Number),
      },
    ]);
    const named = await portal().visitor.get('/api/v2/tkeywords/?filter{alt_label.icontains}=SOI');
    expect(bodyOf<{ tkeywords: unknown[] }>(named).tkeywords).toMatchObject([{ name: 'Soil', alt_label: 'Soil' }]);
    expect(membersOf(await portal().visitor.get('/api/v2/thesauri/'), 'thesauri', 'identifier')).toEqual([
      'gemet',
      'local',
    ]);
    expect((await portal().as('ada').post('/api/v2/thesauri/', { identifier: 'x', title: 'x' })).status).toBe(403);
    expect((await portal().as('ada').patch(`/api/v2/tkeywords/${words['gemet Soil']}`, { name: 'x' })).status).toBe(
      403,
    );
    expect((await portal().as('ada').delete(`/api/v2/tkeywords/${words['gemet Soil']}`)).status).toBe(403);
    expect((await portal().visitor.post('/api/v2/tkeywords/', { name: 'x', thesaurus: 'gemet' })).status).toBe(401);
    expect((await portal().as('admin').post('/api/v2/tkeywords/', { name: 'Water', thesaurus: 'gemet' })).status).toBe(
      400,
    );
    expect((await portal().as('admin').post('/api/v2/thesauri/', { identifier: 'a b', title: 'x' })).status).toBe(400);
  });

  test('are written to an item by id, name or object, and read with their thesaurus', async () => {
    expect(await write(rivers, [words['gemet Water'], { alt_label: 'Nice & blue' }])).toMatchReply({ status: 200 });
    const { dataset } = bodyOf<{ dataset: { tkeywords: unknown[] } }>(
      await portal().visitor.get(`/api/v2/datasets/${rivers}`),
    );
    expect(dataset.tkeywords).toMatchObject([
      { pk: words['local Nice & blue'], name: 'Nice & blue', slug: 'nice-blue', thesaurus: { slug: 'local' } },
      { pk: words['gemet Water'], thesaurus: { slug: 'gemet' }, i18n: { de: 'Wasser' } },
    ]);
    // The same in a list, and sent back as it was read.
    expect(
      bodyOf<{ resources: { tkeywords: unknown[] }[] }>(
        await portal().visitor.get(`/api/v2/resources/?filter{pk}=${rivers}`),
      ).resources[0]?.tkeywords,
    ).toEqual(dataset.tkeywords);
    expect((await write(rivers, dataset.tkeywords)).status).toBe(200);
    expect((await write(lakes, [{ uri: 'https://example.org/local/1' }])).status).toBe(200);
    expect(membersOf(await portal().visitor.get(`/api/v2/layers/${rivers}/tkeywords`), 'tkeywords', 'name')).toEqual([
      'Nice & blue',
      'Water',
    ]);
  });

  test('count the items that the caller sees', async () => {
    const secret = await idOf(portal(), 'Secret mines');
    expect((await write(secret, [words['gemet Soil']], 'bob')).status).toBe(200);
    const count = async (client = portal().visitor): Promise<unknown> =>
      bodyOf<{ tkeyword: { count: number } }>(await client.get(`/api/v2/tkeywords/${words['gemet Soil']}`)).tkeyword
        .count;
    expect(await count()).toBe(0);
    expect(await count(portal().as('ada'))).toBe(0);
    expect(await count(portal().as('bob'))).toBe(1);
    expect(await found(`filter{tkeywords}=${words['gemet Soil']}`)).toEqual([]);
  });

  describe('filter', () => {
    beforeAll(async () => {
      await write(rivers, [words['gemet Water'], words['local Nice & blue']]);
      await write(lakes, [words['local Water']]);
    });

    test('by id, by name, by thesaurus', async () => {
      expect(await found(`filter{tkeywords}=${words['gemet Water']}`)).toEqual(['Rivers']);
      expect(await found(`filter{tkeywords.id}=${words['local Water']}`)).toEqual(['Lakes']);
      expect(
        await found(`filter{tkeywords.in}=${words['gemet Water']}&filter{tkeywords.in}=${words['local Water']}`),
      ).toEqual(['Lakes', 'Rivers']);
      expect(await found(`filter{tkeywords.id.in}=${words['gemet Water']}`)).toEqual(['Rivers']);
      expect(await found('filter{tkeywords.name}=Water')).toEqual(['Lakes', 'Rivers']);
      expect(await found('filter{tkeywords.name.icontains}=BLUE')).toEqual(['Rivers']);
      expect(await found('filter{tkeywords.slug}=nice-blue')).toEqual(['Rivers']);
      expect(await found('filter{tkeywords.thesaurus.slug}=gemet')).toEqual(['Rivers']);
      expect(await found('filter{tkeywords.uri}=https://example.org/local/1')).toEqual(['Lakes']);
    });

    test('several ids mean one from each thesaurus, or all of them', async () => {
      const query = (...names: string[]): string => names.map((name) => `filter{tkeywords}=${words[name]}`).join('&');
      expect(await found(query('gemet Water', 'gemet Soil'))).toEqual(['Rivers']);
      expect(await found(query('local Nice & blue', 'local Water'))).toEqual(['Lakes', 'Rivers']);
      expect(await found(query('gemet Water', 'local Water'))).toEqual([]);
      expect(await found(query('gemet Water', 'local Water', 'local Nice & blue'))).toEqual(['Rivers']);
      expect(await found(`${query('gemet Water', 'local Nice & blue')}&force_and=true`)).toEqual(['Rivers']);
      expect(await found(`${query('gemet Water', 'gemet Soil')}&force_and=true`)).toEqual([]);
      expect((await portal().visitor.get('/api/v2/resources/?filter{tkeywords}=1&filter{tkeywords}=x')).status).toBe(
        400,
      );
      expect((await portal().visitor.get('/api/v2/resources/?filter{tkeywords}=x')).status).toBe(400);
    });
  });

  test('that are none are refused, by name; who may not change the item changes nothing', async () => {
    expect(await write(rivers, ['Nothing'])).toMatchReply({
      status: 400,
      json: { tkeywords: ['Invalid pk "Nothing" - thesaurus keyword object does not exist.'] },
    });
    expect((await write(rivers, [99999])).status).toBe(400);
    expect((await write(rivers, 'x')).status).toBe(400);
    expect((await write(rivers, [words['gemet Soil']], 'bob')).status).toBe(403);
    expect((await write(rivers, [])).status).toBe(200);
    expect(await found('filter{tkeywords.thesaurus.slug}=gemet')).toEqual([]);
  });
});
