// `/api/v2/facets`: what the catalogue can be narrowed by, as newer clients ask for it.

import { beforeAll, expect, test } from 'vitest';
import type { PortalClient } from '../../testkit/portal-client.ts';
import { bodyOf, idOf, onCatalogue, scriptAs } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

type Item = { readonly key: string; readonly label: string; readonly count: number; readonly is_localized: boolean };
type Facet = {
  readonly name: string;
  readonly filter: string;
  readonly type: string;
  readonly label: string;
  readonly topics?: {
    readonly page: number;
    readonly page_size: number;
    readonly total: number;
    readonly items: Item[];
  };
};

onCatalogue('facets of newer clients', {}, (portal) => {
  let water = 0;
  beforeAll(async () => {
    await fillCatalogue(portal());
    await portal().db.script(`
      insert into portal.thesaurus (identifier, title, position) values ('gemet', 'GEMET', 1);
      insert into portal.thesaurus (identifier, title, facet) values ('hidden', 'Hidden', false);
      insert into portal.thesaurus_keyword (thesaurus_id, alt_label, labels) values (1, 'Water', '{"de": "Wasser"}'), (1, 'Soil', '{}')`);
    const [made] = await portal().db.query<{ id: number }>(
      `select id from portal.thesaurus_keyword where alt_label = 'Water'`,
    );
    water = made?.id ?? 0;
    await scriptAs(portal(), 'ada', `select portal.set_tkeywords(${await idOf(portal(), 'Rivers')}, '{${water}}')`);
    await scriptAs(
      portal(),
      'bob',
      `select portal.set_tkeywords(${await idOf(portal(), 'Secret mines')}, '{${water}}')`,
    );
  });
  const facet = async (name: string, query = '', client: PortalClient = portal().visitor): Promise<Facet> => {
    const reply = await client.get(`/api/v2/facets/${name}${query === '' ? '' : `?${query}`}`);
    expect(reply.status).toBe(200);
    return bodyOf<Facet>(reply);
  };
  const counts = async (name: string, query = '', client?: PortalClient): Promise<Record<string, number>> =>
    Object.fromEntries((await facet(name, query, client)).topics?.items.map(({ key, count }) => [key, count]) ?? []);

  test('are listed with what they filter by', async () => {
    const { facets } = bodyOf<{ facets: Facet[] }>(await portal().visitor.get('/api/v2/facets/'));
    expect(facets.map(({ name, type, filter }) => [name, type, filter])).toEqual([
      ['resourcetype', 'resourcetypes', 'filter{resource_type.in}'],
      ['category', 'category', 'filter{category.identifier.in}'],
      ['keyword', 'keyword', 'filter{keywords.slug.in}'],
      ['region', 'place', 'filter{regions.code.in}'],
      ['owner', 'user', 'filter{owner.username.in}'],
      ['group', 'group', 'filter{group.in}'],
      ['freshness', 'freshness', 'filter{freshness.in}'],
      ['gemet', 'thesaurus', 'filter{tkeywords}'],
    ]);
    expect(facets[0]).toMatchObject({
      key: 'filter{resource_type.in}',
      label: 'Resource type',
      is_localized: false,
      order: 0,
      link: 'http://localhost/api/v2/facets/resourcetype',
    });
    expect(facets.every(({ topics }) => topics === undefined)).toBe(true);
    const german = bodyOf<{ facets: Facet[] }>(await portal().visitor.get('/api/v2/facets?lang=de'));
    expect(german.facets.map(({ label }) => label)).toContain('Schlagwort');
  });

  test('have their topics with them when asked to', async () => {
    const { facets } = bodyOf<{ facets: Facet[] }>(
      await portal().visitor.get('/api/v2/facets?include_topics=true&include_config=true&page_size=1'),
    );
    for (const { topics } of facets) expect(topics).toMatchObject({ page: 0, page_size: 1, start: 0 });
    expect(facets.find(({ name }) => name === 'category')?.topics).toMatchObject({
      total: 2,
      items: [{ key: 'inlandWaters', label: 'Rivers, lakes, floods, water quality', count: 2, is_localized: false }],
    });
  });

  test('count what the caller sees', async () => {
    expect(await counts('resourcetype')).toEqual({ layer: 2, map: 1, document: 1, geostory: 1, geoapp: 1 });
    expect(await counts('resourcetype', '', portal().as('bob'))).toMatchObject({ layer: 4 });
    expect(await counts('keyword')).toEqual({ water: 2, north: 1 });
    expect(await counts('keyword', '', portal().as('bob'))).toEqual({ water: 2, north: 1, hidden: 1 });
    expect(await counts('owner', '', portal().as('ada'))).toEqual({ ada: 6, bob: 1 });
    expect(await counts('region')).toEqual({ GLO: 1, EUR: 1 });
    expect(await counts('gemet')).toEqual({ [water]: 1 });
    expect(await counts('gemet', '', portal().as('bob'))).toEqual({ [water]: 2 });
  });

  test('are narrowed by the filters of lists, but not by their own', async () => {
    expect(await counts('category', 'filter{resource_type.in}=document')).toEqual({ society: 1 });
    expect(await counts('resourcetype', 'filter{resource_type.in}=document')).toMatchObject({ layer: 2, document: 1 });
    expect(await counts('keyword', 'search=lakes')).toEqual({ water: 1 });
    expect(await counts('category', `filter{tkeywords}=${water}`)).toEqual({ inlandWaters: 1 });
    expect(await counts('gemet', `filter{tkeywords}=${water}&filter{resource_type.in}=map`)).toEqual({});
    expect(await counts('gemet', `filter{tkeywords}=${water}&search=north`)).toEqual({ [water]: 1 });
    expect((await portal().visitor.get('/api/v2/facets/category?filter{nope}=1')).status).toBe(400);
  });

  test('have pages, from 0', async () => {
    const page = async (n: number): Promise<unknown> =>
      (await facet('resourcetype', `page=${n}&page_size=2`)).topics?.items.map(({ key }) => key);
    expect(await page(0)).toEqual(['layer', 'document']);
    expect(await page(2)).toEqual(['map']);
    expect(await page(3)).toEqual([]);
    expect((await facet('resourcetype', 'page=1&page_size=2')).topics).toMatchObject({
      page: 1,
      page_size: 2,
      total: 5,
    });
    expect((await facet('resourcetype', 'page_size=99999')).topics).toMatchObject({ page_size: 1000 });
    for (const query of ['page=-1', 'page=x', 'page_size=0', 'page_size=x', `topic_contains=${'x'.repeat(201)}`])
      expect((await portal().visitor.get(`/api/v2/facets/category?${query}`)).status).toBe(400);
    const keys = Array.from({ length: 101 }, (_, n) => `key=${n}`).join('&');
    expect((await portal().visitor.get(`/api/v2/facets/category?${keys}`)).status).toBe(400);
  });

  test('find topics by a part of their label', async () => {
    expect(await counts('category', 'topic_contains=LAKES')).toEqual({ inlandWaters: 2 });
    expect(await counts('keyword', 'topic_contains=%25')).toEqual({});
    expect((await facet('gemet', 'topic_contains=wass&lang=de-AT')).topics).toMatchObject({
      total: 1,
      items: [{ key: String(water), label: 'Wasser', is_localized: true }],
    });
  });

  test('tell of topics that are asked for by key, even of those without items', async () => {
    expect(await counts('category', 'key=society&key=biota&key=nothing')).toEqual({ society: 1, biota: 0 });
    expect(await counts('resourcetype', 'key=map&filter{title}=Lakes')).toEqual({ map: 0 });
    expect(await counts('owner', 'key=ada&filter{title}=Nothing')).toEqual({ ada: 0 });
    expect(await counts('region', 'key=DEU')).toEqual({ DEU: 0 });
    expect((await facet('gemet', 'key=2')).topics?.items).toEqual([
      { key: '2', label: 'Soil', count: 0, is_localized: false },
    ]);
    // A word that stands only on what the caller does not see is none.
    expect(await counts('keyword', 'key=hidden')).toEqual({});
    expect(await counts('owner', 'key=admin')).toEqual({});
  });

  test('that are none are not found', async () => {
    for (const name of ['nope', 'hidden', 'resource_type', '%00'])
      expect((await portal().visitor.get(`/api/v2/facets/${name}`)).status).toBeGreaterThanOrEqual(400);
    expect((await portal().visitor.get('/api/v2/facets/nope')).status).toBe(404);
  });
});
