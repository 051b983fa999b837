// Random transactions of several sessions, several callers, random departures and returns: in the end every listener knows exactly the rows
// that a plain read of its own brings, and has seen nothing on the way that it may not.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { type LiveClient, type LiveOptions, listenTo } from '../../testkit/live-client.ts';
import { onEachWay } from '../../testkit/live-ways.ts';
import { tokenFor } from '../../testkit/rest-client.ts';
import { useRest } from '../../testkit/use-rest.ts';

const OWNERS = ['ada', 'bob', 'eve'];
const ROWS = 40;
const STEPS = 120;

const FIXTURE = `
create schema live;
create table live.owner (name text primary key, open boolean not null default false);
create table live.thing (id integer primary key, owner text not null references live.owner on delete cascade, size integer not null);
create table live.part (thing_id integer references live.thing on delete cascade on update cascade, nr integer, primary key (thing_id, nr));
alter table live.thing enable row level security;
create policy own on live.thing using (
  owner = current_setting('request.jwt.claims', true)::json ->> 'sub' or exists (select 1 from live.owner o where o.name = thing.owner and o.open));
grant usage on schema live to rest_author;
grant select on all tables in schema live to rest_author;
insert into live.owner select unnest('{${OWNERS.join()}}'::text[]);
`;

/** Small and good enough: the same numbers for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomStatement(random: (below: number) => number): string {
  const id = random(ROWS);
  const owner = OWNERS[random(OWNERS.length)];
  switch (random(10)) {
    case 0:
    case 1:
    case 2:
      return `insert into live.thing values (${id}, '${owner}', ${random(100)}) on conflict do nothing`;
    case 3:
      return `update live.thing set size = ${random(100)} where id = ${id}`;
    case 4:
      return `update live.thing set owner = '${owner}' where id between ${id} and ${id + 3}`;
    case 5:
      return `delete from live.thing where id = ${id}`;
    case 6:
      return `update live.thing set id = id + 1000 where id = ${id}; update live.thing set id = id - 1000 where id = ${id + 1000}`;
    case 7:
      return `insert into live.part select ${id}, ${random(5)} where exists (select 1 from live.thing where id = ${id}) on conflict do nothing`;
    case 8:
      return random(6) === 0
        ? `update live.thing set size = size + 1`
        : `delete from live.part where nr = ${random(5)}`;
    default:
      return `update live.owner set open = ${random(2) === 0} where name = '${owner}'`;
  }
}

type Follower = {
  readonly target: string;
  readonly sub: string;
  readonly options: LiveOptions;
  client: LiveClient;
  isAway: boolean;
};

onEachWay('random changes', { fixtures: REST_FIXTURE }, (db, way) => {
  beforeAll(() => db().script(FIXTURE + way.follow(['live.owner', 'live.thing', 'live.part'])));
  const rest = useRest(db, { 'db-schemas': 'live', 'db-aggregates-enabled': 'true', 'live-recheck': '86400' });
  const sessions: pg.Client[] = [];
  beforeAll(async () => {
    if (db().uri === undefined) return;
    for (let i = 0; i < 4; i++) {
      const client = new pg.Client(db().uri);
      await client.connect();
      sessions.push(client);
    }
  });
  afterAll(() => Promise.all(sessions.map((client) => client.end())));

  /** Several transactions are open at a time, and end in any order. A lock that is waited for too long ends one of them. */
  async function change(seed: number, onStep: (step: number) => Promise<void>): Promise<void> {
    const random = randomFrom(seed);
    const inside = new Set<pg.Client>();
    for (let step = 0; step < STEPS; step++) {
      const statement = randomStatement(random);
      const session = sessions[random(Math.max(1, sessions.length))];
      if (session === undefined) {
        const ends = random(5) === 0 ? 'rollback' : 'commit';
        await db()
          .script(`begin; ${statement}; ${ends};`)
          .catch(() => db().script('rollback'));
      } else {
        if (!inside.has(session)) await session.query(`begin; set local lock_timeout = '20ms'`);
        inside.add(session);
        const done = await session.query(statement).then(
          () => true,
          () => false,
        );
        if (!done || random(3) === 0) {
          await session.query(done && random(4) > 0 ? 'commit' : 'rollback');
          inside.delete(session);
        }
      }
      await onStep(step);
    }
    for (const session of inside) await session.query('commit');
  }

  test('of transactions that end in another order than they began are all told', async (context) => {
    const [early, late] = sessions;
    if (early === undefined || late === undefined) return context.skip('it has one session');
    const options = { claims: { role: 'rest_author', sub: 'ada' } };
    const client = await listenTo(rest.client().service, '/thing?id=gte.500', options);
    await early.query(`begin; insert into live.thing values (500, 'ada', 1)`);
    await late.query(`begin; insert into live.thing values (501, 'ada', 1); commit`);
    await client.until(({ rows }) => rows.has('{"id":501}'));
    expect(client.rows.size).toBe(1);
    await early.query('commit');
    await client.until(({ rows }) => rows.has('{"id":500}'));
    await late.query('delete from live.thing where id >= 500');
    await client.until(({ rows }) => rows.size === 0);
    client.close();
  });

  test.each([1, 2, 3])('end in what everybody would read (%i)', async (seed) => {
    const random = randomFrom(seed * 77);
    const followers: Follower[] = [];
    const targets = [
      '/thing?select=id,owner,size',
      '/thing?size=gte.50',
      '/thing?select=id,part(nr)&order=id',
      '/thing?select=owner,size.sum()',
      '/thing?order=size.desc,id&limit=5',
    ];
    for (const [i, target] of targets.entries()) {
      for (const sub of OWNERS.slice(0, i === 0 ? 3 : 2)) {
        const options = { claims: { role: 'rest_author', sub } };
        const client = await listenTo(rest.client().service, target, options);
        followers.push({ target, sub, options, client, isAway: false });
      }
    }
    await change(seed, async () => {
      const one = followers[random(followers.length)];
      if (one === undefined || random(3) > 0) return;
      if (one.isAway) one.client = await listenTo(rest.client().service, one.target, one.options, one.client);
      else {
        one.client.close();
        await one.client.ended();
      }
      one.isAway = !one.isAway;
    });
    for (const one of followers) {
      if (one.isAway) one.client = await listenTo(rest.client().service, one.target, one.options, one.client);
      const authorization = `Bearer ${tokenFor({ role: 'rest_author', sub: one.sub })}`;
      const { body } = await rest.get(one.target, { authorization });
      const expected = (JSON.parse(String(body)) as unknown[]).map((row) => JSON.stringify(row)).sort();
      const known = (): string[] =>
        one.client
          .values()
          .map((row) => JSON.stringify(row))
          .sort();
      await one.client.until(() => JSON.stringify(known()) === JSON.stringify(expected));
      expect(known()).toEqual(expected);
    }
    // Nothing was told twice: each number of an event once, in order.
    for (const { client } of followers) {
      const ids = client.events.flatMap(({ id }) => (id === undefined ? [] : [Number(id.split('-').at(-1))]));
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
      client.close();
    }
  });
});
