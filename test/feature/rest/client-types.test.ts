// What `survest types` writes, held against the compiler with the client library, and against the rows that the service answers.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import type { ClientTypes } from '../../../src/rest/client-types/client-types.ts';
import { makeClientTypes } from '../../../src/rest/client-types/make-client-types.ts';
import { writeJsonSchema } from '../../../src/rest/client-types/write-json-schema.ts';
import { writeTypescript } from '../../../src/rest/client-types/write-typescript.ts';
import { loadSchemaCache } from '../../../src/rest/schema-cache/introspect.ts';
import { loadNamedTypes } from '../../../src/rest/schema-cache/named-types.ts';
import { EXPOSED_SCHEMAS, EXTRA_SEARCH_PATH, REST_FIXTURE } from '../../fixtures/rest/fixture.ts';
import { onEachEngine } from '../../testkit/database.ts';
import { useRest } from '../../testkit/use-rest.ts';

const ROOT = join(import.meta.dirname, '../../..');

const USAGE = `
import { PostgrestClient } from '@supabase/postgrest-js';
import type { Database } from './database';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

const api = new PostgrestClient<Database, {}, 'test'>('http://localhost:3000', { schema: 'test' });

export async function right(): Promise<void> {
  const { data: rows } = await api.from('shelves').select('id,label');
  same<typeof rows, { id: number; label: string | null }[] | null>(true);
  const { data: toOne } = await api.from('slots').select('id,shelves(amount)');
  same<typeof toOne, { id: number; shelves: { amount: number } | null }[] | null>(true);
  const { data: toMany } = await api.from('shelves').select('slots(item)');
  same<typeof toMany, { slots: { item: string | null }[] }[] | null>(true);
  const { data: computed } = await api.from('designers').select('computed_videogames(name)');
  same<typeof computed, { computed_videogames: { name: string }[] }[] | null>(true);
  const { data: named } = await api.from('villagers').select('first_name,full_name,words').single();
  same<typeof named extends { full_name: string | null | undefined } | null ? true : false, true>(true);
  const { data: mood } = await api.from('all_types').select('a_mood,some_moods').single();
  same<typeof mood, { a_mood: 'sad' | 'ok' | 'happy' | null; some_moods: ('sad' | 'ok' | 'happy')[] | null } | null>(true);
  const { data: special } = await api.schema('SPECIAL "@/\\\\#~_-').from('names').select('name');
  same<typeof special, { name: string | null }[] | null>(true);
  const { data: stocked } = await api.rpc('stock_up', { shelf: 1 }).select('amount');
  same<typeof stocked, { amount: number }[] | null>(true);
  const { data: one } = await api.rpc('ret_enum', { val: 'ok' });
  same<typeof one, 'sad' | 'ok' | 'happy' | null>(true);
  await api.from('shelves').insert({ id: 1 });
  await api.from('generated_always').insert({ width: 1, height: 2 });
}

export async function wrong(): Promise<void> {
  const { data } = await api.from('shelves').select('nonsense');
  // @ts-expect-error no such column
  data?.[0]?.nonsense.length;
  const { data: all } = await api.from('villagers').select('*').single();
  // @ts-expect-error is there only where it is asked for
  all?.full_name.length;
  // @ts-expect-error nobody writes it
  await api.from('villagers').update({ full_name: 'x' });
  // @ts-expect-error no such table
  api.from('shelfs');
  // @ts-expect-error the key has no default
  await api.from('shelves').insert({ label: 'x' });
  // @ts-expect-error only the database writes it
  await api.from('generated_always').insert({ width: 1, height: 2, area: 2 });
  // @ts-expect-error no such column
  await api.from('shelves').update({ labl: 'x' });
  // @ts-expect-error of another type
  await api.from('shelves').update({ amount: 'x' });
  // @ts-expect-error no such label
  await api.from('all_types').update({ a_mood: 'furious' });
  // @ts-expect-error no such function
  api.rpc('stock_down', { shelf: 1 });
}
`;

/** What the compiler says of the module beside a file that uses it. */
async function complaints(types: ClientTypes): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'survest-types-'));
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'database.ts'), writeTypescript(types));
    writeFileSync(join(folder, 'usage.ts'), USAGE);
    const flags = '--strict --noEmit --skipLibCheck --target es2023 --module preserve --moduleResolution bundler';
    const args = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), '--types', 'node', 'usage.ts'];
    const ran = promisify(execFile)(process.execPath, args, { cwd: folder });
    return await ran.then(
      ({ stdout }) => stdout,
      (failed: { readonly stdout?: string }) => failed.stdout ?? String(failed),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

onEachEngine('types for clients', { fixtures: REST_FIXTURE }, (db) => {
  const rest = useRest(db);
  let types: ClientTypes;

  beforeAll(async () => {
    await db().script(`
      create table test."*/ ""
        end" (id integer primary key, "\`*/'" text);
      comment on table test.shelves is 'no end */ export const x: number = ""; /* of the
        comment */';
      comment on function test.stock_up is '*/';
    `);
    const cache = await loadSchemaCache(db().driver, { schemas: EXPOSED_SCHEMAS, extraSearchPath: EXTRA_SEARCH_PATH });
    const named = await loadNamedTypes(db().driver, EXPOSED_SCHEMAS);
    if (!cache.ok || !named.ok) throw new Error('the schema could not be read');
    types = makeClientTypes(cache.value, named.value);
  });

  test('the client is checked: what is right compiles, and what is wrong does not', { timeout: 60_000 }, async () => {
    expect(await complaints(types)).toBe('');
  });

  test('computed columns are part of a row where they are asked for', async () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema(JSON.parse(writeJsonSchema(types)), 'computed');
    const validate = ajv.getSchema('computed#/$defs/test/$defs/Tables/$defs/villagers');
    const reply = await rest.get('/villagers?select=*,full_name,initials,words,searchable&limit=1');
    const [row] = JSON.parse(String(reply.body)) as readonly Record<string, unknown>[];
    expect([validate?.(row), validate?.errors]).toEqual([true, null]);
    expect(validate?.({ ...row, full_name: 1 })).toBe(false);
    expect(validate?.({ ...row, no_name: 'x' })).toBe(false);
  });

  test('rows of every relation are as the JSON Schema says', async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addSchema(JSON.parse(writeJsonSchema(types)), 'database');
    const described = types.schemas.find(({ name }) => name === 'test');
    const kinds = [
      ['Tables', described?.tables ?? []],
      ['Views', described?.views ?? []],
    ] as const;
    const wrong: unknown[] = [];
    let rows = 0;
    for (const [kind, relations] of kinds) {
      for (const { name, columns } of relations) {
        // The validator passes over a member of this name.
        if (columns.some((column) => column.name === '__proto__')) continue;
        const reply = await rest.get(`/${encodeURIComponent(name)}?limit=20`, { accept: 'application/json' });
        // Some are nobody's to read, some answer in a form of their own.
        if (reply.status !== 200 || !String(reply.body).startsWith('[')) continue;
        const step = encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
        const validate = ajv.getSchema(`database#/$defs/test/$defs/${kind}/$defs/${step}`);
        for (const row of JSON.parse(String(reply.body)) as readonly unknown[]) {
          rows += 1;
          if (validate?.(row) !== true) wrong.push([name, validate?.errors, row]);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(rows).toBeGreaterThan(100);
  });
});
