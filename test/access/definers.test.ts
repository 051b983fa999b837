// Functions that look things up for whole pages with the definer's rights: whatever ids a caller hands them, they tell of what
// the caller sees and of nothing else.

import { beforeAll, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { LETTERS, type Letter, MATRIX } from './matrix.ts';
import { story } from './story.ts';
import { ITEMS, type Item, PEOPLE, type Person, readWorld, type World, world } from './world.ts';

onEachEngine('definer functions', { fixtures: world }, (db) => {
  let here: World;
  beforeAll(async () => {
    here = await readWorld(db());
  });
  const all = (): string => `array[${[...ITEMS.map((item) => here.item(item)), 987654].join(',')}]`;
  const seenBy = (person: Person): Item[] => ITEMS.filter((item) => MATRIX[item][person] !== '');
  const nameOf = (id: number): Item | undefined => ITEMS.find((item) => here.item(item) === id);

  test.each(PEOPLE)('item_parts: %s', async (person) => {
    await story(db(), async ({ rows }) => {
      const parts = await rows<{ id: number; perms: string; words: string }>(
        here.person(person),
        `select p.resource_id as id, array_to_json(p.perms)::text as perms,
                array_to_json(array(select w.name from unnest(p.keywords) w order by 1))::text as words
           from portal.item_parts(${all()}) p`,
      );
      const seen = seenBy(person);
      expect(parts.map(({ id }) => nameOf(id)).sort()).toEqual(seen.toSorted());
      for (const { id, perms, words } of parts) {
        const item = nameOf(id);
        if (item === undefined) throw new Error(`nothing has the id ${id}`);
        expect((JSON.parse(perms) as string[]).sort()).toEqual(
          [...MATRIX[item][person]].map((letter) => LETTERS[letter as Letter]).sort(),
        );
        expect(JSON.parse(words)).toEqual(item === 'bobs' ? [] : ['common', `word of ${item}`]);
      }
    });
  });

  test.each(PEOPLE)('item_stamps: %s', async (person) => {
    await story(db(), async ({ rows }) => {
      const stamps = await rows<{ id: number }>(
        here.person(person),
        `select s.resource_id as id from portal.item_stamps(${all()}) s`,
      );
      expect(stamps.map(({ id }) => nameOf(id)).sort()).toEqual(seenBy(person).toSorted());
    });
  });

  test.each(PEOPLE)('facet_counts: %s', async (person) => {
    await story(db(), async ({ rows }) => {
      const facets = `'{resource_type,category,owner,keywords,regions}'`;
      const columns = 'facet, value, label, items::integer as items, "values"::integer as "values"';
      type Row = { facet: string; label: string; items: number };
      const counts = await rows<Row>(
        here.person(person),
        `select ${columns} from portal.facet_counts(${facets}, ${all()}, 100)`,
      );
      expect(
        await rows<Row>(here.person(person), `select ${columns} from portal.facet_counts_of_all(${facets}, 100)`),
      ).toEqual(counts);
      const of = (facet: string) => counts.filter((row) => row.facet === facet);
      const sum = (facet: string): number => of(facet).reduce((total, { items }) => total + items, 0);
      const seen = seenBy(person);
      const ofAda = seen.filter((item) => item !== 'bobs');
      expect(sum('resource_type')).toBe(seen.length);
      expect(sum('owner')).toBe(seen.length);
      expect(
        of('keywords')
          .map(({ label }) => label)
          .sort(),
      ).toEqual(ofAda.length === 0 ? [] : ['common', ...ofAda.map((item) => `word of ${item}`).sort()]);
      expect(sum('keywords')).toBe(2 * ofAda.length);
      expect(sum('regions')).toBe(2 * ofAda.length);
    });
  });

  test('a private group on a public item is told to its members', async () => {
    await story(db(), async ({ rows, tell }) => {
      await tell(
        { role: 'none', claims: '' },
        'update portal.resource set group_id = $1 where id = $2',
        here.group('vault'),
        here.item('open'),
      );
      const groupFor = async (person: Person): Promise<unknown> =>
        (
          await rows(
            here.person(person),
            `select (p."group").slug as slug from portal.item_parts(array[${here.item('open')}]) p`,
          )
        )[0]?.['slug'];
      expect(await groupFor('vera')).toBe('vault');
      expect(await groupFor('root')).toBe('vault');
      for (const person of ['visitor', 'otto', 'mia'] as const) expect(await groupFor(person)).toBeNull();
    });
  });
});
