// The people and items of world.sql by name, for the tables of the tests.

import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '../testkit/database.ts';
import { PORTAL_SCHEMA } from '../testkit/portal-schema.ts';
import { account, admin, type Caller, visitor } from './story.ts';

export const world: readonly string[] = [...PORTAL_SCHEMA, fileURLToPath(new URL('world.sql', import.meta.url))];

export const PEOPLE = [
  'visitor', // no account
  'otto', // in no group
  'carl', // member of rangers
  'mia', // manager of rangers
  'vera', // member of vault, a private group
  'bob', // named in many grants
  'ada', // owner of nearly everything, member of rangers and vault
  'nick', // not a contributor
  'stella', // staff
  'root', // administrator
  'dora', // deactivated, with a token that is still valid
  'ghost', // a token of an account that was deleted
  'foreign', // a token of another issuer
  'fallen', // role survest_admin, but the account is no superuser any more
] as const;
export type Person = (typeof PEOPLE)[number];

export const ITEMS = [
  'open',
  'closed',
  'shared',
  'worked',
  'described',
  'judged',
  'registered',
  'gone',
  'unready',
  'bobs',
] as const;
export type Item = (typeof ITEMS)[number];

export type World = {
  person(name: Person): Caller;
  accountId(username: string): number;
  item(name: Item): number;
  group(slug: string): number;
};

export async function readWorld(db: TestDatabase): Promise<World> {
  const accounts = new Map(
    (await db.query<{ id: number; username: string }>('select id, username from portal.account')).map((a) => [
      a.username,
      a.id,
    ]),
  );
  const items = new Map(
    (await db.query<{ id: number; title: string }>('select id, title from portal.resource')).map((r) => [
      r.title,
      r.id,
    ]),
  );
  const groups = new Map(
    (await db.query<{ id: number; slug: string }>('select id, slug from portal.user_group')).map((g) => [g.slug, g.id]),
  );
  const accountId = (name: string): number => found(accounts, name);
  return {
    accountId,
    item: (name) => found(items, name),
    group: (slug) => found(groups, slug),
    person: (name) => {
      switch (name) {
        case 'visitor':
          return visitor;
        case 'root':
          return admin(accountId('root'));
        case 'fallen':
          return admin(accountId('zoe'));
        case 'ghost':
          return account(999_999);
        case 'foreign':
          return { role: 'survest_user', claims: { sub: 'b0c1a3de-0000-4000-8000-000000000001' } };
        default:
          return account(accountId(name));
      }
    },
  };
}

function found(map: ReadonlyMap<string, number>, name: string): number {
  const id = map.get(name);
  if (id === undefined) throw new Error(`there is no ${name} in this world`);
  return id;
}
