// What a request costs the database: a fixed number of statements in one flight, whatever the length of the list.

import { beforeAll, expect, test } from 'vitest';
import { type Caller, VISITOR } from '../../../src/auth/caller.ts';
import { makeCallerDb } from '../../../src/auth/caller-db.ts';
import type { Driver, Flight } from '../../../src/pg/driver.ts';
import { makeKeptRecords } from '../../../src/portal/operations/kept-records.ts';
import { makeApiAlone } from './api-alone.ts';
import { onCatalogue } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

onCatalogue('statements', {}, (portal) => {
  beforeAll(() => fillCatalogue(portal()));

  /** The flights of a request, without who asks: each with the number of its statements, the scope among them. `asked`: how often before. */
  async function flightsOf(url: string, caller: Caller = VISITOR, asked = 1): Promise<number[]> {
    let flights: number[] = [];
    const { driver } = portal().callerDb;
    const counting: Driver = {
      ...driver,
      fly: (flight: Flight, options) => {
        flights.push(flight.length);
        return driver.fly(flight, options);
      },
    };
    const app = await makeApiAlone(makeCallerDb(counting), () => caller, makeKeptRecords());
    for (let times = 0; times <= asked; times += 1) {
      flights = [];
      const reply = await app.inject({ url });
      expect(reply.statusCode).toBe(200);
    }
    await app.close();
    return flights;
  }

  const admin = (): Caller => ({
    kind: 'account',
    id: portal().ids.admin,
    username: 'admin',
    role: 'survest_admin',
    via: 'basic',
  });

  // One of them says who asks.
  const MOST = 3;

  test.each([
    'documents',
    'geoapps',
    'geostories',
    'groups',
    'layers',
    'datasets',
    'maps',
    'resources',
    'uploads',
    'users',
    'owners',
    'categories',
    'keywords',
    'tkeywords',
    'regions',
  ])('a list of %s is one flight of three statements at most, whatever its length', async (name) => {
    const path = `/api/v2/${name}`;
    const [flight = [], ...others] = await Promise.all(
      ['', '?page_size=1', '?page_size=1000', '?page_size=1000&page=1&sort[]=-pk', '?debug=true'].map((query) =>
        flightsOf(`${path}${query}`, admin()),
      ),
    );
    expect(flight).toHaveLength(1);
    expect(flight[0]).toBeLessThanOrEqual(MOST);
    for (const other of others) expect(other).toEqual(flight);
  });

  test.each([
    ['/api/v2/resources', [3]],
    ['/api/v2/resources?page_size=1', [3]],
    ['/api/v2/resources?page_size=1000', [3]],
    ['/api/v2/resources?sideloading=true', [3]],
    ['/api/v2/layers?page_size=1000', [3]],
    ['/api/v2/layers?search=water&filter{keywords.name}=water&extent=0,0,90,90&sort[]=owner.username', [2]],
    ['/api/v2/geostories?include[]=data', [3]],
    ['/api/v2/owners', [3]],
    ['/api/v2/regions?page_size=300', [3]],
    ['/api/v2/resources?filter{title.regex}=a', [3]], // one of them sets the time limit
    ['/api/v2/resources/facets', [2]],
    ['/api/v2/resources/facets?filter{resource_type}=layer&filter{owner.username}=ada&search=water', [3]],
    ['/api/v2/resources/approved', [3]],
    ['/api/v2/users', []],
    ['/api/v2/resources/resource_types', []],
    ['/api/v2/resources/1', [2]],
    ['/api/v2/layers/1/styles', [2]],
    ['/api/v2/maps/3/layers', [2]],
    ['/api/v2/maps/3/local_layers', [3]],
  ])('%s takes %j', async (target, expected) => {
    expect(await flightsOf(target)).toEqual(expected);
  });

  test('records of items that nobody asked for before are one more flight', async () => {
    expect(await flightsOf('/api/v2/resources?page_size=1000', admin(), 0)).toEqual([3, 2]);
  });

  test('a list of the viewer store, too', async () => {
    expect(await flightsOf('/mapviewer/rest/resources?full=true', admin())).toEqual([2]);
    expect(await flightsOf('/mapviewer/rest/users', admin())).toEqual([2]);
  });
});
