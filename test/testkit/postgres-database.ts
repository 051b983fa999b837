// A database of its own for one suite, on PostgreSQL: fixture files → a clone of the template made from them.
// The first suite that asks for a set of fixtures makes the template; everyone after it clones in a fraction of a second.

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { makePostgresDriver } from '../../src/pg/postgres/postgres-driver.ts';
import type { TestDatabase } from './database.ts';

const TEMPLATE_LOCK = 7_355_608; // one number for all test runs on a server

export async function openPostgresDatabase(
  server: { readonly uri: string; readonly prefix: string },
  fixtures: readonly string[],
): Promise<TestDatabase> {
  const name = `${server.prefix}_${randomBytes(6).toString('hex')}`;
  const admin = await connect(server.uri);
  try {
    const template = await ensureTemplate(server, admin, fixtures);
    await admin.query(`create database ${name} template ${template}`);
  } finally {
    await admin.end();
  }

  const uri = withDatabase(server.uri, name);
  const client = await connect(uri);
  const driver = makePostgresDriver({ uri, poolSize: 4 });
  return {
    engine: 'postgres',
    driver,
    uri,
    script: async (sql) => {
      await client.query(sql);
    },
    query: async <T>(sql: string, params: unknown[] = []) => (await client.query(sql, params)).rows as T[],
    close: async () => {
      await driver.close();
      await client.end();
      await dropDatabases(server.uri, name);
    },
  };
}

/** Drops every database whose name begins so: one suite's at its end, all of the run's at the end of the run. */
export async function dropDatabases(serverUri: string, prefix: string): Promise<void> {
  const admin = await connect(serverUri);
  try {
    const found = await admin.query<{ datname: string }>('select datname from pg_database where datname ^@ $1', [
      prefix,
    ]);
    for (const { datname } of found.rows) await admin.query(`drop database if exists ${datname} with (force)`);
  } finally {
    await admin.end();
  }
}

async function ensureTemplate(
  server: { readonly uri: string; readonly prefix: string },
  admin: pg.Client,
  fixtures: readonly string[],
): Promise<string> {
  const scripts = fixtures.map((path) => ({ path, sql: readFileSync(path, 'utf8') }));
  const hash = createHash('sha256').update(JSON.stringify(scripts.map(({ sql }) => sql)));
  const template = `${server.prefix}_t_${hash.digest('hex').slice(0, 16)}`;

  // One template at a time, whichever process asks: roles belong to the whole server, and two fixtures that
  // create the same ones at the same moment would trip over each other.
  await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const made = await admin.query('select 1 from pg_database where datname = $1', [template]);
    if (made.rowCount === 0) {
      // Under a working name until the last fixture is in: what has the final name is complete.
      const draft = `${template}_draft`;
      await admin.query(`drop database if exists ${draft} with (force)`);
      await admin.query(`create database ${draft} template template0`);
      await runScripts(withDatabase(server.uri, draft), scripts);
      await admin.query(`alter database ${draft} rename to ${template}`);
    }
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
  return template;
}

async function runScripts(uri: string, scripts: readonly { path: string; sql: string }[]): Promise<void> {
  const client = await connect(uri);
  try {
    for (const { path, sql } of scripts) {
      await client.query(sql).catch((cause: unknown) => {
        throw new Error(`fixture ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      });
    }
  } finally {
    await client.end();
  }
}

async function connect(uri: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: uri });
  await client.connect();
  return client;
}

function withDatabase(uri: string, name: string): string {
  const changed = new URL(uri);
  changed.pathname = `/${name}`;
  return changed.href;
}
