// What the database knows of uploads: making them, moving their state on, answering their questions. Every function is one
// transaction; who it runs as is said in each.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError, Session, Statement } from '../../pg/driver.ts';
import { objects, textRows } from '../../pg/rows.ts';
import type { Answers, ImportProgress, Question } from './importer-port.ts';
import { AS_LOGIN, AS_SERVICE } from './service-scope.ts';
import type { Target, UploadOrder } from './upload-order.ts';

export const IMPORT_QUEUE = 'import';

export type UploadState =
  | 'READY'
  | 'PENDING'
  | 'WAITING'
  | 'RUNNING'
  | 'COMPLETE'
  | 'PROCESSED'
  | 'INVALID'
  | 'INCOMPLETE';

/** The record's `session`: what was asked for, what was answered, how it went. Names are those of the API. */
export type UploadSession = {
  readonly charset?: string | null;
  readonly permissions?: unknown;
  readonly time?: boolean;
  readonly layer_title?: string | null;
  readonly layer_abstract?: string | null;
  readonly update_mode?: 'CREATE' | 'REPLACE' | 'APPEND';
  /** The layer that is replaced or added to. */
  readonly target?: number;
  readonly answers?: Answers;
  readonly question?: Question | null;
  readonly completed_step?: string | null;
  readonly error_msg?: string | null;
  readonly upload_type?: string | null;
  readonly warnings?: readonly string[];
  readonly import_session?: unknown;
};

export type UploadRow = {
  readonly id: number;
  readonly import_id: number;
  readonly user_id: number | null;
  readonly name: string;
  readonly state: UploadState;
  readonly session: UploadSession;
  readonly resource_id: number | null;
};

export type UploadFileRow = { readonly name: string; readonly blob: string; readonly base: boolean };

const ROW = 'id, import_id, user_id, name, state, session, resource_id';

export async function createUpload(
  db: CallerDb,
  jobs: Pick<Jobs, 'send'>,
  caller: Caller,
  info: RequestInfo,
  order: UploadOrder,
  target: Target,
): Promise<Result<{ readonly id: number; readonly importId: number }, DbError>> {
  const session: UploadSession = {
    charset: order.answers.charset ?? null,
    permissions: order.permissions ?? {},
    time: order.isTimed,
    layer_title: order.title ?? null,
    layer_abstract: order.abstract ?? null,
    update_mode: target.kind === 'new' ? 'CREATE' : target.kind === 'replace' ? 'REPLACE' : 'APPEND',
    ...(target.kind === 'new' ? {} : { target: target.layer }),
    answers: order.answers,
    completed_step: 'save',
  };
  return db.transaction(caller, info, async (own) => {
    const made = await own.fly([
      statement(
        'insert into portal.upload (name, session) values ($1, $2) returning id, import_id',
        order.name,
        JSON.stringify(session),
      ),
    ]);
    if (!made.ok) return made;
    const [[id = '', importId = ''] = []] = textRows(first(made.value)) as string[][];
    const filled = await own.fly([
      ...order.files.map(({ name, base, blob, size }) =>
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
    await jobs.send(IMPORT_QUEUE, { upload: Number(id) }, { within: own });
    return ok({ id: Number(id), importId: Number(importId) });
  });
}

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
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
    { ...statement(`select ${ROW} from portal.upload where ${column} = $1`, String(value)), describe: true },
  ]);
  return found.ok ? ok(objects<UploadRow>(first(found.value))[0]) : found;
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
    const changed = await own.fly([
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
    const moved = await own.fly([
      AS_SERVICE,
      statement(`update portal.upload set state = 'PENDING' where id = $1`, String(id)),
      AS_LOGIN,
    ]);
    if (!moved.ok) return moved;
    await jobs.send(IMPORT_QUEUE, { upload: id }, { within: own });
    return ok(true);
  });
}

/** For whoever made the upload in this transaction and imports it without a job: as if a worker had it already. */
export async function holdUpload(session: Session, id: number): Promise<void> {
  const held = await session.fly([
    statement(
      `insert into staging.run (upload_id, token, attempts, phase) values ($1, gen_random_uuid(), 0, 'fetching')`,
      String(id),
    ),
  ]);
  if (!held.ok) throw new Error('message' in held.error ? held.error.message : held.error.kind);
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

export type Run = {
  readonly phase: ImportProgress['phase'] | 'publishing';
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly features: number;
};

/** How far the import is, as the service; undefined: none is under way. */
export async function findRun(db: CallerDb, id: number): Promise<Result<Run | undefined, DbError>> {
  const found = await db.service([
    {
      ...statement(
        `select phase, bytes_read as "bytesRead", bytes_total as "bytesTotal", features from staging.run where upload_id = $1`,
        String(id),
      ),
      describe: true,
    },
  ]);
  return found.ok ? ok(objects<Run>(first(found.value))[0]) : found;
}

// The worker's side, as the service ---------------------------------------------------------------------------------

export type Claimed =
  /** Nothing to do: it is gone, done, or waits for somebody. */
  | { readonly kind: 'nothing' }
  /** It has been tried too often. */
  | { readonly kind: 'exhausted'; readonly files: readonly UploadFileRow[] }
  | {
      readonly kind: 'claimed';
      readonly upload: UploadRow;
      readonly files: readonly UploadFileRow[];
      readonly attempt: number;
    };

/** Takes the import for one attempt; whoever held it before cannot publish any more. */
export async function claimUpload(
  db: CallerDb,
  id: number,
  token: string,
  maxAttempts: number,
): Promise<Result<Claimed, DbError>> {
  return serviceTransaction(db, async (session): Promise<Result<Claimed, DbError>> => {
    const found = await session.fly([
      AS_SERVICE,
      { ...statement(`select ${ROW} from portal.upload where id = $1 for update`, String(id)), describe: true },
      {
        ...statement(
          'select name, blob, base from portal.upload_file where upload_id = $1 order by base desc, id',
          String(id),
        ),
        describe: true,
      },
    ]);
    if (!found.ok) return found;
    const [, rows, files] = found.value;
    const [upload] = rows === undefined ? [] : objects<UploadRow>(rows);
    if (upload === undefined || !['PENDING', 'RUNNING', 'COMPLETE'].includes(upload.state))
      return ok({ kind: 'nothing' });
    const taken = await session.fly([
      AS_LOGIN,
      statement(
        `insert into staging.run as r (upload_id, token, attempts, phase) values ($1, $2, 1, 'fetching')
         on conflict (upload_id) do update set token = excluded.token, attempts = r.attempts + 1, phase = 'fetching', beat = now(),
           bytes_read = 0, bytes_total = 0, features = 0
         returning attempts`,
        String(id),
        token,
      ),
      AS_SERVICE,
      statement(`update portal.upload set state = 'PENDING' where id = $1 and state <> 'PENDING'`, String(id)),
    ]);
    if (!taken.ok) return taken;
    const sent = files === undefined ? [] : objects<UploadFileRow>(files);
    const attempt = Number(textRows(taken.value[1] ?? { rows: [], tag: '' })[0]?.[0] ?? 1);
    if (attempt > maxAttempts) return ok({ kind: 'exhausted', files: sent });
    return ok({ kind: 'claimed', upload, files: sent, attempt });
  });
}

/** Still alive, and so far. False: the import is not this attempt's any more. */
export async function beat(db: CallerDb, id: number, token: string, run: Run): Promise<Result<boolean, DbError>> {
  const done = await db.service([
    statement(
      `update staging.run set beat = now(), phase = $3, bytes_read = $4, bytes_total = $5, features = $6
        where upload_id = $1 and token = $2 returning upload_id`,
      String(id),
      token,
      run.phase,
      ...[run.bytesRead, run.bytesTotal, run.features].map((count) => String(Math.round(count))),
    ),
  ]);
  return done.ok ? ok(first(done.value).rows.length > 0) : done;
}

/** Moves the state, while this attempt holds the import; with an end it lets go of it. */
export async function moveUpload(
  db: CallerDb,
  id: number,
  token: string,
  state: UploadState,
  changes: UploadSession,
): Promise<Result<boolean, DbError>> {
  const isEnd = state === 'INVALID' || state === 'WAITING' || state === 'PROCESSED';
  return serviceTransaction(db, async (session) => {
    const held = await session.fly([
      statement('select from staging.run where upload_id = $1 and token = $2 for update', String(id), token),
    ]);
    if (!held.ok) return held;
    if (first(held.value).rows.length === 0) return ok(false);
    const moved = await session.fly([
      ...(isEnd ? [statement('delete from staging.run where upload_id = $1', String(id))] : []),
      AS_SERVICE,
      // Of no use to anybody any more.
      ...(state === 'INVALID' ? [statement('delete from portal.upload_file where upload_id = $1', String(id))] : []),
      statement(
        'update portal.upload set state = $2, session = session || $3::jsonb where id = $1',
        String(id),
        state,
        JSON.stringify(changes),
      ),
    ]);
    return moved.ok ? ok(true) : moved;
  });
}

/** Uploads whose worker has not been heard of for so long, be it since it took the job, or since it said how far it was. */
export async function findDead(db: CallerDb, staleMs: number): Promise<Result<readonly number[], DbError>> {
  const found = await db.service([
    statement(
      `with silence as (select now() - make_interval(secs => $1::double precision / 1000) as since)
       select upload_id from staging.run, silence where beat < since
       union
       select (j.data ->> 'upload')::integer from jobs.job j, silence
        where j.name = $2 and j.state = 'active' and j.started_on < since and j.data ? 'upload'
          and not exists (select from staging.run r where r.upload_id = (j.data ->> 'upload')::integer and r.beat <> 'infinity')`,
      String(staleMs),
      IMPORT_QUEUE,
    ),
  ]);
  return found.ok ? ok(textRows(first(found.value)).map(([id]) => Number(id))) : found;
}

/** The worker that died is not looked for again; the next attempt knows how many there were. */
export async function forgetRun(db: CallerDb, id: number, staleMs: number): Promise<Result<undefined, DbError>> {
  const done = await db.service([
    statement(
      `update staging.run set beat = 'infinity', token = gen_random_uuid()
        where upload_id = $1 and beat < now() - make_interval(secs => $2::double precision / 1000)`,
      String(id),
      String(staleMs),
    ),
  ]);
  return done.ok ? ok(undefined) : done;
}

/** Given back unfinished by a program that stops: the attempt does not count. */
export async function releaseRun(db: CallerDb, id: number, token: string): Promise<Result<undefined, DbError>> {
  const done = await db.service([
    statement(
      `update staging.run set attempts = greatest(attempts - 1, 0), beat = 'infinity', token = gen_random_uuid()
        where upload_id = $1 and token = $2`,
      String(id),
      token,
    ),
  ]);
  return done.ok ? ok(undefined) : done;
}

/** Imports that should be under way, and for which there is neither a worker nor a job. */
export async function findForgotten(db: CallerDb): Promise<Result<readonly number[], DbError>> {
  return serviceTransaction(db, async (session) => {
    const found = await session.fly([
      statement(
        `select (j.data ->> 'upload')::integer from jobs.job j where j.name = $1 and j.state < 'completed' and j.data ? 'upload'`,
        IMPORT_QUEUE,
      ),
      statement(`select upload_id from staging.run where beat <> 'infinity'`),
      AS_SERVICE,
      statement(`select id from portal.upload where state in ('READY', 'PENDING', 'RUNNING', 'COMPLETE')`),
    ]);
    if (!found.ok) return found;
    const [jobs, runs, , uploads] = found.value.map((result) => textRows(result).map(([id]) => Number(id)));
    const known = new Set([...(jobs ?? []), ...(runs ?? [])]);
    return ok((uploads ?? []).filter((id) => !known.has(id)));
  });
}

/** Our own statements name every schema but that of PostGIS, which may live anywhere. */
const FIND_POSTGIS = statement(
  `select set_config('search_path', 'pg_catalog, ' || coalesce((select quote_ident(n.nspname) from pg_catalog.pg_extension e
     join pg_catalog.pg_namespace n on n.oid = e.extnamespace where e.extname = 'postgis'), 'public'), true)`,
);

/** A transaction that begins as the role that logged in. */
export async function serviceTransaction<T, E>(
  db: CallerDb,
  work: (session: Session) => Promise<Result<T, E>>,
): Promise<Result<T, E | DbError>> {
  const held = await db.driver.hold(async (session): Promise<Result<T, E | DbError>> => {
    const begun = await session.fly([statement('begin'), FIND_POSTGIS]);
    if (!begun.ok) return begun;
    const done = await work(session);
    const ended = await session.fly([statement(done.ok ? 'commit' : 'rollback')]);
    return done.ok && !ended.ok ? err(ended.error) : done;
  });
  return held.ok ? held.value : held;
}

export function statement(text: string, ...params: (string | null)[]): Statement {
  return { text, params };
}

export function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('a flight of one statement had no result');
  return item;
}
