// A backup into an empty database, in one transaction: the tables as the backup had them, its rows, then the changes that
// are newer, functions, policies and triggers. Before it is committed every table is read again and compared with the backup.

import { createHash } from 'node:crypto';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, Param, Session, Statement } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { completePortal, createPortalTables } from '../portal/migrate-portal.ts';
import type { ArchiveReader, Failed } from './archive.ts';
import { copyInText, copyOutText } from './copy-text.ts';
import { makeLineSum } from './line-sum.ts';
import type { SequenceState, TableRows } from './manifest.ts';
import { MIGRATIONS } from './sql/catalogue.ts';
import {
  CREATE_QUEUE,
  DROP_OUR_SCHEMAS,
  EXISTING_TABLES,
  emptyTables,
  FORGET_COPIES,
  forgetRows,
  OUR_SCHEMAS,
  POSTGIS_SCHEMA,
  PREPARE_LOAD,
  ROLES,
  setSequence,
  userTriggers,
} from './sql/snapshot.ts';
import { readTable } from './verify-archive.ts';

type OnLoaded = (progress: { readonly table: string; readonly share: number }) => void;

export type LoadOptions = {
  /** The database was made for this by the caller, and may be made empty. */
  readonly isOurs: boolean;
  readonly onLoaded: OnLoaded;
  readonly signal: AbortSignal;
};

/** Grants to roles that are not here, a sentence each. */
export type Loaded = { readonly notes: readonly string[] };

/** A version of a layer never comes back: what was written after the backup was made may still be in somebody's cache. */
const VERSIONS_LEFT_OUT = 1_000_000n;

export async function loadDatabase(
  driver: Driver,
  archive: ArchiveReader,
  options: LoadOptions,
): Promise<Result<Loaded, Failed>> {
  const held = await driver.hold(
    async (session) => {
      const ask = asking(session);
      try {
        return await load(session, ask, archive, options);
      } catch (cause) {
        if (cause instanceof LoadFailed) return err({ message: cause.message });
        throw cause;
      } finally {
        await session.execute([statement('rollback')]);
      }
    },
    { signal: options.signal },
  );
  return held.ok ? held.value : err({ message: said(held.error) });
}

type Ask = (text: string, ...params: Param[]) => Promise<(string | null)[][]>;

async function load(
  session: Session,
  ask: Ask,
  archive: ArchiveReader,
  { isOurs, onLoaded }: LoadOptions,
): Promise<Result<Loaded, Failed>> {
  const { database } = archive.manifest;
  await ask('begin');
  const schemas = (await ask(OUR_SCHEMAS)).flatMap(([name]) => name ?? []);
  const isThere = isOurs && (await hasMigrations(ask, schemas, archive));
  if (schemas.length > 0 && !isOurs)
    return err({
      message: `the database is not empty (it has the schema ${schemas.join(', ')}): a backup is put back into an empty one`,
    });
  if (!isThere) {
    if (isOurs) await ask(DROP_OUR_SCHEMAS);
    const created = await createPortalTables(session, database.migrations);
    if (!created.ok) return err({ message: created.error.message });
  }
  for (const text of PREPARE_LOAD) await ask(text);
  const [[postgisSchema] = []] = await ask(POSTGIS_SCHEMA);
  if (postgisSchema !== database.postgisSchema)
    return err({
      message: `PostGIS is in the schema ${postgisSchema} here, and was in ${database.postgisSchema}: alter extension postgis set schema brings it there`,
    });

  const existing = (await ask(EXISTING_TABLES)).map(([schema, name]) => ({ schema: schema ?? '', name: name ?? '' }));
  for (const table of existing) await ask(userTriggers(table, 'disable'));
  for (const queue of database.queues) await ask(CREATE_QUEUE, queue);
  await ask(emptyTables(existing));
  for (const { before } of database.definitions) for (const text of before) await ask(text);

  const bytes = database.tables.reduce((sum, { chunks }) => sum + bytesOf(chunks), 0) || 1;
  let done = 0;
  const tell = (table: TableRows): void => {
    onLoaded({ table: `${table.schema}.${table.name}`, share: done / (2 * bytes) });
    done += bytesOf(table.chunks);
  };
  for (const table of database.tables) {
    tell(table);
    const loaded = await loadTable(session, ask, archive, table);
    if (!loaded.ok) return loaded;
  }
  for (const table of database.tables) {
    tell(table);
    const same = await compareTable(session, archive, table);
    if (!same.ok) return same;
  }
  for (const sequence of database.sequences)
    await ask(setSequence(sequence, restoredValue(sequence), sequence.isCalled));
  await ask('set constraints all immediate');
  for (const table of existing) await ask(userTriggers(table, 'enable'));
  // Tables of layers have triggers and policies that ask the portal's functions.
  const rest = await completePortal(session);
  if (!rest.ok) return err({ message: rest.error.message });
  for (const text of PREPARE_LOAD) await ask(text);
  for (const { after } of database.definitions) for (const text of after) await ask(text);
  for (const { last } of database.definitions) for (const text of last) await ask(text);
  const notes = await grant(ask, archive);
  await ask(FORGET_COPIES);
  await ask('commit');
  return ok({ notes });
}

async function hasMigrations(ask: Ask, schemas: readonly string[], archive: ArchiveReader): Promise<boolean> {
  if (!schemas.includes('survest')) return false;
  const here = (await ask(MIGRATIONS)).map(([number, , checksum]) => `${number} ${checksum}`);
  const wanted = archive.manifest.database.migrations.map(({ number, checksum }) => `${number} ${checksum}`);
  return here.join() === wanted.join();
}

async function loadTable(
  session: Session,
  ask: Ask,
  archive: ArchiveReader,
  table: TableRows,
): Promise<Result<void, Failed>> {
  if (table.where !== undefined && table.rows > 0) await ask(forgetRows(table, table.where));
  if (table.rows === 0) return ok(undefined);
  let broken: Failed | undefined;
  const copied = await session
    .copyIn(copyInText(table), async (sink) => {
      const read = await readTable(archive, table, (chunk) => sink.write(chunk));
      if (read.ok) return;
      broken = read.error;
      throw new LoadFailed(read.error.message);
    })
    .catch((cause: unknown) => {
      if (broken !== undefined) throw new LoadFailed(broken.message);
      throw cause;
    });
  if (!copied.ok) return err({ message: `${table.schema}.${table.name} could not be loaded: ${said(copied.error)}` });
  if (copied.value !== table.rows)
    return err({ message: `${table.schema}.${table.name} has ${copied.value} rows, and the backup ${table.rows}` });
  return ok(undefined);
}

/** What is there now is what the backup has, row by row, whatever order the database keeps them in. */
async function compareTable(session: Session, archive: ArchiveReader, table: TableRows): Promise<Result<void, Failed>> {
  const hash = createHash('sha256');
  const text = copyOutText(table, false);
  const copied = await session.copyOut(text, (chunk) => {
    hash.update(chunk);
  });
  if (!copied.ok) return err({ message: `${table.schema}.${table.name} could not be read: ${said(copied.error)}` });
  if (hash.digest('hex') === table.sha256) return ok(undefined);
  const [here, there] = [makeLineSum(), makeLineSum()];
  await session.copyOut(text, (chunk) => here.add(chunk));
  const read = await readTable(archive, table, (chunk) => there.add(chunk));
  if (!read.ok) return read;
  if (copied.value === table.rows && here.sum() === there.sum()) return ok(undefined);
  return err({ message: `${table.schema}.${table.name} is not what it was when the backup was made` });
}

async function grant(ask: Ask, archive: ArchiveReader): Promise<readonly string[]> {
  const roles = new Map<string, boolean>([['public', false]]);
  for (const [name, isOurs] of await ask(ROLES)) roles.set(name ?? '', isOurs === 't');
  const missing = new Set<string>();
  for (const { grants } of archive.manifest.database.definitions) {
    for (const { role, sql } of grants) {
      const isOurs = roles.get(role);
      if (isOurs === undefined) missing.add(role);
      // A table is given away by members of the role; for others it stays their own, and the program runs as them.
      else if (isOurs || !sql.startsWith('alter table')) await ask(sql);
    }
  }
  return [...missing].map((role) => `there is no role ${role} here: what was granted to it is not`);
}

function restoredValue({ schema, name, value }: SequenceState): string {
  const isVersion = schema === 'portal_private' && name === 'layer_change_n_seq';
  return isVersion ? String(BigInt(value) + VERSIONS_LEFT_OUT) : value;
}

function bytesOf(chunks: TableRows['chunks']): number {
  return chunks.reduce((sum, { bytes }) => sum + bytes, 0);
}

class LoadFailed extends Error {}

function asking(session: Session): Ask {
  return async (text, ...params) => {
    const executed = await session.execute([statement(text, ...params)]);
    if (!executed.ok) throw new LoadFailed(`${said(executed.error)} (in: ${text.trim().slice(0, 200)})`);
    return executed.value.flatMap(textRows);
  };
}

function statement(text: string, ...params: Param[]): Statement {
  return { text, params };
}

function said(error: DbError): string {
  if (error.kind === 'cancelled') return 'stopped';
  return 'message' in error ? error.message : error.kind;
}
