// What a request costs the database: a fixed number of statements in one batch, whatever the length of the list.

import { beforeAll, expect, test } from 'vitest';
import { type Caller, VISITOR } from '../../../src/auth/caller.ts';
import { makeCallerDb } from '../../../src/auth/caller-db.ts';
import type { Batch, Driver } from '../../../src/pg/driver.ts';
import { makeRecordCache } from '../../../src/portal/operations/record-cache.ts';
import { makeApiAlone } from './api-alone.ts';
import { onCatalogue } from './on-catalogue.ts';
import { fillCatalogue } from './world.ts';

onCatalogue('statements', {}, (portal) => {
  beforeAll(() => fillCatalogue(portal()));

  /** The batches of a request, without who asks: each with the number of its statements, the scope among them. `asked`: how often before. */
  async function batchesOf(url: string, caller: Caller = VISITOR, asked = 1): Promise<number[]> {
    let batches: number[] = [];
    const { driver } = portal().callerDb;
    const counting: Driver = {
      ...driver,
      execute: (batch: Batch, options) => {
        batches.push(batch.length);
        return driver.execute(batch, options);
      },
    };
    const app = await makeApiAlone(makeCallerDb(counting), () => caller, makeRecordCache());
    for (let times = 0; times <= asked; times += 1) {
      batches = [];
      const reply = await app.inject({ url });
      expect(reply.statusCode).toBe(200);
    }
    await app.close();
    return batches;
  }

  const admin = (): Caller => ({
    kind: 'account',
    id: portal().ids.admin,
    username: 'admin',
    role: 'survest_admin',
    via: 'basic',
  });

  // One of them says who asks.
  const MAX = 3;

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
  ])('a list of %s is one batch of three statements at most, whatever its length', async (name) => {
    const path = `/api/v2/${name}`;
    const [batch = [], ...others] = await Promise.all(
      ['', '?page_size=1', '?page_size=1000', '?page_size=1000&page=1&sort[]=-pk', '?debug=true'].map((query) =>
        batchesOf(`${path}${query}`, admin()),
      ),
    );
    expect(batch).toHaveLength(1);
    expect(batch[0]).toBeLessThanOrEqual(MAX);
    for (const other of others) expect(other).toEqual(batch);
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
    expect(await batchesOf(target)).toEqual(expected);
  });

  test('records of items that nobody asked for before are one more batch', async () => {
    expect(await batchesOf('/api/v2/resources?page_size=1000', admin(), 0)).toEqual([3, 2]);
  });

  test('a list of the viewer store, too', async () => {
    expect(await batchesOf('/mapviewer/rest/resources?full=true', admin())).toEqual([2]);
    expect(await batchesOf('/mapviewer/rest/users', admin())).toEqual([2]);
  });
});
