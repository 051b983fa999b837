// A backup of a portal that is in use, put back into an empty place on the other engine: it answers as before, at every address, to everybody.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { BlobStore } from '../../../src/blobs/blob-store.ts';
import { openDiskStore } from '../../../src/blobs/disk.ts';
import type { Result } from '../../../src/kernel/result.ts';
import { noteBlobs } from '../../../src/portal/uploads/noted-blobs.ts';
import type { ArchiveReader } from '../../../src/server/backup/archive.ts';
import { copyFilesFrom } from '../../../src/server/backup/copy-files.ts';
import { loadDatabase } from '../../../src/server/backup/load-database.ts';
import { type MadeBackup, makeBackup, type Writer } from '../../../src/server/backup/make-backup.ts';
import {
  dropOldBackups,
  listBackups,
  openStoredBackup,
  writeStoredBackup,
} from '../../../src/server/backup/store-archive.ts';
import { openTarArchive, writeTarArchive } from '../../../src/server/backup/tar-archive.ts';
import { verifyArchive } from '../../../src/server/backup/verify-archive.ts';
import { makeProgressBar } from '../../../src/server/command-line/progress-bar.ts';
import { environment, runProgram } from '../../blackbox/program.ts';
import { ENGINES, type Engine, openDatabase, type TestDatabase } from '../../testkit/database.ts';
import { PORTAL_SCHEMA } from '../../testkit/portal-schema.ts';
import { type LayerKit, makeLayer, onLayers, openLayerKit, setPerms } from '../mapserver/layer-kit.ts';
import { scriptAs } from '../portal/on-catalogue.ts';
import { fillCatalogue } from '../portal/world.ts';
import { crawl } from './crawl.ts';

const bar = makeProgressBar({ isTTY: false, write: () => {} });
const signal = new AbortController().signal;

onLayers('a backup', {}, (kit) => {
  let folder: string;
  let layer: number;
  const path = (name: string): string => join(folder, name);
  const parts = (now = new Date('2026-01-02T03:04:05Z')) => ({
    driver: kit().db.driver,
    blobs: kit().blobs,
    dataDir: kit().folder,
    bar,
    signal,
    now,
  });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'survest-backup-'));
    await fillCatalogue(kit().portal);
    layer = await makeLayer(kit(), {
      name: 'Städte "x"',
      columns: `name text default 'a''b', n integer[], at timestamptz, b bytea, price numeric(8,2), r double precision, doubled integer generated always as (2 * char_length(name)) stored`,
      geometry: 'Point',
      rows: `insert into $table (name, n, at, b, price, r, geom)
        select e'a\\tb\\\\c\\n' || repeat('x', g % 700), array[g, null], '2024-01-01Z'::timestamptz + g * interval '1 hour', decode('00ff5c', 'hex'), g, 1.0 / g,
               public.st_setsrid(public.st_makepoint(g % 180, g % 80), 4326) from generate_series(1, 700) g;
        comment on table $table is 'Towns; @survest limit rows 100';
        create index "by name" on $table (lower(name))`,
    });
    await makeLayer(kit(), { name: 'secret', geometry: 'Polygon', srid: 25832, rows: 'select 1' });
    const [secret] = await kit().db.query<{ id: number }>(`select id from portal.resource where name = 'secret'`);
    await setPerms(kit(), secret?.id ?? 0, { users: { bob: ['view_resourcebase'] } });
    // A number of our own for a coordinate system, a queue with a job in it, a document with a file.
    await kit().db.script(`select portal.own_srid('LOCAL_CS["here"]');
      insert into portal_private.program_copy (id, host, pid, version, services) values (gen_random_uuid(), 'here', 1, '0', 'all');
      select jobs.create_queue('of a test', '{}'); insert into jobs.job (name, data) values ('of a test', '{"n": 1}')`);
    const form = new FormData();
    form.set('title', 'With a file');
    form.set('doc_file', new Blob(['%PDF-1.4\n', 'x'.repeat(200_000)], { type: 'application/pdf' }), 'a file.pdf');
    const sent = new Response(form);
    const made = await kit()
      .portal.as('ada')
      .request('POST', '/api/v2/documents/', {
        headers: { 'content-type': sent.headers.get('content-type') ?? '' },
        body: new Uint8Array(await sent.arrayBuffer()),
      });
    expect(made).toMatchReply({ status: 201 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe('put back on the other engine', () => {
    let restored: (LayerKit & { close(): Promise<void> }) | undefined;
    let target: TestDatabase | undefined;
    afterAll(async () => {
      await restored?.close();
      await target?.close();
    });

    test('answers the same at every address, to a visitor, to an account and to an administrator', async () => {
      const tiles = [
        `/tiles/${encodeURIComponent('Städte "x"')}/12/2059/2036.pbf`,
        `/api/v2/resources/${layer}/permissions`,
      ];
      const before = await crawl(kit().portal, tiles);
      const made = must(await makeBackup(parts(), must(await writeTarArchive(path('one.tar')))));
      expect(made).toMatchObject({ place: path('one.tar'), manifest: { missingFiles: [], database: { leftOut: [] } } });

      target = await openDatabase(otherThan(kit().db.engine), PORTAL_SCHEMA);
      const archive = must(await openTarArchive(path('one.tar')));
      const files = mkdtempSync(join(folder, 'restored-'));
      must(await copyFilesFrom(archive, await openDiskStore(files), () => {}, signal));
      must(await loadDatabase(target.driver, archive, { isOurs: true, onLoaded: () => {}, signal }));
      await archive.close();
      restored = await openLayerKit(target, { api: api(await openDiskStore(files)) }, kit().portal.ids);

      const after = await crawl(restored.portal, tiles);
      expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
      const different = [...before].filter(([address, answer]) => !isDeepStrictEqual(after.get(address), answer));
      expect(different.map(([address, { body }]) => [address, apart(body, after.get(address)?.body ?? '')])).toEqual(
        [],
      );
      expect(before.size).toBeGreaterThan(100);
      expect([...before.values()].filter(({ status }) => status >= 500)).toEqual([]);
    }, 180_000);

    test('knows nothing of the copies of the program that ran when it was made', async () => {
      const copies = 'select host from portal_private.program_copy';
      expect(await kit().db.query(copies)).toEqual([{ host: 'here' }]);
      expect(await (target ?? unopened()).query(copies)).toEqual([]);
    });

    test('has the same tables with their columns, indexes, policies, triggers, grants and comments', async () => {
      const describe_ = async (db: TestDatabase): Promise<unknown> =>
        db.query(`select c.relname, c.relrowsecurity, c.relforcerowsecurity, obj_description(c.oid, 'pg_class') as about,
            (select json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid)) order by a.attnum)
               from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
            (select json_agg(pg_get_indexdef(i.indexrelid) order by i.indexrelid::regclass::text) from pg_index i where i.indrelid = c.oid) as indexes,
            (select json_agg(json_build_array(p.polname, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid), p.polcmd) order by p.polname) from pg_policy p where p.polrelid = c.oid) as policies,
            (select json_agg(pg_get_triggerdef(t.oid) order by t.tgname) from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as triggers,
            (select json_agg(distinct g.grantee::regrole::text || ' ' || g.privilege_type) from aclexplode(c.relacl) g where g.grantee::regrole::text ~ '^survest_(anon|user|admin)') as grants
          from pg_class c where c.relnamespace = 'layers'::regnamespace and c.relkind = 'r' order by 1`);
      expect(await describe_(target ?? unopened())).toEqual(await describe_(kit().db));
    });

    test('goes on counting where it was, and no version of a layer comes back', async () => {
      const db = target ?? unopened();
      const versions = async (of: TestDatabase): Promise<number> =>
        Number(
          (await of.query<{ n: string }>('select last_value::text as n from portal_private.layer_change_n_seq'))[0]?.n,
        );
      expect(await versions(db)).toBeGreaterThan(1000 + (await versions(kit().db)));
      await scriptAs(
        restored?.portal ?? unopened(),
        'ada',
        `insert into portal.resource (resource_type, title) values ('document', 'A new one')`,
      );
      expect(await db.query('select * from portal.wrong_totals()')).toEqual([]);
      expect(await db.query(`select data from jobs.job where name = 'of a test'`)).toEqual([{ data: { n: 1 } }]);
      expect(await db.query('select srtext from spatial_ref_sys where srid between 960001 and 998999')).toEqual([
        { srtext: 'LOCAL_CS["here"]' },
      ]);
    });
  });

  test('is refused where something is in the way, and leaves it as it was', async () => {
    must(await makeBackup(parts(), must(await writeTarArchive(path('refused.tar')))));
    expect(await writeTarArchive(path('refused.tar'))).toMatchObject({
      error: { message: expect.stringContaining('is there already') },
    });
    const archive = must(await openTarArchive(path('refused.tar')));
    const loaded = await loadDatabase(kit().db.driver, archive, { isOurs: false, onLoaded: () => {}, signal });
    expect(loaded).toMatchObject({ error: { message: expect.stringContaining('the database is not empty') } });
    const files = await openDiskStore(mkdtempSync(join(folder, 'full-')));
    await files.put('documents/aa/somebody', chunks('theirs'));
    expect(await copyFilesFrom(archive, files, () => {}, signal)).toMatchObject({
      error: { message: expect.stringContaining('it has documents/aa/somebody') },
    });
    expect(await isThere(files, 'documents/aa/somebody')).toBe(true);
    await archive.close();
  });

  test('is not put back where the database would keep other rows than the backup has', async () => {
    must(await makeBackup(parts(), must(await writeTarArchive(path('changed-rows.tar')))));
    const archive = must(await openTarArchive(path('changed-rows.tar')));
    const other = await openDatabase(kit().db.engine, PORTAL_SCHEMA);
    try {
      // As the owner of a server might: whatever table is made, no name in it begins with an a.
      await other.script(`
        create function public.censor() returns trigger language plpgsql as $$ begin new.name := ltrim(new.name, 'a'); return new; end $$;
        create function public.censored() returns event_trigger language plpgsql as $$
        declare made regclass;
        begin
          for made in select t.oid from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attname = 'name'
            where t.relnamespace = 'layers'::regnamespace and t.relkind = 'r' and t.relname ~ 'x' and not t.relhastriggers
          loop execute format('create trigger censor before insert on %s for each row execute function public.censor()', made); end loop;
        end $$;
        create event trigger censored on ddl_command_end when tag in ('CREATE TABLE') execute function public.censored()`);
      expect(await loadDatabase(other.driver, archive, { isOurs: true, onLoaded: () => {}, signal })).toEqual({
        ok: false,
        error: { message: 'layers.Städte "x" is not what it was when the backup was made' },
      });
      expect(await other.query(`select from pg_tables where schemaname = 'layers'`)).toEqual([]);
    } finally {
      await archive.close();
      await other.close();
    }
  });

  test('that is cut off, changed or not whole is known for it', async () => {
    must(await makeBackup(parts(), must(await writeTarArchive(path('whole.tar')))));
    const whole = readFileSync(path('whole.tar'));
    writeFileSync(path('cut.tar'), whole.subarray(0, whole.length / 2));
    expect(await openTarArchive(path('cut.tar'))).toMatchObject({ ok: false });
    truncateSync(path('cut.tar'), 0);
    expect(await openTarArchive(path('cut.tar'))).toMatchObject({
      error: { message: expect.stringContaining('is empty') },
    });
    const changed = Buffer.from(whole);
    const at = changed.indexOf('x'.repeat(1000)) + 500;
    changed[at] = 0x79;
    writeFileSync(path('changed.tar'), changed);
    const archive = must(await openTarArchive(path('changed.tar')));
    expect(await verifyArchive(archive, () => {})).toMatchObject({
      error: { message: expect.stringMatching(/^the file documents\/.* is not what it was/) },
    });
    await archive.close();
  });

  test('that is stopped leaves no archive, also where the disk is full', async () => {
    const stopped = new AbortController();
    const writer = must(await writeTarArchive(path('stopped.tar')));
    const stopping: Writer = {
      ...writer,
      async put(...args) {
        stopped.abort();
        return writer.put(...args);
      },
    };
    expect(await makeBackup({ ...parts(), signal: stopped.signal }, stopping)).toMatchObject({ ok: false });
    expect(readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([]);
    if (existsSync('/dev/full')) {
      const full = must(await writeStoredBackup({ store: fullStore(), place: 'a full disk', now: new Date() }));
      expect(await makeBackup(parts(), full)).toMatchObject({
        error: { message: 'a full disk cannot be written: there is no space left on the disk' },
      });
    }
  });

  test('of a later release is refused by restore and by its check alike', async () => {
    const writer = must(await writeTarArchive(path('later.tar')));
    const later = { number: 9999, file: '9999-later.sql', checksum: '0' };
    const written: Writer = {
      ...writer,
      finish: ({ database, ...rest }, onRead) =>
        writer.finish({ ...rest, database: { ...database, migrations: [...database.migrations, later] } }, onRead),
    };
    must(await makeBackup(parts(), written));
    for (const args of [['--check'], []]) {
      const env = environment({ 'data-dir': path('empty') });
      const { code, err: said } = await runProgram(['restore', path('later.tar'), ...args], env);
      expect([code, said]).toEqual([1, expect.stringMatching(/newer than this program: .*9999-later\.sql/)]);
    }
  });

  test('in a folder is written once: what an earlier one has kept is not copied again, and old ones go with what only they had', async () => {
    const place = path('many');
    const store = await openDiskStore(place);
    const make = async (second: number): Promise<MadeBackup & { readonly put: string[] }> => {
      const writer = must(await writeStoredBackup({ store, place, now: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) }));
      const put: string[] = [];
      const counting: Writer = {
        ...writer,
        put(key, ...rest) {
          put.push(key);
          return writer.put(key, ...rest);
        },
      };
      return { ...must(await makeBackup(parts(), counting)), put };
    };
    const first = await make(1);
    expect(first.put.some((key) => key.startsWith('files/'))).toBe(true);
    const second = await make(2);
    expect(second.put.filter((key) => key.startsWith('files/'))).toEqual([]);
    expect(second.put).toEqual([]);
    expect((await listBackups(store)).map(({ name }) => name)).toEqual([
      '2026-01-01T00-00-01Z',
      '2026-01-01T00-00-02Z',
    ]);
    expect(must(await dropOldBackups(store, place, 1))).toEqual(['2026-01-01T00-00-01Z']);
    const newest: ArchiveReader = must(await openStoredBackup(store, place));
    expect(newest.manifest.created).toBe(second.manifest.created);
    must(await verifyArchive(newest, () => {}));
    expect(await openStoredBackup(store, place, '2026-01-01T00-00-01Z')).toMatchObject({
      error: { message: expect.stringContaining('there are 2026-01-01T00-00-02Z') },
    });
    const kept = new Set<string>();
    for await (const { key } of store.list('data/')) kept.add(basename(key, '.gz'));
    const named = second.manifest.database.tables.flatMap((table) => table.chunks.map((chunk) => chunk.sha256));
    expect(kept).toEqual(new Set(named));
  });

  test('has every file that its rows refer to: none is removed while it goes on', async () => {
    const key = 'documents/ab/going';
    const noted = noteBlobs(kit().blobs, kit().callerDb);
    must(await noted.put(key, chunks('soon gone')));
    const writer = must(await writeTarArchive(path('held.tar')));
    const removing: Writer = {
      ...writer,
      async finish(...args) {
        must(await noted.remove(key));
        expect(await isThere(kit().blobs, key)).toBe(true);
        return writer.finish(...args);
      },
    };
    must(await makeBackup(parts(), removing));
    must(await noted.remove(key));
    expect(await isThere(kit().blobs, key)).toBe(false);
  });
});

function api(blobs: BlobStore) {
  return { blobs, enableBulkUpdate: true, enablePatchAll: false, maxDocumentBytes: 1e6, version: 'test' };
}

/** Where there is no other, another database of the same. */
function otherThan(engine: Engine): Engine {
  const engines = inject('engines');
  return ENGINES.find((other) => other !== engine && engines[other].kind === 'ready') ?? engine;
}

function fullStore(): BlobStore {
  return {
    put: async () => ({ ok: false, error: { kind: 'disk', fault: 'no-space' } }),
    open: async (key) => ({ ok: false, error: { kind: 'no-such-blob', key } }),
    remove: async () => ({ ok: true, value: undefined }),
    async *list() {},
  };
}

async function isThere(blobs: BlobStore, key: string): Promise<boolean> {
  const opened = await blobs.open(key);
  if (opened.ok) opened.value.stream.destroy();
  return opened.ok;
}

async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

function must<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** Where two texts begin to differ. */
function apart(a: string, b: string): readonly string[] {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return [a, b].map((text) => text.slice(Math.max(0, at - 60), at + 60));
}

function unopened(): never {
  throw new Error('nothing was put back');
}
