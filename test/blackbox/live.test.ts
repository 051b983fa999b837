// Live streams of the built program: followed by its own command, heard by listeners of every worker, and ended with it.

import { get, type IncomingMessage } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import { LiveClient } from '../testkit/live-client.ts';
import { environment, type RunningRest, restSettings, start, startRest, trouble } from './program.ts';

onEachEngine('live streams of the program', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  let program: RunningRest;
  beforeAll(async () => {
    await db().script(`create schema live; create table live.place (id integer primary key, name text not null);
      insert into live.place values (1, 'Mill'); grant usage on schema live to rest_anon; grant select on live.place to rest_anon;`);
    const settings = restSettings(db(), { 'db-schemas': 'live' });
    // The service is not the owner of the table: it writes down what the owner has to run.
    const printed = start(['live', 'install', 'place', '--print'], environment(settings));
    expect([await printed.ended, printed.err()]).toEqual([0, '']);
    await db().script(printed.out());
    program = await startRest({ ...settings, 'server-workers': '2' });
  });

  test('tell listeners of every worker, and end with it', async () => {
    const clients = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          get(`${program.url}/place`, { headers: { accept: 'text/event-stream' }, agent: false }, resolve).on(
            'error',
            reject,
          );
        });
        const client = new LiveClient(response);
        await client.until(({ rows }) => rows.size === 1);
        return client;
      }),
    );
    await db().script(`insert into live.place values (2, 'Inn'); delete from live.place where id = 1`);
    for (const client of clients) {
      await client.until(({ rows }) => rows.size === 1 && rows.has('{"id":2}'));
    }
    // One for each worker at most.
    expect(new Set(clients.map(({ lastEventId }) => lastEventId?.split('-')[0])).size).toBeLessThanOrEqual(2);
    const stopped = program.stop();
    for (const client of clients) {
      await client.ended();
      expect(client.events.at(-1)).toMatchObject({ name: 'end', data: { code: 'SVRST189' } });
    }
    expect(await stopped).toBe(0);
    expect(trouble(program)).toEqual([]);
  });
});
