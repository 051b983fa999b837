// `survest types` as people run it: to standard output, into a file, and beside a schema that changes.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REST_FIXTURE } from '../fixtures/rest/fixture.ts';
import { onEachEngine } from '../testkit/database.ts';
import { environment, restSettings, runProgram, start } from './program.ts';

onEachEngine('survest types', { fixtures: REST_FIXTURE, engines: ['postgres'] }, (db) => {
  let folder: string;
  let env: Record<string, string>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'survest-types-'));
    env = environment(restSettings(db()));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('writes to standard output the schemas that are asked for', async () => {
    const ran = await runProgram(['types', '--format', 'json-schema', '--schema', 'v1', '--schema', 'v2'], env);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(Object.keys(JSON.parse(ran.out).$defs)).toEqual(['v1', 'v2']);
  });

  test('writes the schema of a tenant where it is named, and the dump of the cache has it', async () => {
    await db().script('create schema tenant_x; create table tenant_x.bill (id int primary key)');
    const tenants = { ...env, SVRST_DB_TENANT_SCHEMAS: 'tenant_*', SVRST_DB_SCHEMA_CLAIM: '.tenant' };
    const ran = await runProgram(['types', '--format', 'json-schema', '--schema', 'tenant_x'], tenants);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(Object.keys(JSON.parse(ran.out).$defs['tenant_x'].$defs.Tables.$defs)).toEqual(['bill']);
    expect((await runProgram(['rest', '--dump-schema'], tenants)).out).toContain('"tenant_x"');
  });

  test('refuses a schema that is not exposed, and says which are', async () => {
    const ran = await runProgram(['types', '--schema', 'private'], env);
    expect(ran).toMatchObject({ code: 1, out: '' });
    expect(ran.err).toContain('the schema "private" is not exposed; db-schemas names "test", "v1"');
  });

  test('follows the schema, leaves an unchanged file alone, and ends when told to', async () => {
    const path = join(folder, 'database.types.ts');
    const program = start(['types', '--output', path, '--watch'], env);
    await program.told('is written');
    const before = statSync(path);
    expect(readFileSync(path, 'utf8')).not.toContain('late_comer');
    let heard = program.err().length;
    await db().script("notify pgrst, 'reload schema'");
    await program.told('is as it was', heard);
    expect(statSync(path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    heard = program.err().length;
    await db().script("create table test.late_comer (id int primary key); notify pgrst, 'reload schema'");
    await program.told('is written', heard);
    expect(readFileSync(path, 'utf8')).toContain('late_comer: {');
    expect(await program.stop()).toBe(0);
    expect(readdirSync(folder)).toEqual(['database.types.ts']);
  });
});
