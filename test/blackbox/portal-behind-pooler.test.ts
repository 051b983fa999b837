// A portal behind a transaction pooler: a layer that one process publishes is soon served by the REST service of another.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { onEachEngine } from '../testkit/database.ts';
import { missing } from '../testkit/machine.ts';
import { findPgbouncer, type Pooler, startPgbouncer } from '../testkit/pgbouncer.ts';
import { ask, environment, eventually, runProgram, type Settings, start } from './program.ts';

const pgbouncer = findPgbouncer();
const { postgres } = inject('engines');
const absent = process.env['CI'] === undefined ? missing('pgbouncer') : undefined;

const TOWNS = JSON.stringify({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', properties: { name: 'Ulm' }, geometry: { type: 'Point', coordinates: [10, 48.4] } }],
});

onEachEngine(
  'a portal behind a transaction pooler',
  { engines: ['postgres'], ...(absent !== undefined && { skip: { postgres: absent } }) },
  (db) => {
    let pooler: Pooler;
    let folder: string;
    beforeAll(async () => {
      if (pgbouncer === undefined || postgres.kind === 'absent') throw new Error('the tests of CI need PgBouncer');
      pooler = await startPgbouncer(pgbouncer, new URL(postgres.uri), ['postgres']);
      folder = mkdtempSync(join(tmpdir(), 'survest-pooled-'));
      writeFileSync(join(folder, 'towns.geojson'), TOWNS);
    });
    afterAll(async () => {
      await pooler.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    test.each([{ listens: 'true' }, { listens: 'false' }])(
      'serves a layer that another process published, with db-channel-enabled = $listens',
      async ({ listens }) => {
        const settings: Settings = {
          'db-uri': pooler.uri(db().uri ?? ''),
          'db-prepared-statements': 'false',
          'db-channel-enabled': listens,
          'data-dir': folder,
          'admin-password': 'correct horse',
          'portal-host': '127.0.0.1',
          'portal-port': '0',
          'server-host': '127.0.0.1',
          'server-port': '0',
        };
        const program = start([], environment(settings));
        await program.told('REST service listens on');
        await program.told('Schema cache loaded');
        const url = /REST service listens on ([^\s"]+)/.exec(program.err())?.[1] ?? '';
        const imported = await runProgram(
          ['import', 'towns.geojson', '--title', `Towns ${listens}`],
          environment(settings),
          folder,
        );
        expect(imported).toMatchObject({ code: 0, err: expect.any(String) });
        const [layer] = await db().query<{ name: string }>(
          `select relname as name from pg_class where relnamespace = 'layers'::regnamespace and relkind = 'r' order by oid desc limit 1`,
        );
        // Private: who is nobody is refused by the database. Not known to the service at all would be a 404.
        await eventually(
          () => ask(url, `/${layer?.name}`),
          ({ status }) => [200, 401, 403].includes(status),
        );
        expect(program.err()).toContain('do not arrive');
        expect(await program.stop()).toBe(0);
      },
    );
  },
);
