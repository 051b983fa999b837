// Every table of the program has a bound: it is named in one list, and what is past it is taken away.

import { expect, test } from 'vitest';
import { openJobs } from '../../../src/jobs/open-jobs.ts';
import { TABLE_BOUNDS } from '../../../src/portal/monitoring/table-bounds.ts';
import { onCatalogue } from '../portal/on-catalogue.ts';

onCatalogue('tables', {}, (portal) => {
  const column = async (sql: string): Promise<unknown[]> =>
    (await portal().db.query<Record<string, unknown>>(sql)).flatMap((row) => Object.values(row));

  test('are all in the list of bounds, and the list has no others', async () => {
    const jobs = await openJobs({ driver: portal().db.driver });
    try {
      const listed = TABLE_BOUNDS.flatMap(({ tables }) => tables);
      expect(listed).toEqual([...new Set(listed)]);
      // Partitions are parts of their table. The change log is made where it is wanted.
      const found =
        await column(`select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('portal', 'portal_private', 'staging', 'survest', 'survest_live', 'jobs') and c.relkind in ('r', 'p') and not c.relispartition`);
      const elsewhere = ['survest_live.change'];
      expect([...new Set([...found, ...elsewhere])].sort()).toEqual([...listed].sort());
    } finally {
      await jobs.stop();
    }
  });

  test('of uploads lose those that ended long ago, but for the newest of each layer', async () => {
    await portal()
      .as('ada')
      .post('/api/v2/layers', [{ title: 'Uploaded' }]);
    await portal().db.script(`
      insert into portal.upload (id, name, state, create_date) values
        (9001, 'failed long ago', 'INVALID', now() - interval '100 days'), (9002, 'failed lately', 'INVALID', now() - interval '80 days'),
        (9003, 'replaced', 'PROCESSED', now() - interval '100 days'), (9004, 'newest', 'PROCESSED', now() - interval '95 days'),
        (9005, 'asks', 'WAITING', now() - interval '100 days'), (9006, 'runs', 'RUNNING', now() - interval '100 days');
      insert into portal.upload_file (upload_id, name, blob) values (9001, 'a.csv', 'uploads/aa/a');
      insert into portal.upload_layer select u, id from portal.resource, (values (9003), (9004)) as v(u) where title = 'Uploaded'`);
    expect(await column('select portal.sweep_uploads(90)')).toEqual([3]);
    expect(await column('select id from portal.upload where id > 9000 order by id')).toEqual([9002, 9004, 9006]);
    expect(await column('select count(*)::integer from portal.upload_file where upload_id > 9000')).toEqual([0]);
    expect(await column('select portal.sweep_uploads(90)')).toEqual([0]);
  });
});
