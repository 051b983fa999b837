// A folder of SQL files (schema-files.ts) → the database, as the files describe it.
//
// An empty database gets the tables and everything else; one that has rows gets the changes it lacks, and then the files of functions, views,
// policies and triggers that differ from what was applied. All of it is one transaction: a database is at one version or at another. What a file
// made and no file makes any more is dropped; what others have put into the same schemas stays. Several programs may start at once: one of them
// applies, the others wait and find nothing to do.

import { setTimeout as pause } from 'node:timers/promises';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Driver, Session, Statement } from '../driver.ts';
import { textRows } from '../rows.ts';
import { isLaterVersion } from './later-version.ts';
import { type Change, readSchemaFiles, type SchemaFault, type SchemaFile, type SchemaFiles } from './schema-files.ts';
import {
  BEGIN_APPLYING,
  closeFunctions,
  createRecord,
  dropObjects,
  findRecord,
  forgetFile,
  grantsOn,
  lastCommand,
  lockRecord,
  madeNow,
  noteChange,
  noteFile,
  noteObjects,
  presentObjects,
  type RecordTables,
  readChanges,
  readFiles,
  readObjects,
  recordTables,
  STILL_APPLYING,
  statement,
  undoObjects,
} from './schema-sql.ts';
import { type FormerForm, parseFormerForm, takeOver } from './take-over.ts';

export type SchemaOptions = {
  readonly folder: string | URL;
  /** The folders of it, in the order in which they are applied. */
  readonly rooms: readonly string[];
  /** Files that others use as well, by the file of a room that they are the beginning of. */
  readonly beginnings?: Readonly<Record<string, string | URL>>;
  /** Schemas of the database whose functions, views, policies and triggers the files may make. */
  readonly schemas: readonly string[];
  /** The schema of the three tables that say what was applied; made when missing. */
  readonly record: string;
  /** Recorded with what it applies, so that an earlier program can say which one it would have to be. */
  readonly program: string;
  /** The number of the first form of the tables; changes have higher ones. */
  readonly baseline: number;
  /** Databases made in another way are taken over, if they are as this text says (take-over.ts). */
  readonly formerForm?: string | URL;
};

export type SchemaError =
  | SchemaFault
  | { readonly kind: 'database'; readonly file: string | null; readonly error: DbError }
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
  /** Made in the former way, and not at its last step. */
  | { readonly kind: 'before-baseline'; readonly file: string; readonly last: string }
  /** Made in the former way, and not as that makes it. */
  | { readonly kind: 'unlike-baseline'; readonly lacks: readonly string[] };

/** What of these changes another database has, by number. */
export type AppliedElsewhere = { readonly number: number; readonly file: string; readonly checksum: string };

type Applied = AppliedElsewhere & { readonly program: string | undefined };

/** What the database says of itself. */
type Standing =
  | { readonly kind: 'empty' }
  | { readonly kind: 'former'; readonly applied: readonly Applied[] }
  | {
      readonly kind: 'known';
      readonly applied: readonly Applied[];
      readonly files: ReadonlyMap<string, { readonly checksum: string; readonly program: string }>;
    };

type Work = {
  readonly changes: readonly Change[];
  readonly files: readonly SchemaFile[];
  readonly gone: readonly string[];
};

type Schema = SchemaFiles & {
  readonly options: SchemaOptions;
  readonly record: RecordTables;
  readonly former: FormerForm | undefined;
};

/** Long enough for a request to end, and short of the second after which PostgreSQL looks for deadlocks: then we give way, and nobody fails for us. */
const LOCK_TIMEOUT_MS = 800;
const LOCK_ATTEMPTS = 150;
const LOCK_PAUSE_MS = 200;
const GIVES_WAY: ReadonlySet<string> = new Set(['55P03', '40P01']);

/** Returns the names of the files that were applied. */
export async function applySchema(
  driver: Driver,
  options: SchemaOptions,
): Promise<Result<readonly string[], SchemaError>> {
  const schema = await readSchema(options);
  if (!schema.ok) return schema;
  for (let attempt = 1; ; attempt += 1) {
    const held = await driver.hold((session) => bringHere(session, schema.value));
    const applied = held.ok ? held.value : err(failed(null, held.error));
    if (applied.ok || attempt >= LOCK_ATTEMPTS || !isInTheWay(applied.error)) return applied;
    await pause(LOCK_PAUSE_MS * (0.5 + Math.random()));
  }
}

/** Names the files that are still to be applied, and applies none. */
export async function missingInSchema(
  driver: Driver,
  options: SchemaOptions,
): Promise<Result<readonly string[], SchemaError>> {
  const schema = await readSchema(options);
  if (!schema.ok) return schema;
  const held = await driver.hold(async (session) => {
    const work = await caught(async () => workFor(schema.value, await standingOf(session, schema.value)));
    return work.ok ? ok(namesOf(work.value)) : work;
  });
  return held.ok ? held.value : err(failed(null, held.error));
}

/**
 * Takes a change whose file was changed after it was applied for applied as it is now, on the word of somebody who knows that the difference does
 * not matter. False: there is no such change, or it has not been applied.
 */
export async function acceptChange(
  driver: Driver,
  options: SchemaOptions,
  file: string,
): Promise<Result<boolean, SchemaError>> {
  const schema = await readSchema(options);
  if (!schema.ok) return schema;
  const accepted = schema.value.changes.find((change) => change.file === file);
  if (accepted === undefined) return ok(false);
  const text = `update ${schema.value.record.changes} set checksum = $2 where number = $1 returning number`;
  const noted = await driver.execute([statement(text, String(accepted.number), accepted.checksum)]);
  return noted.ok ? ok(noted.value.flatMap(textRows).length > 0) : err(failed(null, noted.error));
}

/** Whether the rows of a database with those changes can be had by these files; nothing is changed. */
export async function checkElsewhere(
  options: SchemaOptions,
  elsewhere: readonly AppliedElsewhere[],
): Promise<Result<void, SchemaError>> {
  const schema = await readSchema(options);
  if (!schema.ok) return schema;
  const known = await caught(async () => void appliedOf(schema.value, elsewhere));
  return known.ok ? ok(undefined) : known;
}

/**
 * Inside a transaction that the session has open, into a database that has none of it: the tables as another database with those changes had
 * them. For restoring: its rows go into them, and `completeWithin` does the rest. Nothing in a file decides whether rows may come in.
 */
export async function createTablesWithin(
  session: Session,
  options: SchemaOptions,
  elsewhere: readonly AppliedElsewhere[],
): Promise<Result<void, SchemaError>> {
  const schema = await readSchema(options);
  if (!schema.ok) return schema;
  return caught(async () => {
    const numbers = new Set(appliedOf(schema.value, elsewhere).map(({ number }) => number));
    const { changes, baseline, tables, record } = schema.value;
    const isLatest = changes.every(({ number }) => numbers.has(number));
    await ask(session, lockRecord(record));
    await run(session, null, `${createRecord(record)} ${BEGIN_APPLYING}`);
    for (const { file, sql } of tables) await run(session, file, sql);
    if (!isLatest && baseline !== undefined) await run(session, baseline.file, baseline.sql);
    await noteTables(session, schema.value, isLatest ? changes : []);
    if (!isLatest)
      for (const change of changes) if (numbers.has(change.number)) await applyChange(session, schema.value, change);
  });
}

/** Inside the session's transaction, behind `createTablesWithin` and the rows: everything that is missing. */
export async function completeWithin(
  session: Session,
  options: SchemaOptions,
): Promise<Result<readonly string[], SchemaError>> {
  const schema = await readSchema(options);
  if (!schema.ok) return schema;
  return caught(async () => {
    await run(session, null, BEGIN_APPLYING);
    const work = workFor(schema.value, await standingOf(session, schema.value));
    await applyWork(session, schema.value, work);
    return namesOf(work);
  });
}

/** All of it as one script for an empty database; for tests, which make many. */
export async function schemaScript(options: SchemaOptions): Promise<Result<string, SchemaError>> {
  const schema = await readSchema(options);
  if (!schema.ok) return schema;
  const { record, tables, repeated, changes } = schema.value;
  const { program, schemas, baseline } = options;
  return ok(
    [
      'begin;',
      createRecord(record),
      BEGIN_APPLYING,
      ...tables.map(({ sql }) => `${sql};`),
      noteChange(record, baseline, baselineName(options), '', program),
      ...changes.map(({ number, file, checksum }) => noteChange(record, number, file, checksum, program)),
      ...repeated.flatMap(({ file, sql, checksum }) => [
        `${sql};`,
        noteFile(record, file, checksum, program),
        noteObjects(record, file, schemas, -1),
      ]),
      closeFunctions(record),
      'commit;',
    ].join('\n'),
  );
}

async function readSchema(options: SchemaOptions): Promise<Result<Schema, SchemaError>> {
  const files = await readSchemaFiles(options.folder, options.rooms, options.beginnings);
  if (!files.ok) return files;
  const former = options.formerForm === undefined ? undefined : await parseFormerForm(options.formerForm);
  return ok({ ...files.value, options, record: recordTables(options.record), former });
}

async function bringHere(session: Session, schema: Schema): Promise<Result<readonly string[], SchemaError>> {
  // Asked before the transaction: who may not write here need not, where there is nothing to do.
  const seen = await caught(async () => workFor(schema, await standingOf(session, schema)));
  if (!seen.ok) return seen;
  if (isNothing(seen.value)) return ok([]);
  const done = await caught(async () => {
    await ask(session, statement('begin'), lockRecord(schema.record));
    await run(session, null, BEGIN_APPLYING);
    const standing = await standingOf(session, schema);
    const work = workFor(schema, standing);
    if (standing.kind === 'empty') await createTables(session, schema);
    else await run(session, null, `set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    if (standing.kind === 'former' && schema.former !== undefined) await takeOverHere(session, schema, schema.former);
    await applyWork(session, schema, work);
    await ask(session, statement('commit'));
    return namesOf(work);
  });
  if (!done.ok) await session.execute([statement('rollback')]);
  return done;
}

async function createTables(session: Session, schema: Schema): Promise<void> {
  await run(session, null, createRecord(schema.record));
  for (const { file, sql } of schema.tables) await run(session, file, sql);
  await noteTables(session, schema, schema.changes);
}

async function noteTables(session: Session, schema: Schema, changes: readonly Change[]): Promise<void> {
  const { record, options } = schema;
  const { baseline, program } = options;
  const notes = changes.map(({ number, file, checksum }) => noteChange(record, number, file, checksum, program));
  await run(session, null, [noteChange(record, baseline, baselineName(options), '', program), ...notes].join('\n'));
}

async function takeOverHere(session: Session, schema: Schema, former: FormerForm): Promise<void> {
  const { record, options } = schema;
  await run(session, null, createRecord(record));
  const lacks = await takeOver(session, former, { ...options, record }, { ask, run });
  if (lacks.length > 0) throw new SchemaFailed({ kind: 'unlike-baseline', lacks });
  await noteTables(session, schema, []);
}

async function standingOf(session: Session, schema: Schema): Promise<Standing> {
  const { record } = schema;
  const [tables = []] = await ask(session, findRecord(record));
  if (tables[0] !== 't') return { kind: 'empty' };
  const applied = (await ask(session, readChanges(record))).map(([number, checksum, file, program]) => ({
    number: Number(number),
    checksum: checksum ?? '',
    file: file ?? '',
    program: program ?? undefined,
  }));
  if (tables[1] !== 't') return { kind: 'former', applied };
  const files = await ask(session, readFiles(record));
  return {
    kind: 'known',
    applied,
    files: new Map(
      files.map(([file, checksum, program]) => [file ?? '', { checksum: checksum ?? '', program: program ?? '' }]),
    ),
  };
}

/** What is to be done to a database that stands so; throws what speaks against it. */
function workFor(schema: Schema, standing: Standing): Work {
  if (standing.kind === 'empty') return { changes: [], files: schema.repeated, gone: [] };
  const numbers = new Set(appliedOf(schema, standing.applied).map(({ number }) => number));
  const changes = schema.changes.filter(({ number }) => !numbers.has(number));
  if (standing.kind === 'former') return { changes, files: schema.repeated, gone: [] };
  const ours = new Set(schema.repeated.map(({ file }) => file));
  const files = schema.repeated.filter(({ file, checksum }) => standing.files.get(file)?.checksum !== checksum);
  const gone = [...standing.files.keys()].filter((file) => !ours.has(file));
  for (const file of [...files.map((each) => each.file), ...gone]) {
    const by = standing.files.get(file)?.program;
    if (by !== undefined && isLaterVersion(by, schema.options.program))
      throw new SchemaFailed({ kind: 'newer-database', file, by, latest: latestOf(schema) });
  }
  return { changes, files, gone };
}

/** The changes that were applied there, the first form of the tables included; throws where they are not the first of these. */
function appliedOf(
  schema: Schema,
  applied: readonly (AppliedElsewhere & { readonly program?: string | undefined })[],
): readonly AppliedElsewhere[] {
  const { baseline } = schema.options;
  const last = applied.at(-1);
  if (last === undefined || last.number < baseline) {
    const end = schema.former?.last;
    if (end !== undefined && last?.number === end.number && last.checksum === end.checksum)
      return [{ number: baseline, file: '', checksum: '' }];
    throw new SchemaFailed({ kind: 'before-baseline', file: last?.file ?? '', last: end?.file ?? '' });
  }
  const known = new Map(schema.changes.map((change) => [change.number, change]));
  for (const { number, file, checksum, program: by } of applied) {
    if (number === baseline) continue;
    const ours = known.get(number);
    if (ours === undefined)
      throw new SchemaFailed({
        kind: 'newer-database',
        file: last.file || file,
        by: last.program,
        latest: latestOf(schema),
      });
    if (ours.checksum !== checksum)
      throw new SchemaFailed({ kind: 'changed-after-applied', file, ...(by === undefined ? {} : { by }) });
  }
  const numbers = new Set(applied.map(({ number }) => number));
  const skipped = schema.changes.find(({ number }) => number < last.number && !numbers.has(number));
  if (skipped !== undefined) throw new SchemaFailed({ kind: 'out-of-order', file: skipped.file });
  return applied;
}

async function applyWork(session: Session, schema: Schema, { changes, files, gone }: Work): Promise<void> {
  for (const change of changes) await applyChange(session, schema, change);
  await applyFiles(session, schema, files, gone, changes.length > 0);
}

async function applyChange(session: Session, { record, options }: Schema, change: Change): Promise<void> {
  const { file, number, sql, checksum } = change;
  await run(session, file, sql);
  await run(session, file, `${STILL_APPLYING} ${noteChange(record, number, file, checksum, options.program)}`);
}

async function applyFiles(
  session: Session,
  schema: Schema,
  changed: readonly SchemaFile[],
  gone: readonly string[],
  hasChanges: boolean,
): Promise<void> {
  const { record, options } = schema;
  const made = new Map<string, string[]>();
  for (const [object = '', file = ''] of (await ask(session, readObjects(record))).map(asTexts))
    made.set(file, [...(made.get(file) ?? []), object]);
  // A change may have dropped what a file made, to have it made in another way.
  const there = hasChanges
    ? new Set((await ask(session, presentObjects(options.schemas))).map(([object]) => object))
    : undefined;
  const isWhole = (file: string): boolean =>
    there === undefined || (made.get(file) ?? []).every((object) => there.has(object));
  const wanted = new Set(changed.map(({ file }) => file));
  const again = schema.repeated.filter(({ file }) => wanted.has(file) || !isWhole(file));
  // The empty name: what a database that was taken over had.
  const left = [...again.map(({ file }) => file), ...gone, ''];
  const before = left.flatMap((file) => made.get(file) ?? []).filter((object) => there?.has(object) !== false);
  const grants = (await ask(session, grantsOn(before))).flatMap(([text]) => (text == null ? [] : [`${text};`]));
  await run(
    session,
    null,
    [undoObjects(before), ...grants, ...left.map((file) => forgetFile(record, file))].join('\n'),
  );
  // What is undone is touched by that, too.
  const behind = Number((await ask(session, lastCommand(options.schemas)))[0]?.[0]);
  for (const { file, sql, checksum } of again) {
    await run(session, file, sql);
    const notes = [
      noteFile(record, file, checksum, options.program),
      noteObjects(record, file, options.schemas, behind),
    ];
    await run(session, file, [STILL_APPLYING, ...notes].join('\n'));
  }
  const now = new Set((await ask(session, statement(madeNow(options.schemas, behind)))).map(([object]) => object));
  await run(session, null, `${dropObjects(before.filter((object) => !now.has(object)))} ${closeFunctions(record)}`);
}

function isNothing({ changes, files, gone }: Work): boolean {
  return changes.length + files.length + gone.length === 0;
}

function namesOf({ changes, files, gone }: Work): readonly string[] {
  return [
    ...changes.map(({ file }) => file),
    ...files.map(({ file }) => file),
    ...gone.map((file) => `${file} (gone)`),
  ];
}

function baselineName({ baseline }: SchemaOptions): string {
  return `${baseline}-baseline`;
}

function latestOf({ changes, options }: Schema): string {
  return changes.at(-1)?.file ?? baselineName(options);
}

function isInTheWay(error: SchemaError): boolean {
  return error.kind === 'database' && error.error.kind === 'sql' && GIVES_WAY.has(error.error.sqlstate);
}

function asTexts(row: readonly (string | null)[]): readonly string[] {
  return row.map((cell) => cell ?? '');
}

/** What ends the work of a transaction; `caught` makes a value of it. */
class SchemaFailed extends Error {
  readonly schemaError: SchemaError;
  constructor(schemaError: SchemaError) {
    super(schemaError.kind);
    this.schemaError = schemaError;
  }
}

function failed(file: string | null, error: DbError): SchemaError {
  return { kind: 'database', file, error };
}

async function caught<T>(work: () => Promise<T>): Promise<Result<T, SchemaError>> {
  try {
    return ok(await work());
  } catch (cause) {
    if (cause instanceof SchemaFailed) return err(cause.schemaError);
    throw cause;
  }
}

async function ask(session: Session, ...statements: Statement[]): Promise<(string | null)[][]> {
  const executed = await session.execute(statements);
  if (!executed.ok) throw new SchemaFailed(failed(null, executed.error));
  return executed.value.flatMap(textRows);
}

async function run(session: Session, file: string | null, sql: string): Promise<void> {
  const ran = await session.script(sql);
  if (!ran.ok) throw new SchemaFailed(failed(file, ran.error));
}
