// The program without its optimisations answers what it answers with them, byte for byte but for the time.

import { expect, test } from 'vitest';
import { REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import { type HttpAnswer, restSettings, startRest } from './program.ts';

onEachEngine('the program without shortcuts', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  test('answers as the one with all of them', async () => {
    const usual = await startRest(restSettings(db()));
    const slower = await startRest(restSettings(db(), { 'server-shortcuts': '' }));
    // Twice, so that whatever is kept of the first is used.
    for (const path of ['/items', '/items', '/items?id=eq.1', '/items?id=eq.1', '/nowhere', '/items?id=maybe.1']) {
      const [one, other] = [await usual.get(path), await slower.get(path)];
      expect({ ...shown(other), path }).toEqual({ ...shown(one), path });
    }
    expect(await usual.stop()).toBe(0);
    expect(await slower.stop()).toBe(0);
  });
});

/** The id of a request is its own. */
function shown({ status, headers, text }: HttpAnswer): object {
  const { date: _, 'keep-alive': __, 'x-request-id': id, ...kept } = headers;
  expect(id).toMatch(/^\w+-\d+$/);
  return { status, headers: kept, text };
}
