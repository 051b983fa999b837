// Text is sorted and compared as people do: letters before their case and accents, and the same on every engine and in every database.

import { beforeAll, expect, test } from 'vitest';
import { membersOf, onCatalogue, scriptAs } from './on-catalogue.ts';

const SORTED = [
  'äh',
  'Apfel',
  'Äpfel',
  'banana',
  'Zebra',
  'zoo',
  'Ødegård',
  'Österreich',
  'éclair',
  'Eclair',
  'ÖSTLICH',
];
/** As the root collation of Unicode has them: by letter, then by accent, then small before large. */
const AS_PEOPLE_DO = [
  'äh',
  'Apfel',
  'Äpfel',
  'banana',
  'Eclair',
  'éclair',
  'Ødegård',
  'Österreich',
  'ÖSTLICH',
  'Zebra',
  'zoo',
];

onCatalogue('text', {}, (portal) => {
  beforeAll(async () => {
    await scriptAs(
      portal(),
      'ada',
      `insert into portal.resource (resource_type, title) values ${SORTED.map((title) => `('layer', '${title}')`)}`,
    );
  });
  const titles = async (query: string): Promise<unknown[]> =>
    membersOf(await portal().as('ada').get(`/api/v2/layers?page_size=100&${query}`), 'layers');

  test('is sorted by letters, then accents, then case', async () => {
    expect(await titles('ordering=title')).toEqual(AS_PEOPLE_DO);
    expect(await titles('sort[]=-title')).toEqual([...AS_PEOPLE_DO].reverse());
    // A search finds its rows first and sorts them after that.
    expect(await titles('search=e&ordering=title')).toEqual(AS_PEOPLE_DO.filter((title) => /e/i.test(title)));
  });

  test.each<[string, string[]]>([
    ['filter{title.icontains}=ÖST', ['Österreich', 'ÖSTLICH']],
    ['filter{title.istartswith}=ä', ['äh', 'Äpfel']],
    ['filter{title.iendswith}=ÅRD', ['Ødegård']],
    ['filter{title.iexact}=ÉCLAIR', ['éclair']],
    ['filter{title}=éclair', ['éclair']],
    ['filter{title.in}=éclair&filter{title.in}=Zebra', ['éclair', 'Zebra']],
    ['filter{title.contains}=ÖST', ['ÖSTLICH']],
    ['filter{title.gte}=Zebra', ['Zebra', 'zoo']],
    ['filter{title.lt}=Apfel', ['äh']],
    ['filter{title.range}=b&filter{title.range}=f', ['banana', 'Eclair', 'éclair']],
    ['search=ÖSTER', ['Österreich']],
    ['search=ÉCLAIR&search_fields=^title', ['éclair']],
    ['search=ØDEGÅRD&search_fields=@title', ['Ødegård']],
  ])('%s finds what people would', async (query, found) => {
    expect(await titles(`${query}&ordering=title`)).toEqual(found);
  });

  test('is read in the order of an index, under the rules of who sees what', async () => {
    const claims = JSON.stringify({ sub: String(portal().ids.ada), role: 'survest_user' });
    const executed = await portal().db.driver.execute([
      { text: `select set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true)`, params: [] },
      {
        text: `select set_config('role', 'survest_user', true), set_config('request.jwt.claims', $1, true)`,
        params: [claims],
      },
      {
        text: 'explain select r.id from portal.resource r order by (r.title) collate portal.people, r.id limit 10',
        params: [],
      },
    ]);
    const plan = executed.ok
      ? (executed.value[2]?.rows ?? []).map(([line]) => String(line)).join('\n')
      : executed.error;
    expect(plan).toMatch(/Index (?:Only )?Scan using resource_title_people/);
  });

  test('owners, users and groups are sorted so by themselves', async () => {
    await portal().db.script(`
      insert into portal.user_group (slug, title) values ('zz', 'zebras'), ('oo', 'Österreicher'), ('bb', 'Bees')`);
    const names = membersOf(await portal().as('admin').get('/api/v2/groups?page_size=100'), 'group_profiles');
    expect(names.filter((name) => ['zebras', 'Österreicher', 'Bees'].includes(String(name)))).toEqual([
      'Bees',
      'Österreicher',
      'zebras',
    ]);
  });
});
