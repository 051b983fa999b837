// A database with objects that cannot be understood does not stop the program: it names them, serves the rest, and hears
// signals as ever.

import { expect, test } from 'vitest';
import { REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import { restSettings, startRest } from './program.ts';

onEachEngine('a program over views in a circle', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  test('serves the rest, names them once, answers for them alone, and stops when told to', async () => {
    await db().script(`
      create view test.shows_itself as table test.items;
      create or replace view test.shows_itself as table test.shows_itself;
      grant select on test.shows_itself to rest_anon;
    `);
    const program = await startRest(restSettings(db()));
    const line = /The schema cache does without the view test\.shows_itself: .+/g;
    expect(program.err().match(line)).toHaveLength(1);
    expect((await program.get('/items')).status).toBe(200);
    // "infinite recursion detected in rules for relation"
    const reply = await program.get('/shows_itself');
    expect(JSON.parse(reply.text)).toMatchObject({ code: '42P17' });

    const before = program.err().length;
    program.child.kill('SIGUSR1');
    await program.told('Schema cache loaded', before);
    expect(program.err().match(line)).toHaveLength(1);
    expect(await program.stop()).toBe(0);
  });
});
