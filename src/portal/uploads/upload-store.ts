// Uploads as their senders see them: making, finding, answering and deleting them. Every function is one transaction, in the name of the
// caller.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { DbException } from '../../pg/db-exception.ts';
import type { DbError, Session, Statement, StatementResult } from '../../pg/driver.ts';
import { objects, textRows } from '../../pg/rows.ts';
import { arrayText } from '../fields/bound-value.ts';
import type { ExecutionRow } from './execution-request.ts';
import type { Answers } from './importer-port.ts';
import { AS_LOGIN, AS_SERVICE } from './service-scope.ts';
import { first, statement } from './service-transaction.ts';
import { layerName, type Target, type UploadOrder } from './upload-order.ts';
import { IMPORT_QUEUE, QUICK_BYTES, UPLOAD_COLUMNS, type UploadRow, type UploadSession } from './upload-row.ts';

export async function createUpload(
  db: CallerDb,
  jobs: Pick<Jobs, 'send'>,
  caller: Caller,
  info: RequestInfo,
  order: UploadOrder,
  target: Target,
): Promise<Result<Pick<UploadRow, 'id' | 'import_id' | 'execution_id'>, DbError>> {
  return db.transaction(caller, info, async (own) => {
    const made = await own.execute([
      statement(
        'insert into portal.upload (name, session) values ($1, $2) returning id, import_id, execution_id',
        order.name,
        JSON.stringify(sessionOf(order, target)),
      ),
    ]);
    if (!made.ok) return made;
    const [[id = '', importId = '', execution_id = ''] = []] = textRows(first(made.value)) as string[][];
    const filled = await addFiles(own, jobs, id, order.files);
    return filled.ok ? ok({ id: Number(id), import_id: Number(importId), execution_id }) : filled;
  });
}

/**
 * The same for a record that was made before its files came; the layer has the record's name, and is titled so unless the form says
 * otherwise. False: it has files already.
 */
export async function fillUpload(
  db: CallerDb,
  jobs: Pick<Jobs, 'send'>,
  caller: Caller,
  info: RequestInfo,
  { id, name }: Pick<UploadRow, 'id' | 'name'>,
  order: UploadOrder,
): Promise<Result<boolean, DbError>> {
  const session = sessionOf({ ...order, title: order.title ?? name }, { kind: 'new' });
  return db.transaction(caller, info, async (own) => {
    const taken = await own.execute([
      statement(
        `update portal.upload set name = $2, session = session || $3::jsonb where id = $1 and state = 'READY' returning id`,
        String(id),
        // A name has no ending that could be cut off.
        layerName(`${name}.`),
        JSON.stringify(session),
      ),
    ]);
    if (!taken.ok) return taken;
    if (first(taken.value).rows.length === 0) return ok(false);
    const filled = await addFiles(own, jobs, String(id), order.files);
    return filled.ok ? ok(true) : filled;
  });
}

function sessionOf(order: UploadOrder, target: Target): UploadSession {
  return {
    charset: order.answers.charset ?? null,
    permissions: order.permissions ?? {},
    time: order.isTimed,
    layer_title: order.title ?? null,
    layer_abstract: order.abstract ?? null,
    update_mode: target.kind === 'new' ? 'CREATE' : target.kind === 'replace' ? 'REPLACE' : 'APPEND',
    ...(target.kind === 'new' ? {} : { target: target.layer }),
    answers: order.answers,
    completed_step: 'save',
    ...(order.source === undefined ? {} : { source: order.source }),
  };
}

/** The files of an upload, and the job that imports them. */
async function addFiles(
  own: Session,
  jobs: Pick<Jobs, 'send'>,
  id: string,
  files: UploadOrder['files'],
): Promise<Result<undefined, DbError>> {
  const filled = await own.execute([
    ...files.map(({ name, base, blob, size }) =>
      statement(
        'insert into portal.upload_file (upload_id, name, slug, base, blob, size) values ($1, $2, $3, $4, $5, $6)',
        id,
        name,
        slugOf(name),
        String(base),
        blob,
        String(size),
      ),
    ),
    AS_SERVICE,
    statement(`update portal.upload set state = 'PENDING' where id = $1`, id),
    AS_LOGIN,
  ]);
  if (!filled.ok) return filled;
  const isQuick = files.reduce((sum, { size }) => sum + size, 0) <= QUICK_BYTES;
  await jobs.send(IMPORT_QUEUE, { upload: Number(id) }, { within: own, isQuick });
  return ok(undefined);
}

/** Whether the files of an upload are read in a moment, as the caller; the first of its batch. */
function quicknessOf(id: number): Statement {
  return statement(
    'select coalesce(sum(size), 0) <= $2 from portal.upload_file where upload_id = $1',
    String(id),
    String(QUICK_BYTES),
  );
}

function isQuick(executed: readonly StatementResult[]): boolean {
  return textRows(first(executed))[0]?.[0] === 't';
}

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50);
}

/** As the caller: undefined for what it does not see. By the import's number, or by the upload's. */
export async function findUpload(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  by: { readonly importId: number } | { readonly id: number },
): Promise<Result<UploadRow | undefined, DbError>> {
  const [column, value] = 'id' in by ? ['id', by.id] : ['import_id', by.importId];
  const found = await db.read(caller, info, [
    { ...statement(`select ${UPLOAD_COLUMNS} from portal.upload where ${column} = $1`, String(value)), describe: true },
  ]);
  return found.ok ? ok(objects<UploadRow>(first(found.value))[0]) : found;
}

/** As the caller: those of the uploads that it sees. */
export async function findUploads(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  ids: readonly number[],
): Promise<Result<readonly UploadRow[], DbError>> {
  const found = await db.read(caller, info, [
    {
      ...statement(`select ${UPLOAD_COLUMNS} from portal.upload where id = any ($1::integer[])`, arrayText(ids)),
      describe: true,
    },
  ]);
  return found.ok ? ok(objects<UploadRow>(first(found.value))) : found;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of an upload by the number under which newer clients ask for it; undefined for what the caller does not see. */
export async function uploadOfExecution(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  execution: string,
): Promise<Result<number | undefined, DbError>> {
  if (!UUID.test(execution)) return ok(undefined);
  const found = await db.read(caller, info, [
    statement('select id from portal.upload where execution_id = $1', execution),
  ]);
  if (!found.ok) return found;
  const id = textRows(first(found.value))[0]?.[0];
  return ok(id === undefined || id === null ? undefined : Number(id));
}

/** As the caller: those of the uploads that it sees, as newer clients follow them. */
export async function findExecutions(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  ids: readonly number[],
): Promise<Result<readonly ExecutionRow[], DbError>> {
  const time = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  const found = await db.read(caller, info, [
    {
      ...statement(
        `select ${UPLOAD_COLUMNS}, (select a.username from portal.account a where a.id = user_id) as username,
           ${time('create_date')} as created, ${time('finished')} as finished from portal.upload where id = any ($1::integer[])`,
        arrayText(ids),
      ),
      describe: true,
    },
  ]);
  return found.ok ? ok(objects<ExecutionRow>(first(found.value))) : found;
}

/** As the caller, who may do so while the import waits. False: it does not. */
export async function answerUpload(
  db: CallerDb,
  jobs: Jobs,
  caller: Caller,
  info: RequestInfo,
  id: number,
  answers: Answers,
): Promise<Result<boolean, DbError>> {
  return db.transaction(caller, info, async (own) => {
    const changed = await own.execute([
      statement(
        `update portal.upload
            set session = session || jsonb_build_object('question', null, 'answers', coalesce(session -> 'answers', '{}') || $2::jsonb)
          where id = $1 and state = 'WAITING' returning id`,
        String(id),
        JSON.stringify(answers),
      ),
    ]);
    if (!changed.ok) return changed;
    if (first(changed.value).rows.length === 0) return ok(false);
    const moved = await own.execute([
      quicknessOf(id),
      AS_SERVICE,
      statement(`update portal.upload set state = 'PENDING' where id = $1`, String(id)),
      AS_LOGIN,
    ]);
    if (!moved.ok) return moved;
    await jobs.send(IMPORT_QUEUE, { upload: id }, { within: own, isQuick: isQuick(moved.value) });
    return ok(true);
  });
}

/**
 * As the caller: an import that failed and whose files are kept is tried once more, alone, as one that was interrupted is. False: it is no
 * such import.
 */
export async function retryUpload(
  db: CallerDb,
  jobs: Pick<Jobs, 'send'>,
  caller: Caller,
  info: RequestInfo,
  id: number,
): Promise<Result<boolean, DbError>> {
  return db.transaction(caller, info, async (own) => {
    const changed = await own.execute([
      statement(
        `update portal.upload u set session = session || '{"error_msg": null, "reason": null, "can_retry": false}'
          where id = $1 and state = 'INVALID'
            and (exists (select from portal.upload_file f where f.upload_id = u.id) or u.session ? 'process' and u.session ->> 'can_retry' = 'true')
          returning id`,
        String(id),
      ),
    ]);
    if (!changed.ok) return changed;
    if (first(changed.value).rows.length === 0) return ok(false);
    const moved = await own.execute([
      quicknessOf(id),
      AS_SERVICE,
      statement(`update portal.upload set state = 'PENDING' where id = $1`, String(id)),
      AS_LOGIN,
      statement(
        `insert into staging.run (upload_id, token, interruptions, phase, beat) values ($1, gen_random_uuid(), 1, 'fetching', 'infinity')
         on conflict (upload_id) do update set attempts = 0, interruptions = excluded.interruptions`,
        String(id),
      ),
    ]);
    if (!moved.ok) return moved;
    await jobs.send(IMPORT_QUEUE, { upload: id }, { within: own, isQuick: isQuick(moved.value) });
    return ok(true);
  });
}

/** For whoever made the upload in this transaction and imports it without a job: as if a worker had it already. */
export async function holdUpload(session: Session, id: number): Promise<void> {
  const held = await session.execute([
    statement(
      `insert into staging.run (upload_id, token, attempts, phase) values ($1, gen_random_uuid(), 0, 'fetching')`,
      String(id),
    ),
  ]);
  if (!held.ok) throw new DbException(held.error);
}

/** As the caller. The blobs that nobody refers to any more; undefined: there is no such upload. */
export async function deleteUpload(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  id: number,
): Promise<Result<readonly string[] | undefined, DbError>> {
  const gone = await db.write(caller, info, [
    statement('select blob from portal.upload_file where upload_id = $1', String(id)),
    statement('delete from portal.upload where id = $1 returning id', String(id)),
  ]);
  if (!gone.ok) return gone;
  const [files, deleted] = gone.value;
  if (deleted === undefined || deleted.rows.length === 0) return ok(undefined);
  return ok(textRows(files ?? { rows: [], tag: '' }).flatMap(([blob]) => blob ?? []));
}
