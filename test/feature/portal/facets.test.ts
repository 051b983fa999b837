// What a search can be narrowed by: counts per type, category, keyword, region and owner, as the caller sees them.

import { beforeAll, describe, expect, test } from 'vitest';
import type { PortalClient } from '../../testkit/portal-client.ts';
import { bodyOf, idOf, onCatalogue } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

type Facet = {
  readonly name: string;
  readonly filter: string;
  readonly values: number;
  readonly entries: readonly { readonly value: string; readonly label: string; readonly count: number }[];
};
type Facets = { readonly total: number; readonly facets: readonly Facet[] };

onCatalogue('facets', {}, (portal) => {
  beforeAll(() => fillCatalogue(portal()));

  async function facetsOf(query = '', client: PortalClient = portal().visitor): Promise<Facets> {
    const reply = await client.get(`/api/v2/resources/facets/${query}`);
    expect(reply).toMatchReply({ status: 200, headers: { 'content-type': /^application\/json/ } });
    return bodyOf<Facets>(reply);
  }

  /** `{ resource_type: { layer: 2 }, … }` */
  function counts({ facets }: Facets): Record<string, Record<string, number>> {
    return Object.fromEntries(
      facets.map(({ name, entries }) => [name, Object.fromEntries(entries.map(({ value, count }) => [value, count]))]),
    );
  }

  test('the whole answer', async () => {
    expect(await facetsOf('?search=water')).toEqual({
      total: 2,
      facets: [
        {
          name: 'resource_type',
          filter: 'filter{resource_type.in}',
          values: 1,
          entries: [{ value: 'layer', label: 'layer', count: 2 }],
        },
        {
          name: 'category',
          filter: 'filter{category.identifier.in}',
          values: 1,
          entries: [{ value: 'inlandWaters', label: 'Rivers, lakes, floods, water quality', count: 2 }],
        },
        {
          name: 'keywords',
          filter: 'filter{keywords.slug.in}',
          values: 2,
          entries: [
            { value: 'water', label: 'water', count: 2 },
            { value: 'north', label: 'north', count: 1 },
          ],
        },
        {
          name: 'regions',
          filter: 'filter{regions.code.in}',
          values: 2,
          entries: [
            { value: expect.any(String), label: expect.any(String), count: 1 },
            { value: expect.any(String), label: expect.any(String), count: 1 },
          ],
        },
        {
          name: 'owner',
          filter: 'filter{owner.username.in}',
          values: 1,
          entries: [{ value: 'ada', label: 'Ada Tester', count: 2 }],
        },
      ],
    });
  });

  test('without a query everything counts that the caller sees', async () => {
    const types = { layer: 2, map: 1, document: 1, geoapp: 1, geostory: 1 };
    const all = await facetsOf();
    expect(all.total).toBe(6);
    expect(counts(all)).toMatchObject({ resource_type: types, owner: { ada: 6 } });
    expect(counts(all)['keywords']).toEqual({ water: 2, north: 1 });
  });

  test('what is hidden counts for who sees it, and for nobody else', async () => {
    expect(counts(await facetsOf('', portal().as('ada')))).toMatchObject({
      resource_type: { layer: 3 },
      owner: { ada: 6, bob: 1 },
    });
    const bob = counts(await facetsOf('', portal().as('bob')));
    expect(bob).toMatchObject({ resource_type: { layer: 4 }, owner: { ada: 6, bob: 2 } });
    expect(bob['keywords']).toMatchObject({ hidden: 1 });
    expect(counts(await facetsOf('', portal().as('mel')))['keywords']).not.toHaveProperty('hidden');
  });

  test('a grant taken back is gone from the counts with the next request', async () => {
    const id = await idOf(portal(), 'Shared wells');
    const as = portal().as('bob');
    expect((await facetsOf('', portal().as('mel'))).total).toBe(6);
    await as.put(`/api/v2/resources/${id}/set_perms`, {
      users: { ada: ['view_resourcebase'], mel: ['view_resourcebase'] },
    });
    expect((await facetsOf('', portal().as('mel'))).total).toBe(7);
    await as.put(`/api/v2/resources/${id}/set_perms`, { users: { ada: ['view_resourcebase'] } });
    const after = await facetsOf('', portal().as('mel'));
    expect(after.total).toBe(6);
    expect(counts(after)['owner']).not.toHaveProperty('bob');
  });

  test('the whole catalogue counts the same as all that passes a filter, while items come, go and change', async () => {
    const ada = portal().as('ada');
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        ada.post('/api/v2/documents', {
          title: `Facet ${n}`,
          doc_url: 'https://example.org/a',
          keywords: ['water', `facet ${n % 3}`],
          regions: [1 + n],
          category: 'society',
        }),
      ),
    );
    const ids = replies.map((reply) => Number(bodyOf<{ document: { pk: string } }>(reply).document.pk));
    const changes = [
      (path: string) => ada.delete(path),
      (path: string) => ada.put(`${path}/set_perms`, { users: { bob: ['view_resourcebase'] } }),
      (path: string) => ada.patch(path, { is_approved: false, keywords: ['facet 1'] }),
      (path: string) => ada.patch(path, { category: 'economy', keywords: ['facet 2', 'new'] }),
      (path: string) => portal().as('admin').patch(path, { owner: 'bob' }),
    ];
    await Promise.all(ids.map((id, n) => changes[n % changes.length]?.(`/api/v2/resources/${id}`)));
    // opened again, and with other keywords at the same moment
    await Promise.all(
      ids.flatMap((id, n) => [
        ada.put(
          `/api/v2/resources/${id}/set_perms`,
          n % 2 === 0 ? { groups: { anonymous: ['view_resourcebase'] } } : {},
        ),
        ada.patch(`/api/v2/resources/${id}`, { keywords: ['water', `again ${n % 2}`] }),
      ]),
    );
    for (const client of [portal().visitor, ada, portal().as('bob'), portal().as('mel'), portal().as('admin')]) {
      expect(await facetsOf('', client)).toEqual(await facetsOf('?filter{pk.gt}=0', client));
    }
    await portal()
      .as('admin')
      .delete(
        '/api/v2/resources',
        ids.map((id) => ({ id })),
      );
    expect(await facetsOf('')).toEqual(await facetsOf('?filter{pk.gt}=0'));
  });

  describe('a facet does not count its own filters', () => {
    test.each([
      ['filter{resource_type}=layer', 'resource_type', 2, 5],
      ['filter{resource_type.in}=layer&filter{resource_type.in}=map', 'resource_type', 3, 5],
      ['filter{category.identifier}=society', 'category', 1, 2],
      ['filter{keywords.slug.in}=north', 'keywords', 1, 2],
      ['filter{owner}=999999', 'owner', 0, 1],
      ['filter{owner.username}=nobody', 'owner', 0, 1],
      ['filter{-resource_type}=layer', 'resource_type', 4, 5],
    ])('%s', async (query, name, total, values) => {
      const found = await facetsOf(`?${query}`);
      expect(found.total).toBe(total);
      expect(found.facets.find((facet) => facet.name === name)?.values).toBe(values);
      for (const facet of found.facets) {
        const most = Math.max(0, ...facet.entries.map(({ count }) => count));
        if (facet.name !== name) expect(most).toBeLessThanOrEqual(total);
      }
    });

    test('but those of the others', async () => {
      expect(counts(await facetsOf('?filter{resource_type}=layer&filter{keywords.slug}=north'))).toMatchObject({
        resource_type: { layer: 1 },
        keywords: { water: 2, north: 1 },
        category: { inlandWaters: 1 },
      });
    });
  });

  test('filters that a facet names lead to as many items as it says', async () => {
    const { facets } = await facetsOf();
    for (const { filter, entries } of facets) {
      for (const { value, count } of entries) {
        const list = await portal().visitor.get(`/api/v2/resources?${filter}=${encodeURIComponent(value)}`);
        expect(bodyOf(list)['total'], `${filter}=${value}`).toBe(count);
      }
    }
  });

  test('page_size is the number of values of each, the most frequent first', async () => {
    const { facets } = await facetsOf('?page_size=1');
    expect(facets.map(({ entries }) => entries.length)).toEqual([1, 1, 1, 1, 1]);
    expect(facets[0]).toMatchObject({ values: 5, entries: [{ value: 'layer', count: 2 }] });
  });

  test('takes extent and favourites like the list', async () => {
    expect((await facetsOf('?extent=0,40,16,60')).total).toBe(1);
    expect((await facetsOf('?favorite=true', portal().as('mel'))).total).toBe(0);
  });

  test.each([
    ['filter{nope}=1', 400],
    ['filter{title', 400],
    ['extent=a', 400],
    ['filter{owner.password}=x', 400],
    ["search='; drop table portal.resource; --", 200],
    ['filter{keywords.slug.in}=%00', 400],
    ['page_size=-1', 200],
  ])('%s is answered with %i', async (query, status) => {
    const reply = await portal().visitor.get(`/api/v2/resources/facets?${query}`);
    expect(reply.status).toBe(status);
  });
});
