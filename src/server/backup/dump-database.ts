// The database into a backup: in one snapshot, table by table with COPY, cut into compressed pieces. The schema is that of the
// program's files, which every release brings along; the tables of layers come with the statements that make them.

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, Session, Statement } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { type ArchiveWriter, chunkKey, type Failed } from './archive.ts';
import { definitionsFault } from './check-manifest.ts';
import { copyOutText } from './copy-text.ts';
import type { Chunk, DatabasePart, SequenceState, TableDefinition, TableRows } from './manifest.ts';
import { inOrderOfReference } from './reference-order.ts';
import {
  DEFINITIONS,
  LEFT_OUT,
  MIGRATIONS,
  OWN_SYSTEMS,
  QUEUES,
  REFERENCES,
  SEQUENCES,
  SERVER,
  STRANGE_TYPES,
  TABLES,
  USED_FILES,
} from './sql/catalogue.ts';
import { AS_OURSELVES, AS_SERVICE, BEGIN_SNAPSHOT, lockTables, sequenceState } from './sql/snapshot.ts';

export type Dumped = { readonly database: DatabasePart; readonly files: readonly string[] };

export type OnDumped = (progress: { readonly table: string; readonly share: number }) => void;

const CHUNK_BYTES = 4 * 1024 * 1024;
/** A third of the time of the usual level, for a tenth more bytes. */
const GZIP_LEVEL = 3;
const LOCKED_AT_ONCE = 200;
/** A table may go between being listed and being locked. */
const ATTEMPTS = 5;

const compress = promisify(gzip);

type Found = {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly where?: string;
  readonly isPartitioned?: true;
  /** Row-level security stands between us and the rows; the service's own role sees all of them. */
  readonly isGuarded: boolean;
  readonly bytes: number;
};

export async function dumpDatabase(
  driver: Driver,
  writer: Pick<ArchiveWriter, 'has' | 'put'>,
  onDumped: OnDumped,
  signal: AbortSignal,
): Promise<Result<Dumped, Failed>> {
  for (let attempt = 1; ; attempt += 1) {
    const held = await driver.hold((session) => dump(driver, session, writer, onDumped), { signal });
    if (!held.ok) return err({ message: said(held.error) });
    if (held.value.ok || !held.value.error.mayPass || attempt >= ATTEMPTS) return held.value;
  }
}

type DumpError = Failed & { readonly mayPass: boolean };

async function dump(
  driver: Driver,
  session: Session,
  writer: Pick<ArchiveWriter, 'has' | 'put'>,
  onDumped: OnDumped,
): Promise<Result<Dumped, DumpError>> {
  const ask = async (text: string): Promise<(string | null)[][]> => {
    const executed = await session.execute([plain(text)]);
    if (!executed.ok) throw new AskFailed(executed.error);
    return executed.value.flatMap(textRows);
  };
  try {
    await session.execute(BEGIN_SNAPSHOT.map(plain));
    const [[server, postgis, postgisSchema, bypasses, hasPortal] = []] = await ask(SERVER);
    if (hasPortal !== 't' || postgis == null || postgisSchema == null)
      return failed('there is no portal in this database: survest migrate makes one');
    const found = await findTables(ask, bypasses === 't', postgisSchema);
    if (!found.ok) return failed(found.error.message);
    for (let i = 0; i < found.value.length; i += LOCKED_AT_ONCE)
      await ask(lockTables(found.value.slice(i, i + LOCKED_AT_ONCE)));
    const strange = (await ask(STRANGE_TYPES)).flatMap(([text]) => text ?? []);
    if (strange.length > 0)
      return failed(`${strange.join('; ')}, which is not the portal's: use pg_dump for this database`);

    const tables: TableRows[] = [];
    const whole = found.value.reduce((sum, { bytes }) => sum + bytes, 0) || 1;
    let done = 0;
    for (const table of found.value) {
      onDumped({ table: `${table.schema}.${table.name}`, share: done / whole });
      const rows = await dumpTable(session, table, writer);
      if (!rows.ok) return failed(rows.error.message);
      tables.push(rows.value);
      done += table.bytes;
    }
    const sequences: SequenceState[] = [];
    for (const [schema, name] of await ask(SEQUENCES)) {
      if (schema == null || name == null) continue;
      const [[value, isCalled] = []] = await ask(sequenceState(schema, name));
      sequences.push({ schema, name, value: value ?? '1', isCalled: isCalled === 't' });
    }
    const database: DatabasePart = {
      engine: driver.engine,
      server: server ?? '',
      postgis,
      postgisSchema,
      migrations: (await ask(MIGRATIONS)).map(([number, file, checksum]) => ({
        number: Number(number),
        file: file ?? '',
        checksum: checksum ?? '',
      })),
      tables,
      definitions: asDefinitions(await ask(DEFINITIONS)),
      sequences,
      queues: (await ask(QUEUES)).flatMap(([name]) => name ?? []),
      leftOut: (await ask(LEFT_OUT)).flatMap(([text]) => text ?? []),
    };
    const fault = definitionsFault(database);
    if (fault !== undefined) return failed(`${fault}: use pg_dump for this database`);
    const files = (await ask(USED_FILES)).flatMap(([key]) => key ?? []);
    return ok({ database, files });
  } catch (cause) {
    if (!(cause instanceof AskFailed)) throw cause;
    const mayPass = cause.error.kind === 'sql' && cause.error.sqlstate === '42P01';
    return err({ message: said(cause.error), mayPass });
  } finally {
    await session.execute([plain('rollback')]);
  }
}

async function findTables(
  ask: (text: string) => Promise<(string | null)[][]>,
  bypasses: boolean,
  postgisSchema: string,
): Promise<Result<readonly Found[], Failed>> {
  const found: Found[] = [];
  for (const [oid, schema, name, kind, columns, , isGuarded, isRestricted, bytes] of await ask(TABLES)) {
    if (oid == null || schema == null || name == null) continue;
    const guarded = isGuarded === 't' && !bypasses;
    if (guarded && (schema !== 'layers' || isRestricted === 't'))
      return err({
        message: `not all rows of ${schema}.${name} can be seen by this account: make the backup as a superuser, or as a role that bypasses row-level security`,
      });
    const names = JSON.parse(columns ?? '[]') as readonly string[];
    found.push({
      oid,
      schema,
      name,
      columns: names,
      ...(kind === 'p' ? { isPartitioned: true } : {}),
      isGuarded: guarded,
      bytes: Number(bytes),
    });
  }
  const references = (await ask(REFERENCES)).flatMap(([from, to]) =>
    from == null || to == null ? [] : [{ from, to }],
  );
  const systems: Found = {
    oid: '0',
    schema: postgisSchema,
    name: 'spatial_ref_sys',
    columns: ['srid', 'auth_name', 'auth_srid', 'srtext', 'proj4text'],
    where: OWN_SYSTEMS,
    isGuarded: false,
    bytes: 0,
  };
  // Coordinate systems first: geometries are checked against them.
  return ok([systems, ...inOrderOfReference(found, references)]);
}

async function dumpTable(
  session: Session,
  { schema, name, columns, where, isPartitioned, isGuarded }: Found,
  writer: Pick<ArchiveWriter, 'has' | 'put'>,
): Promise<Result<TableRows, Failed>> {
  const hash = createHash('sha256');
  const chunks: Chunk[] = [];
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let failure: Failed | undefined;
  const keep = async (): Promise<void> => {
    const bytes = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    chunks.push({ sha256, bytes: bytes.length });
    if (writer.has(chunkKey(sha256))) return;
    const packed = await compress(bytes, { level: GZIP_LEVEL });
    const put = await writer.put(chunkKey(sha256), packed.length, oneChunk(packed));
    if (!put.ok) failure = put.error;
  };
  if (isGuarded) await session.execute(AS_SERVICE.map(plain));
  const table = {
    schema,
    name,
    columns,
    ...(where === undefined ? {} : { where }),
    ...(isPartitioned === undefined ? {} : { isPartitioned }),
  };
  const copied = await session.copyOut(copyOutText(table, isGuarded), async (chunk) => {
    if (failure !== undefined) return;
    hash.update(chunk);
    pending.push(Buffer.from(chunk));
    pendingBytes += chunk.length;
    if (pendingBytes >= CHUNK_BYTES) await keep();
  });
  if (isGuarded) await session.execute(AS_OURSELVES.map(plain));
  if (!copied.ok) return err({ message: `${schema}.${name} could not be read: ${said(copied.error)}` });
  if (pendingBytes > 0) await keep();
  if (failure !== undefined) return err(failure);
  return ok({ ...table, rows: copied.value, sha256: hash.digest('hex'), chunks });
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

type Drafted = { [Part in 'before' | 'after' | 'last']: string[] } & {
  readonly grants: { readonly role: string; readonly sql: string }[];
};

/** In the order of the rows: parents before what is part of them. */
function asDefinitions(rows: readonly (readonly (string | null)[])[]): readonly TableDefinition[] {
  const found = new Map<string, TableDefinition & Drafted>();
  for (const [schema, name, part, sql, role] of rows) {
    if (schema == null || name == null || sql == null) continue;
    const key = `${schema}.${name}`;
    const drafted = found.get(key) ?? { schema, name, before: [], after: [], last: [], grants: [] };
    found.set(key, drafted);
    if (part === 'grant') drafted.grants.push({ role: role ?? '', sql });
    else if (part === 'before' || part === 'after' || part === 'last') drafted[part].push(sql);
  }
  return [...found.values()];
}

class AskFailed extends Error {
  readonly error: DbError;

  constructor(error: DbError) {
    super('the database refused a question');
    this.error = error;
  }
}

function failed(message: string): Result<never, DumpError> {
  return err({ message, mayPass: false });
}

function plain(text: string): Statement {
  return { text, params: [] };
}

function said(error: DbError): string {
  if (error.kind === 'cancelled') return 'stopped';
  return 'message' in error ? error.message : error.kind;
}
