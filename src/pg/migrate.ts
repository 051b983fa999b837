// A folder of numbered .sql files → the database, each file applied once, in order, in a transaction of its own.
//
// What was applied stands in a table, with a checksum: a file that was changed afterwards is refused by name, for what
// it now says is not what the database has. Several programs may start at once; each file is applied under a lock.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { err, ok, type Result } from '../kernel/result.ts';
import { quoteIdent } from '../sql/index.ts';
import type { DbError, Driver, FlightResult, Session, Statement } from './driver.ts';
import { textRows } from './rows.ts';

export type MigrateOptions = {
  /** Files like `0001-roles.sql`; what does not end in .sql is left alone. */
  readonly folder: string | URL;
  /** Where the applied ones are recorded; made when missing. */
  readonly table: { readonly schema: string; readonly name: string };
  /** Recorded with what it applies, so that an earlier program can say which one it would have to be. */
  readonly program: string;
};

export type MigrateError =
  | { readonly kind: 'database'; readonly file: string | null; readonly error: DbError }
  | { readonly kind: 'unreadable-folder'; readonly folder: string }
  /** The name does not begin with a number, or with one that another file has. */
  | { readonly kind: 'bad-number'; readonly file: string }
  /** `by`: the version of the program that applied it, where it is known. */
  | { readonly kind: 'changed-after-applied'; readonly file: string; readonly by?: string }
  /** The database has been used by a later program. `by`: its version, where it is known; `latest`: of this program. */
  | {
      readonly kind: 'newer-database';
      readonly file: string;
      readonly by: string | undefined;
      readonly latest: string | undefined;
    }
  /** A later one has already been applied. */
  | { readonly kind: 'out-of-order'; readonly file: string }
  /** The file has a COMMIT or ROLLBACK of its own; it may be half applied. */
  | { readonly kind: 'ends-transaction'; readonly file: string };

type Migration = {
  readonly file: string;
  readonly number: number;
  readonly sql: string;
  readonly checksum: string;
};

/** What a file sets for its session would otherwise stay with the connection. */
const RESET = 'reset session authorization; reset all';

/** Returns the names of the files applied by this call. */
export async function migrate(
  driver: Driver,
  options: MigrateOptions,
): Promise<Result<readonly string[], MigrateError>> {
  const migrations = await readMigrations(options.folder);
  if (!migrations.ok) return migrations;
  const held = await driver.hold((session) => applyAll(session, migrations.value, options));
  return held.ok ? held.value : err({ kind: 'database', file: null, error: held.error });
}

/** Names the files that are still to be applied, and applies none. */
export async function missingMigrations(
  driver: Driver,
  options: MigrateOptions,
): Promise<Result<readonly string[], MigrateError>> {
  const migrations = await readMigrations(options.folder);
  if (!migrations.ok) return migrations;
  const record = recordOf(options);
  const held = await driver.hold(async (session): Promise<Result<readonly string[], MigrateError>> => {
    const found = await session.fly([statement('select pg_catalog.to_regclass($1)', record)]);
    if (!found.ok) return err({ kind: 'database', file: null, error: found.error });
    if (textRows(first(found.value))[0]?.[0] === null) return ok(migrations.value.map(({ file }) => file));
    const known = await readApplied(session, migrations.value, record);
    return known.ok
      ? ok(migrations.value.filter(({ number }) => !known.value.has(number)).map(({ file }) => file))
      : known;
  });
  return held.ok ? held.value : err({ kind: 'database', file: null, error: held.error });
}

/**
 * Takes a file that was changed after it was applied for applied as it is now, on the word of somebody who knows that the difference does
 * not matter. False: there is no such file, or it has not been applied.
 */
export async function acceptMigration(
  driver: Driver,
  options: MigrateOptions,
  file: string,
): Promise<Result<boolean, MigrateError>> {
  const read = await readMigrations(options.folder);
  if (!read.ok) return read;
  const accepted = read.value.find((migration) => migration.file === file);
  if (accepted === undefined) return ok(false);
  const text = `update ${recordOf(options)} set checksum = $2 where number = $1 returning number`;
  const noted = await driver.fly([statement(text, String(accepted.number), accepted.checksum)]);
  return noted.ok ? ok(first(noted.value).rows.length > 0) : err({ kind: 'database', file: null, error: noted.error });
}

/** What of these migrations another database has, by number. */
export type AppliedElsewhere = { readonly number: number; readonly file: string; readonly checksum: string };

/**
 * Inside a transaction that the session has open, into a database that has none of them yet or those before `after`: every file from there
 * on, up to the last that the other database had. For restoring: schema and rows come together, or not at all.
 */
export async function migrateWithin(
  session: Session,
  options: MigrateOptions,
  range: { readonly after?: number; readonly elsewhere?: readonly AppliedElsewhere[] },
): Promise<Result<readonly string[], MigrateError>> {
  const read = await readMigrations(options.folder);
  if (!read.ok) return read;
  const { after = -1, elsewhere } = range;
  const record = recordOf(options);
  const misfit = elsewhere === undefined ? undefined : misfitAmong(read.value, elsewhere);
  if (misfit !== undefined) return err(misfit);
  const upTo = elsewhere?.at(-1)?.number ?? Number.POSITIVE_INFINITY;
  const made = await session.fly([
    lock(record),
    ...tableStatements(options.table.schema, record),
    statement(`alter table ${record} add column if not exists program text`),
  ]);
  if (!made.ok) return err({ kind: 'database', file: null, error: made.error });
  const done: string[] = [];
  for (const migration of read.value) {
    if (migration.number <= after || migration.number > upTo) continue;
    const { file } = migration;
    const ran = await session.script(migration.sql);
    if (!ran.ok) return err({ kind: 'database', file, error: ran.error });
    const reset = await session.script(RESET);
    if (!reset.ok) return err({ kind: 'database', file, error: reset.error });
    const noted = await session.fly([note(record, migration, options.program)]);
    if (!noted.ok) return err({ kind: 'database', file, error: noted.error });
    done.push(file);
  }
  return ok(done);
}

/** Whether a database with those migrations can be had by these files; nothing is changed. */
export async function checkMigrations(
  { folder }: MigrateOptions,
  elsewhere: readonly AppliedElsewhere[],
): Promise<Result<void, MigrateError>> {
  const read = await readMigrations(folder);
  if (!read.ok) return read;
  const misfit = misfitAmong(read.value, elsewhere);
  return misfit === undefined ? ok(undefined) : err(misfit);
}

/** Why a database with those migrations cannot be had by these files. */
function misfitAmong(
  migrations: readonly Migration[],
  elsewhere: readonly AppliedElsewhere[],
): MigrateError | undefined {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  const last = elsewhere.at(-1);
  for (const { number, file, checksum } of elsewhere) {
    const ours = known.get(number);
    if (ours === undefined) {
      const latest = migrations.at(-1)?.file;
      return { kind: 'newer-database', file: last?.file ?? file, by: undefined, latest };
    }
    if (ours.checksum !== checksum) return { kind: 'changed-after-applied', file };
  }
  const numbers = new Set(elsewhere.map(({ number }) => number));
  const skipped = migrations.find(({ number }) => number <= (last?.number ?? -1) && !numbers.has(number));
  return skipped === undefined ? undefined : { kind: 'out-of-order', file: skipped.file };
}

async function readMigrations(folder: string | URL): Promise<Result<readonly Migration[], MigrateError>> {
  const path = folder instanceof URL ? fileURLToPath(folder) : folder;
  let names: string[];
  try {
    names = (await readdir(path)).filter((name) => name.endsWith('.sql'));
  } catch {
    return err({ kind: 'unreadable-folder', folder: path });
  }
  const found = new Map<number, Migration>();
  for (const file of names) {
    const number = Number(/^(\d{1,9})[-_.]/.exec(file)?.[1] ?? Number.NaN);
    if (Number.isNaN(number) || found.has(number)) return err({ kind: 'bad-number', file });
    // Line ends are the checkout's business, not a change.
    const sql = (await readFile(join(path, file), 'utf8')).replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
    found.set(number, { file, number, sql, checksum: createHash('sha256').update(sql).digest('hex') });
  }
  return ok([...found.values()].sort((a, b) => a.number - b.number));
}

function recordOf({ table }: MigrateOptions): string {
  return `${quoteIdent(table.schema)}.${quoteIdent(table.name)}`;
}

/** Numbers that were applied; an error where they do not fit these files. */
async function readApplied(
  session: Session,
  migrations: readonly Migration[],
  record: string,
): Promise<Result<ReadonlySet<number>, MigrateError>> {
  const read = await session.fly([
    // The column with the program's version is younger than the table.
    statement(`select number, checksum, file, to_jsonb(m)->>'program' from ${record} m order by number`),
  ]);
  if (!read.ok) return err({ kind: 'database', file: null, error: read.error });
  const rows = textRows(first(read.value));
  const known = new Map(rows.map(([number, checksum]) => [Number(number), checksum]));
  const newest = Math.max(-1, ...known.keys());
  const latest = migrations.at(-1);
  if (newest > (latest?.number ?? -1)) {
    const [, , file, by] = rows.at(-1) ?? [];
    return err({ kind: 'newer-database', file: file ?? '', by: by ?? undefined, latest: latest?.file });
  }
  for (const { file, number, checksum } of migrations) {
    const applied = known.get(number);
    if (applied === undefined && number < newest) return err({ kind: 'out-of-order', file });
    if (applied !== undefined && applied !== checksum) {
      const by = rows.find((row) => Number(row[0]) === number)?.[3];
      return err({ kind: 'changed-after-applied', file, ...(by == null ? {} : { by }) });
    }
  }
  return ok(new Set(known.keys()));
}

async function applyAll(
  session: Session,
  migrations: readonly Migration[],
  options: MigrateOptions,
): Promise<Result<readonly string[], MigrateError>> {
  const record = recordOf(options);
  const made = await ensureTable(session, options.table.schema, record);
  if (!made.ok) return err({ kind: 'database', file: null, error: made.error });
  const known = await readApplied(session, migrations, record);
  if (!known.ok) return known;
  if (migrations.some(({ number }) => !known.value.has(number))) {
    const widened = await addProgram(session, record);
    if (!widened.ok) return err({ kind: 'database', file: null, error: widened.error });
  }
  const done: string[] = [];
  for (const migration of migrations) {
    if (known.value.has(migration.number)) continue;
    const applied = await apply(session, migration, record, options.program);
    if (!applied.ok) return applied;
    if (applied.value === 'applied') done.push(migration.file);
  }
  return ok(done);
}

async function apply(
  session: Session,
  { file, number, sql, checksum }: Migration,
  record: string,
  program: string,
): Promise<Result<'applied' | 'already', MigrateError>> {
  const fail = (error: DbError): Result<never, MigrateError> => err({ kind: 'database', file, error });
  const begun = await session.fly([
    statement('begin'),
    lock(record),
    statement(`select checksum from ${record} where number = $1`, String(number)),
    statement('select pg_current_xact_id()::text'),
  ]);
  if (!begun.ok) return fail(begun.error);
  const [, , earlier, transaction] = begun.value.map(textRows);
  const appliedMeanwhile = earlier?.[0]?.[0];
  if (appliedMeanwhile !== undefined) {
    await session.fly([statement('rollback')]);
    return appliedMeanwhile === checksum ? ok('already') : err({ kind: 'changed-after-applied', file });
  }

  const ran = await session.script(sql);
  if (!ran.ok) return fail(ran.error);
  const after = await session.fly([statement('select pg_current_xact_id_if_assigned()::text')]);
  if (!after.ok) return fail(after.error);
  if (textRows(first(after.value))[0]?.[0] !== transaction?.[0]?.[0]) {
    await session.script('rollback');
    await session.script(RESET);
    return err({ kind: 'ends-transaction', file });
  }
  const committed = await session.fly([
    // The file may have changed role or search path.
    statement('reset session authorization'),
    note(record, { number, file, checksum }, program),
    statement('commit'),
  ]);
  if (!committed.ok) return fail(committed.error);
  const reset = await session.script(RESET);
  return reset.ok ? ok('applied') : fail(reset.error);
}

async function ensureTable(session: Session, schema: string, record: string): Promise<FlightResult> {
  const found = await session.fly([statement('select pg_catalog.to_regclass($1)', record)]);
  // Asked first, for `create schema if not exists` needs the right to create even where there is nothing to do.
  if (!found.ok || textRows(first(found.value))[0]?.[0] !== null) return found;
  return session.fly([statement('begin'), lock(record), ...tableStatements(schema, record), statement('commit')]);
}

function tableStatements(schema: string, record: string): readonly Statement[] {
  return [
    statement(`create schema if not exists ${quoteIdent(schema)}`),
    statement(
      `create table if not exists ${record} (number integer primary key, file text not null, checksum text not null, applied_at timestamptz not null default now())`,
    ),
  ];
}

function note(record: string, { number, file, checksum }: AppliedElsewhere, program: string): Statement {
  return statement(
    `insert into ${record} (number, file, checksum, program) values ($1, $2, $3, $4)`,
    String(number),
    file,
    checksum,
    program,
  );
}

/** Tables of earlier releases do not have it. Asked first: who may not alter the table need not, where it is there. */
async function addProgram(session: Session, record: string): Promise<FlightResult> {
  const text = `select from pg_catalog.pg_attribute where attrelid = $1::pg_catalog.regclass and attname = 'program'`;
  const found = await session.fly([statement(text, record)]);
  if (!found.ok || first(found.value).rows.length > 0) return found;
  return session.fly([lock(record), statement(`alter table ${record} add column if not exists program text`)]);
}

function lock(record: string): Statement {
  return statement('select pg_advisory_xact_lock(hashtextextended($1, 0))', `migrate ${record}`);
}

function statement(text: string, ...params: string[]): Statement {
  return { text, params };
}

function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('a flight of one statement had no result');
  return item;
}
