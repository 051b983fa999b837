// Search by words over everything that describes an item: in its language, the best first, with a guess at misspelt words, and never beyond
// what the caller sees.

import { beforeAll, expect, test } from 'vitest';
import { bodyOf, idOf, membersOf, onCatalogue, scriptAs } from './on-catalogue.ts';

const ITEMS = `
  insert into portal.resource (resource_type, title, name, abstract, language, category_id) values
    ('layer', 'Rivers of the north', 'rivers', 'Where they run.', 'eng', null),
    ('layer', 'Settlements', 'settlements', 'Villages along rivers and roads.', 'eng', null),
    ('layer', 'Gebäude', 'gebaeude', 'Die Karten zeigen Häuser.', 'deu', null),
    ('layer', 'Trails', 'trails', 'Ways through the <b>mountains</b>.', 'eng', null),
    ('layer', 'Stations', 'stations', '', 'eng', (select id from portal.category where identifier = 'inlandWaters'));
  select portal.set_keywords(id, '{Glaciology}') from portal.resource where name = 'trails';
  select portal.set_regions(id, array[(select id from portal.region where name = 'Austria')]) from portal.resource where name = 'stations';
  insert into portal.attribute (resource_id, attribute, attribute_label)
    select id, 'flow_rate', 'Discharge' from portal.resource where name = 'stations';
`;
const SECRET = `
  insert into portal.resource (resource_type, title, name, abstract) values ('layer', 'Uranium deposits', 'uranium', 'Rivers nearby.');
  select portal.set_perms(id, '{"users": {}, "groups": {}}') from portal.resource where name = 'uranium';
`;

onCatalogue('search by words', {}, (portal) => {
  beforeAll(async () => {
    await scriptAs(portal(), 'ada', ITEMS);
    await scriptAs(portal(), 'bob', SECRET);
    await portal().db.query('select portal.fill_search()');
  });
  const found = async (words: string, more = ''): Promise<unknown[]> =>
    membersOf(
      await portal().visitor.get(`/api/v2/layers/?search=${encodeURIComponent(words)}${more}`),
      'layers',
      'name',
    );

  test.each([
    ['river', 'in the title before the abstract', ['rivers', 'settlements']],
    ['SETTLE', 'a word that is only begun', ['settlements']],
    ['running', 'another form, in English', ['rivers']],
    ['Haus', 'another form, in German', ['gebaeude']],
    ['Karte zeigt', 'all words, each in its form', ['gebaeude']],
    ['glaciology', 'a keyword', ['trails']],
    ['inland waters', 'the category', ['stations']],
    ['austria', 'a region', ['stations']],
    ['flow_rate', 'the name of an attribute', ['stations']],
    ['discharge', 'the label of an attribute', ['stations']],
    ['Rivrs', 'a misspelt word', ['rivers', 'settlements']],
    ['montains', 'a misspelt word of an abstract', ['trails']],
    ['setlements villages', 'one misspelt word of two', ['settlements']],
    ['illage', 'a part of a word', ['settlements']],
    ['austria villages', 'words that nothing has together', []],
    ['qwxzy', 'a word that is like none', []],
    ["';-- & | !(", 'no words at all', []],
  ])('%s finds %s', async (words, _, names) => {
    expect(await found(words)).toEqual(names);
  });

  test('what was asked for in another order comes in that order, page by page, with the total', async () => {
    expect(await found('river', '&sort[]=-title')).toEqual(['settlements', 'rivers']);
    const second = await portal().visitor.get('/api/v2/layers/?search=river&page=2&page_size=1');
    expect(bodyOf(second)).toMatchObject({ total: 2, page: 2, page_size: 1 });
    expect(membersOf(second, 'layers', 'name')).toEqual(['settlements']);
  });

  test('a page of a search alone is that of a search with a filter that all fulfil: rank, order of equals, total', async () => {
    for (const words of ['river', 'e', 'n', 'rivrs', 'qwxzy', 'inland waters', 'i r']) {
      for (const list of [
        'layers',
        'resources',
        'resources&filter{resource_type.in}=layer&filter{resource_type.in}=map',
      ]) {
        const [name = '', ...types] = list.split('&');
        for (const page of [1, 2, 3, 50]) {
          const path = `/api/v2/${name}/?${[...types, `search=${words}`, 'page_size=2', `page=${page}`].join('&')}`;
          const [quick, plain] = [
            await portal().as('ada').get(path),
            await portal().as('ada').get(`${path}&filter{-title}=none`),
          ];
          expect(bodyOf<{ total?: number }>(quick).total, path).toBe(bodyOf<{ total?: number }>(plain).total);
          expect(bodyOf<Record<string, unknown>>(quick)[name], path).toEqual(
            bodyOf<Record<string, unknown>>(plain)[name],
          );
        }
      }
    }
  });

  test('with fields named, words are looked for in these alone, as they stand', async () => {
    expect(await found('running', '&search_fields=title')).toEqual([]);
    expect(await found('river', '&search_fields=abstract')).toEqual(['settlements']);
  });

  test('what the caller does not see is neither found nor guessed at, and its owner finds both ways', async () => {
    const bob = portal().as('bob');
    for (const words of ['uranium', 'urannium', 'deposits']) {
      expect(await found(words)).toEqual([]);
      const own = await bob.get(`/api/v2/layers/?search=${words}`);
      expect(membersOf(own, 'layers', 'name')).toEqual(['uranium']);
    }
    const id = await idOf(portal(), 'Uranium deposits');
    const matches = `/api/v2/resources/matches/?search=uranium&pk=${id}`;
    expect(bodyOf(await portal().visitor.get(matches))).toEqual({ exact: false, matches: [] });
    expect(bodyOf(await bob.get(matches))).toEqual({
      exact: true,
      matches: [{ pk: String(id), words: ['uranium'], terms: [] }],
    });
  });

  test('tells where the words stand, in text and terms, and whether they were guessed', async () => {
    const [trails, stations] = await Promise.all([idOf(portal(), 'Trails'), idOf(portal(), 'Stations')]);
    const ask = async (query: string): Promise<unknown> =>
      bodyOf(await portal().visitor.get(`/api/v2/resources/matches/?${query}`));
    expect(await ask(`search=mountain&pk=${trails}`)).toEqual({
      exact: true,
      matches: [{ pk: String(trails), words: ['mountains'], terms: [] }],
    });
    expect(await ask(`search=glaciolgy&pk=${trails}`)).toEqual({
      exact: false,
      matches: [{ pk: String(trails), words: [], terms: ['glaciology'] }],
    });
    expect(await ask(`search=austria+discharge&pk=${stations}`)).toMatchObject({
      matches: [{ terms: ['austria', 'discharge'] }],
    });
    expect(await portal().visitor.get('/api/v2/resources/matches/?search=a&pk=x')).toMatchReply({ status: 400 });
  });

  test('what is changed is found by its new words at once', async () => {
    const id = await idOf(portal(), 'Gebäude');
    await scriptAs(portal(), 'ada', `select portal.set_keywords(${id}, '{Denkmäler}')`);
    expect(await found('denkmal')).toEqual(['gebaeude']);
    await scriptAs(portal(), 'ada', `select portal.set_keywords(${id}, '{}')`);
    expect(await found('denkmal')).toEqual([]);
  });

  test('words that no item has any more leave the dictionary', async () => {
    await portal().db.query("update portal_private.search_word set checked = now() - interval '2 days'");
    await portal().db.query('select portal.fill_search()');
    await portal().db.query('select portal.fill_search()');
    const words = await portal().db.query<{ word: string }>(
      "select word from portal_private.search_word where word in ('rivers', 'denkmäler')",
    );
    expect(words).toEqual([{ word: 'rivers' }]);
  });
});
