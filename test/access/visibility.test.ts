// Who sees an item stands in two places: in the policies of portal.resource, and in portal_private.shown, for functions that run past the policies.
// Here the one is held against the other, for everybody and every item, whatever stands between the two.

import { beforeAll, expect, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { owner, story } from './story.ts';
import { ITEMS, PEOPLE, readWorld, type World, world } from './world.ts';

/** Columns that decide, in ways that the items of the world are not in. */
const OTHER_WAYS = [
  'metadata_only = true',
  'dirty = true',
  'is_approved = false',
  'is_published = false',
  'is_public = not is_public',
  `viewers = '{}'`,
  'private_group = null',
  'owner_id = null',
];
const SWITCHES = ['ADMIN_MODERATE_UPLOADS', 'RESOURCE_PUBLISHING', 'GROUP_PRIVATE_RESOURCES'];

onEachEngine('the policies of items and portal_private.shown', { fixtures: world }, (db) => {
  let here: World;
  let policies: readonly string[];
  beforeAll(async () => {
    here = await readWorld(db());
    const found = await db().query<{ condition: string }>(
      `select pg_get_expr(polqual, polrelid) as condition from pg_policy where polrelid = 'portal.resource'::regclass`,
    );
    policies = found.map(({ condition }) => condition);
  });

  test.each(PEOPLE)('say the same of every item to %s', async (person) => {
    expect(policies).toHaveLength(2);
    const caller = here.person(person);
    let told = 0;
    await story(db(), async ({ rows, tell }) => {
      // Asked by the caller's role, which has no USAGE of portal_private: a function that is made for this, with the caller's rights.
      await rows(
        owner,
        `create function portal.shown_here() returns setof integer language sql stable security definer as
        $$ select r.id from portal.resource r where portal_private.shown(portal_private.who(), r.id, r.owner_id, r.private_group, r.is_public, r.viewers, r.obstacles) $$`,
      );
      await rows(owner, 'grant execute on function portal.shown_here() to public');
      const compare = async (way: string): Promise<void> => {
        const seen = await rows<{ id: number }>(caller, 'select id from portal.resource order by id');
        const shown = await rows<{ id: number }>(caller, 'select s as id from portal.shown_here() s order by 1');
        expect([way, shown.map(({ id }) => id)]).toEqual([way, seen.map(({ id }) => id)]);
        // What searches and tallies take for open is seen by everybody.
        const open = await rows<{ id: number }>(
          owner,
          'select id from portal.resource where is_public and obstacles = 0',
        );
        expect(seen.map(({ id }) => id)).toEqual(expect.arrayContaining(open.map(({ id }) => id)));
        told += 1;
      };
      await compare('as they are');
      for (const way of OTHER_WAYS) {
        await rows(owner, 'savepoint way');
        await tell(owner, `alter table portal.resource disable trigger user`);
        await rows(owner, `update portal.resource set ${way}`);
        await compare(way);
        for (const name of SWITCHES) {
          await rows(owner, `update portal.setting set value = not value where name = '${name}'`);
          await compare(`${way}, ${name}`);
        }
        await rows(owner, 'rollback to way');
      }
    });
    expect(told).toBe(1 + OTHER_WAYS.length * (1 + SWITCHES.length));
    expect(ITEMS.length).toBeGreaterThan(5);
  });
});
