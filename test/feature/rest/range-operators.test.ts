// Range operators on columns whose type has none: the client's mistake, on every engine and with PostGIS on the path.

import { describe, expect, test } from 'vitest';
import { REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';

const OPERATORS = ['sl', 'sr', 'nxr', 'nxl', 'adj', 'cs', 'cd', 'ov'];
const VALUES = ['[1,10)', '5', 'x', '{1}', '', '[', '{"a":1}'];

onEachEngine('range operators', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);

  describe.each([
    ['text', '/shops?address='],
    ['a key', '/shops?id='],
    ['a date', '/villagers?born='],
    ['a geometry', '/shops?shop_geom='],
    ['a geography', '/shop_bles?coords='],
    ['text inside JSON', '/villagers?words->>first='],
    ['a vector of words', '/villagers?searchable='],
  ])('on %s', (_, target) => {
    test.each(OPERATORS)('%s is refused or answered, and no fault of the service', async (operator) => {
      for (const value of VALUES) {
        const reply = await rest.get(`${target}${operator}.${encodeURIComponent(value)}`);
        expect([200, 400, 404], `${operator}.${value}: ${reply.status}`).toContain(reply.status);
      }
    });
  });

  test('text has no such operator', async () => {
    expect(await rest.get('/shops?address=sl.x')).toMatchReply({
      status: 404,
      json: expect.objectContaining({ code: '42883' }),
    });
  });

  test('a geometry has, and takes geometries', async () => {
    expect(await rest.get('/shops?shop_geom=sl.SRID=4326;POINT(-71.09 0)&select=id&order=id')).toMatchReply({
      status: 200,
      json: [{ id: 1 }, { id: 2 }],
    });
  });
});
