// The result of a statement of an administrator as a layer or a table: what it has, who may, and what is refused.

import { expect, test } from 'vitest';
import { mountMapServices } from '../../../src/server/portal/mount-map-services.ts';
import { REFUSED } from '../mapserver/sql-attacks.ts';
import { onUploads, type UploadKit } from './upload-kit.ts';

type Json = Readonly<Record<string, unknown>>;

const PATH = '/ogc/processes/sql/execution';

async function run(kit: UploadKit, statement: string): ReturnType<UploadKit['until']> {
  const reply = await kit.portal.as('admin').post(PATH, { inputs: { statement } });
  if (reply.status !== 201) throw new Error(`${reply.status} ${String(reply.body)}`);
  return kit.until(Number(JSON.parse(String(reply.body)).upload));
}

onUploads(
  'the result of SQL',
  { services: mountMapServices, processLimits: { rows: 100, bytes: 1e6, ms: 60_000 } },
  (kit) => {
    test('with a shape is a layer in degrees, which is its author’s alone and tells of the statement', async () => {
      const statement = `select n, 'No ' || n as "Name of it", n > 1 as "large", date '2024-05-01' + n as day, jsonb_build_object('n', n) as more, array[n, 2] as list,
        st_setsrid(st_makepoint(500000 + n, 5500000, 7), 25832) as place
      from generate_series(1, 3) n -- the end`;
      const { state, resource_id: id, session } = await run(kit(), statement);
      expect([state, session['error_msg']]).toEqual(['PROCESSED', null]);
      const reply = await kit().portal.as('admin').get(`/ogc/collections/${id}/items`);
      const { features } = JSON.parse(String(reply.body)) as {
        readonly features: readonly { readonly geometry: Json; readonly properties: Json }[];
      };
      expect(features).toHaveLength(3);
      expect(features[1]).toMatchObject({
        geometry: { type: 'Point', coordinates: [expect.closeTo(9, 3), expect.closeTo(49.65, 1)] },
        properties: { n: 2, name_of_it: 'No 2', large: true, day: '2024-05-03', more: { n: 2 }, list: [2, 2] },
      });
      for (const other of ['ada', 'bob'] as const)
        expect((await kit().portal.as(other).get(`/ogc/collections/${id}/items`)).status).toBe(404);
      const { lineage } = JSON.parse(
        String((await kit().portal.as('admin').get(`/api/v2/layers/${id}/lineage`)).body),
      ) as { readonly lineage: Json };
      expect(lineage).toMatchObject({ process: 'sql', inputs: { statement }, sources: [] });
      const noted = await kit().db.query(`select 1 from portal_private.audit where detail ->> 'statement' = $1`, [
        statement,
      ]);
      expect(noted).toHaveLength(1);
      // Made again, it is noted again.
      const again = await kit().portal.as('admin').post(`/api/v2/layers/${id}/lineage/refresh`);
      expect(again.status).toBe(201);
      expect(await kit().until(Number(JSON.parse(String(again.body)).upload))).toMatchObject({ state: 'PROCESSED' });
    });

    test('without a shape is a table', async () => {
      const { state, resource_id: id, session } = await run(kit(), `values (1, 'a'), (2, null);\n`);
      expect([state, session['error_msg']]).toEqual(['PROCESSED', null]);
      const { body } = await kit().portal.as('admin').get(`/api/v2/layers/${id}/`);
      const { layer } = JSON.parse(String(body)) as {
        readonly layer: { readonly subtype: string; readonly name: string };
      };
      expect(layer.subtype).toBe('tabular');
      const { body: jobs } = await kit().portal.as('admin').get('/ogc/jobs?limit=1');
      const [job] = (JSON.parse(String(jobs)) as { readonly jobs: readonly { readonly jobID: string }[] }).jobs;
      expect(await kit().portal.as('admin').get(`/ogc/jobs/${job?.jobID}/results`)).toMatchReply({
        status: 200,
        json: { layer: expect.objectContaining({ id, href: expect.stringMatching(`/api/v2/layers/${id}/$`) }) },
      });
      expect(await kit().db.query(`select column1, column2 from layers."${layer.name}" order by 1`)).toEqual([
        { column1: 1, column2: 'a' },
        { column1: 2, column2: null },
      ]);
      expect((await kit().left()).staged).toEqual([]);
    });

    test.each([
      ['select 1 as a, 2 as a', /ambiguous/],
      ['select * from nothing', /does not exist/],
      ['select 1 where false', /no rows/],
      ['insert into portal.setting values (1)', /./],
      ['delete from portal.setting', /A layer is made of the rows of SELECT/],
      ['with a as (delete from portal.setting returning 1) select * from a', /data-modifying|read-only|permission/],
      ['select 1) q; select * from (select 2', /./],
      ...REFUSED,
    ] as const)('%s is refused before it is a job', async (statement, said) => {
      const reply = await kit().portal.as('admin').post(PATH, { inputs: { statement } });
      expect(reply.status).toBe(400);
      expect(String(reply.body)).toMatch(said);
    });

    test('that is too long, or without a coordinate system, ends in words', async () => {
      expect(await run(kit(), 'select n from generate_series(1, 1000) n')).toMatchObject({
        state: 'INVALID',
        session: { error_msg: expect.stringMatching(/^The result would have more than 100 rows/) },
      });
      expect(await run(kit(), 'select st_makepoint(1, 2) as g')).toMatchObject({
        state: 'INVALID',
        session: { error_msg: expect.stringMatching(/SRID/) },
      });
    });

    test('is for administrators, at an address of theirs, and not by a token', async () => {
      const body = { inputs: { statement: 'select 1 as one' } };
      const reply = await kit().portal.as('bob').post(PATH, body);
      expect(reply.status).toBe(400);
      expect(String(reply.body)).toContain('Administrators run SQL.');
      expect((await kit().portal.visitor.post(PATH, body)).status).toBe(401);
      const made = await kit().portal.as('admin').post('/api/v2/access-tokens/', { name: 'x', scope: 'write' });
      expect(made.status).toBe(201);
      const { token } = JSON.parse(String(made.body)) as { readonly token: string };
      const byToken = await kit().portal.bearer(token).post(PATH, body);
      expect([byToken.status, String(byToken.body)]).toEqual([403, expect.stringContaining('A token cannot do this')]);
      // Neither is what was made by one made again by a token.
      const { resource_id: id } = await run(kit(), 'select 1 as one');
      expect((await kit().portal.bearer(token).post(`/api/v2/layers/${id}/lineage/refresh`)).status).toBe(403);
      await kit().db.query('select portal.set_sql_console(false)');
      expect((await kit().portal.as('admin').post(PATH, body)).status).toBe(400);
      await kit().db.query('select portal.set_sql_console(true)');
      expect((await kit().portal.as('admin').post(PATH, body)).status).toBe(201);
    });
  },
);
