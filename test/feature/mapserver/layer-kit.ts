// The portal with its map services over a test database, and layers made by SQL as an import makes them: by ada, unless somebody
// else is named, and open to everybody until their permissions are set.
//
//   onLayers('tiles', {}, (kit) => {
//     beforeAll(() => makeLayer(kit(), CITIES));
//     test('…', async () => expect(await kit().portal.visitor.get('/tiles/cities.json')).toMatchReply({ status: 200 }));
//   });

import { type ExecFileOptions, execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { type CallerDb, makeCallerDb } from '../../../src/auth/caller-db.ts';
import type { BlobStore } from '../../../src/blobs/blob-store.ts';
import { openDiskStore } from '../../../src/blobs/disk.ts';
import { compileExpression } from '../../../src/mapserver/compile-expression.ts';
import type { Driver } from '../../../src/pg/driver.ts';
import { makePostgresDriver } from '../../../src/pg/postgres/postgres-driver.ts';
import type { PortalOptions } from '../../../src/portal/portal-app.ts';
import { mountMapServices } from '../../../src/server/portal/mount-map-services.ts';
import { onEachEngine, type SuiteOptions, type TestDatabase } from '../../testkit/database.ts';
import { type GdalProgram, makeGdalPrograms } from '../../testkit/gdal-programs.ts';
import { type AccountName, openPortal, type Portal } from '../../testkit/portal-client.ts';
import { PORTAL_SCHEMA } from '../../testkit/portal-schema.ts';

export type LayerKit = {
  readonly portal: Portal;
  readonly db: TestDatabase;
  readonly blobs: BlobStore;
  /** As the program itself has it. */
  readonly callerDb: CallerDb;
  /** For files; gone at the end. */
  readonly folder: string;
  /** Where a program of the system reaches the portal: `http://127.0.0.1:…`. */
  address(): Promise<string>;
  /** Makes files in the folder, or looks into them, with a program of GDAL's. */
  gdal(program: GdalProgram, args: readonly string[]): Promise<string>;
  /** Runs a program of the machine, as a client; its output. Fails with what it said. */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
};

export type LayerSuite = SuiteOptions & { readonly portal?: Partial<PortalOptions> };

export function onLayers(name: string, options: LayerSuite, suite: (kit: () => LayerKit) => void): void {
  onEachEngine(name, { ...options, fixtures: [...PORTAL_SCHEMA, ...(options.fixtures ?? [])] }, (db) => {
    let kit: (LayerKit & { close(): Promise<void> }) | undefined;
    beforeAll(async () => {
      kit = await openLayerKit(db(), options.portal);
    });
    afterAll(async () => {
      await kit?.close();
    });
    suite(() => {
      if (kit === undefined) throw new Error('the kit is there once the tests run');
      return kit;
    });
  });
}

export async function openLayerKit(
  db: TestDatabase,
  options: Partial<PortalOptions> = {},
  known?: Portal['ids'],
): Promise<LayerKit & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'survest-layers-'));
  const blobs = await openDiskStore(join(folder, 'files'));
  const driver: Driver =
    db.uri === undefined ? db.driver : makePostgresDriver({ uri: asAuthenticator(db.uri), poolSize: 4 });
  const callerDb = makeCallerDb(driver);
  const portal = await openPortal(
    db,
    {
      api: { blobs, enableBulkUpdate: true, enablePatchAll: false, maxDocumentBytes: 1e6, version: 'test' },
      services: mountMapServices({ db: callerDb, blobs }),
      compileExpression,
      ...options,
    },
    known,
  );
  let address: Promise<string> | undefined;
  const programs = makeGdalPrograms(folder);
  return {
    portal,
    db,
    blobs,
    callerDb,
    folder,
    address() {
      address ??= portal.app.listen({ host: '127.0.0.1', port: 0 }).then(() => {
        const { port } = portal.app.server.address() as AddressInfo;
        return `http://127.0.0.1:${port}`;
      });
      return address;
    },
    gdal: programs.run,
    run: (command, args, env = {}) => run(command, args, { cwd: folder, env: { ...process.env, ...env } }),
    async close() {
      programs.close();
      await portal.close();
      if (driver !== db.driver) await driver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const exec = promisify(execFile);

async function run(command: string, args: readonly string[], options: ExecFileOptions): Promise<string> {
  const { stdout } = await exec(command, [...args], { ...options, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 });
  return String(stdout);
}

export type NewLayer = {
  readonly name: string;
  /** The name, unless it is said. */
  readonly title?: string;
  /** Columns besides the key `fid` and the geometry: `'name text, height integer'`. */
  readonly columns?: string;
  /** `'Point'`, `'MultiPolygon'` … */
  readonly geometry: string;
  readonly srid?: number;
  /** Fills the table: `insert into $table (name, geom) values …`. */
  readonly rows: string;
  readonly hasTime?: boolean;
  readonly owner?: AccountName;
  /** The table is partitioned by its key into so many. */
  readonly partitions?: number;
};

/** The id of the layer in the catalogue. Its extent is that of the rows. */
export async function makeLayer({ portal, db }: LayerKit, layer: NewLayer): Promise<number> {
  const {
    name,
    title = name,
    columns = '',
    geometry,
    srid = 4326,
    hasTime = false,
    owner = 'ada',
    partitions = 0,
  } = layer;
  const table = `layers.${quoted(name)}`;
  const parts = Array.from(
    { length: partitions },
    (_, n) =>
      `create table layers.${quoted(`${name}_${n}`)} partition of ${table} for values with (modulus ${partitions}, remainder ${n});`,
  );
  await db.script(`
    set role survest_authenticator;
    create table ${table} (fid integer generated by default as identity primary key${columns === '' ? '' : `, ${columns}`},
      geom public.geometry(${geometry}, ${srid}))${partitions === 0 ? '' : ' partition by hash (fid)'};
    ${parts.join('\n')}
    ${layer.rows.replaceAll('$table', table)};
    create index on ${table} using gist (geom);
    analyze ${table};
    reset role`);
  const claims = JSON.stringify({ sub: String(portal.ids[owner]), role: 'survest_user' });
  await db.script(`
    begin;
    select set_config('test.native', coalesce((select public.st_asewkt(public.st_setsrid(public.st_envelope(public.st_expand(public.st_extent(geom)::public.geometry, 1e-9)), ${srid})) from ${table}), ''), true),
           set_config('test.wgs84', coalesce((select public.st_asewkt(public.st_envelope(public.st_expand(public.st_transform(public.st_setsrid(public.st_extent(geom)::public.geometry, ${srid}), 4326), 1e-9))) from ${table}), ''), true);
    select set_config('role', 'survest_user', true), set_config('request.jwt.claims', '${claims}', true);
    insert into portal.resource (resource_type, title, name, store, store_type, srid, has_time, bbox_polygon, ll_bbox_polygon)
      values ('layer', '${title.replaceAll("'", "''")}', '${name.replaceAll("'", "''")}', 'portal_data', 'dataStore', 'EPSG:${srid}', ${hasTime},
        nullif(current_setting('test.native'), '')::public.geometry, nullif(current_setting('test.wgs84'), '')::public.geometry);
    commit`);
  const [made] = await db.query<{ id: number }>('select max(id) as id from portal.resource');
  const id = made?.id ?? 0;
  await db.script(`
    set role survest_authenticator;
    select portal.protect_layer_table('${table.replaceAll("'", "''")}'::regclass, ${id});
    reset role`);
  return id;
}

/** Sets the permissions of an item in the name of an administrator. */
export async function setPerms({ portal, db }: LayerKit, id: number, spec: unknown): Promise<void> {
  const claims = JSON.stringify({ sub: String(portal.ids.admin), role: 'survest_admin' });
  await db.script(`
    begin;
    select set_config('role', 'survest_admin', true), set_config('request.jwt.claims', '${claims}', true);
    select portal.set_perms(${id}, '${JSON.stringify(spec).replaceAll("'", "''")}');
    commit`);
}

export const OPEN: unknown = {
  groups: { anonymous: ['view_resourcebase', 'download_resourcebase'] },
};

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function asAuthenticator(uri: string): string {
  const url = new URL(uri);
  url.username = 'survest_authenticator';
  url.password = '';
  return url.href;
}
