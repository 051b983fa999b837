// The worker's side of an upload: taking it, saying how far it is, moving its state on, and finding those that nobody works on any more.
// Every function is one transaction, as the service.

import type { CallerDb } from '../../auth/caller-db.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { objects, textRows } from '../../pg/rows.ts';
import { arrayText } from '../fields/bound-value.ts';
import { doneShare } from './done-share.ts';
import type { ImportProgress } from './importer-port.ts';
import { AS_LOGIN, AS_SERVICE } from './service-scope.ts';
import { first, serviceTransaction, statement } from './service-transaction.ts';
import {
  IMPORT_QUEUE,
  UPLOAD_COLUMNS,
  type UploadFileRow,
  type UploadRow,
  type UploadSession,
  type UploadState,
} from './upload-row.ts';

export type Run = {
  readonly phase: ImportProgress['phase'] | 'publishing';
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly features: number;
};

/** How far the import is, as the service; undefined: none is under way. */
export async function findRun(db: CallerDb, id: number): Promise<Result<Run | undefined, DbError>> {
  const found = await findRuns(db, [id]);
  return found.ok ? ok(found.value.get(id)) : found;
}

/** The same of several uploads, by their ids. */
export async function findRuns(
  db: CallerDb,
  ids: readonly number[],
): Promise<Result<ReadonlyMap<number, Run>, DbError>> {
  const found = await db.service([
    {
      ...statement(
        `select upload_id, phase, bytes_read as "bytesRead", bytes_total as "bytesTotal", features from staging.run where upload_id = any ($1::integer[])`,
        arrayText(ids),
      ),
      describe: true,
    },
  ]);
  if (!found.ok) return found;
  const runs = objects<Run & { readonly upload_id: number }>(first(found.value));
  return ok(new Map(runs.map(({ upload_id, ...run }) => [upload_id, run])));
}

export type Claimed =
  /** Nothing to do: it is gone, done, or waits for somebody. */
  | { readonly kind: 'nothing' }
  /** It has been tried too often: so many times its process ended. */
  | { readonly kind: 'exhausted'; readonly times: number }
  | {
      readonly kind: 'claimed';
      readonly upload: UploadRow;
      readonly files: readonly UploadFileRow[];
      /** Ends of its worker or reader that count against it. */
      readonly attempts: number;
      /** Some attempt at it has ended without a word: the next one runs alone, to learn whether it is to blame. */
      readonly isSuspect: boolean;
    };

/** Ends of a process that do not count against the import: a bound for what ends in another stage each time. */
export const MAX_INTERRUPTIONS = 90;

/**
 * Takes the import for one attempt; whoever held it before cannot publish any more. Where that one's process ended without a word, it counts
 * against the import only if this ran alone, and had not ended in another stage before.
 */
export async function claimUpload(
  db: CallerDb,
  id: number,
  token: string,
  maxAttempts: number,
): Promise<Result<Claimed, DbError>> {
  return serviceTransaction(db, async (session): Promise<Result<Claimed, DbError>> => {
    const found = await session.execute([
      AS_SERVICE,
      {
        ...statement(`select ${UPLOAD_COLUMNS} from portal.upload where id = $1 for update`, String(id)),
        describe: true,
      },
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
    const taken = await session.execute([
      AS_LOGIN,
      statement(
        `insert into staging.run as r (upload_id, token, attempts, phase) values ($1, $2, 0, 'fetching')
         on conflict (upload_id) do update set token = excluded.token, phase = 'fetching', beat = now(),
           bytes_read = 0, bytes_total = 0, features = 0, progress = 0, under_way = null,
           attempts = case when r.under_way is distinct from 'alone' then r.attempts
                           when coalesce(r.ended_in, r.phase) = r.phase then r.attempts + 1 else 1 end,
           interruptions = r.interruptions + (r.under_way is not null)::integer,
           ended_in = case r.under_way when 'alone' then r.phase else r.ended_in end
         returning attempts, interruptions`,
        String(id),
        token,
      ),
      AS_SERVICE,
      statement(`update portal.upload set state = 'PENDING' where id = $1 and state <> 'PENDING'`, String(id)),
    ]);
    if (!taken.ok) return taken;
    const sent = files === undefined ? [] : objects<UploadFileRow>(files);
    const [[attempts = 0, interruptions = 0] = []] = textRows(taken.value[1] ?? { rows: [], tag: '' }).map((row) =>
      row.map(Number),
    );
    if (attempts >= maxAttempts || interruptions >= MAX_INTERRUPTIONS)
      return ok({ kind: 'exhausted', times: Math.max(attempts, interruptions) });
    return ok({ kind: 'claimed', upload, files: sent, attempts, isSuspect: attempts > 0 || interruptions > 0 });
  });
}

/** From now on an end of the process is noticed. False: the import is not this attempt's any more. */
export async function beginAttempt(
  db: CallerDb,
  id: number,
  token: string,
  how: 'beside' | 'alone',
): Promise<Result<boolean, DbError>> {
  const done = await db.service([
    statement(
      'update staging.run set under_way = $3, beat = now() where upload_id = $1 and token = $2 returning 1',
      String(id),
      token,
      how,
    ),
  ]);
  return done.ok ? ok(first(done.value).rows.length > 0) : done;
}

/** The reading process was ended by somebody or something: that counts, whatever ran beside it. */
export async function noteKill(db: CallerDb, id: number, token: string): Promise<Result<undefined, DbError>> {
  const done = await db.service([
    statement(
      'update staging.run set attempts = attempts + 1, under_way = null where upload_id = $1 and token = $2',
      String(id),
      token,
    ),
  ]);
  return done.ok ? ok(undefined) : done;
}

/** Still alive, and so far. False: the import is not this attempt's any more. */
export async function beat(db: CallerDb, id: number, token: string, run: Run): Promise<Result<boolean, DbError>> {
  const done = await db.service([
    statement(
      `update staging.run set beat = now(), phase = $3, bytes_read = $4, bytes_total = $5, features = $6, progress = $7
        where upload_id = $1 and token = $2 returning upload_id`,
      String(id),
      token,
      run.phase,
      ...[run.bytesRead, run.bytesTotal, run.features].map((count) => String(Math.round(count))),
      String(Math.round(doneShare(run) * 1000) / 10),
    ),
  ]);
  return done.ok ? ok(first(done.value).rows.length > 0) : done;
}

/** Moves the state, while this attempt holds the import; with an end it lets go of it. Files of one that failed for good go. */
export async function moveUpload(
  db: CallerDb,
  id: number,
  token: string,
  state: UploadState,
  changes: UploadSession,
): Promise<Result<boolean, DbError>> {
  const isEnd = state === 'INVALID' || state === 'WAITING' || state === 'PROCESSED';
  return serviceTransaction(db, async (session) => {
    const held = await session.execute([
      statement('select from staging.run where upload_id = $1 and token = $2 for update', String(id), token),
    ]);
    if (!held.ok) return held;
    if (first(held.value).rows.length === 0) return ok(false);
    const moved = await session.execute([
      ...(isEnd ? [statement('delete from staging.run where upload_id = $1', String(id))] : []),
      AS_SERVICE,
      // Of no use to anybody any more.
      ...(state === 'INVALID' && changes.can_retry !== true
        ? [statement('delete from portal.upload_file where upload_id = $1', String(id))]
        : []),
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

/** Given back unfinished by a program that stops: nothing is held against the import. */
export async function releaseRun(db: CallerDb, id: number, token: string): Promise<Result<undefined, DbError>> {
  const done = await db.service([
    statement(
      `update staging.run set under_way = null, beat = 'infinity', token = gen_random_uuid()
        where upload_id = $1 and token = $2`,
      String(id),
      token,
    ),
  ]);
  return done.ok ? ok(undefined) : done;
}

/**
 * Given back because something it needs was not there: only the outage is counted. 'exhausted': there were too many, and
 * the import is still held.
 */
export async function noteOutage(
  db: CallerDb,
  id: number,
  token: string,
  maxOutages: number,
): Promise<Result<'given-back' | 'exhausted', DbError>> {
  const done = await db.service([
    statement(
      `update staging.run set under_way = null, outages = outages + 1, beat = 'infinity', token = gen_random_uuid()
        where upload_id = $1 and token = $2 and outages < $3::integer returning 1`,
      String(id),
      token,
      String(maxOutages),
    ),
    statement('select 1 from staging.run where upload_id = $1 and token = $2', String(id), token),
  ]);
  if (!done.ok) return done;
  return ok(textRows(done.value[1] ?? { rows: [], tag: '' }).length > 0 ? 'exhausted' : 'given-back');
}

/** Imports that should be under way, and for which there is neither a worker nor a job. A record without files waits for its sender. */
export async function findForgotten(db: CallerDb): Promise<Result<readonly number[], DbError>> {
  return serviceTransaction(db, async (session) => {
    const found = await session.execute([
      statement(
        `select (j.data ->> 'upload')::integer from jobs.job j where j.name = $1 and j.state < 'completed' and j.data ? 'upload'`,
        IMPORT_QUEUE,
      ),
      statement(`select upload_id from staging.run where beat <> 'infinity'`),
      AS_SERVICE,
      statement(`select id from portal.upload where state in ('PENDING', 'RUNNING', 'COMPLETE')`),
    ]);
    if (!found.ok) return found;
    const [jobs, runs, , uploads] = found.value.map((result) => textRows(result).map(([id]) => Number(id)));
    const known = new Set([...(jobs ?? []), ...(runs ?? [])]);
    return ok((uploads ?? []).filter((id) => !known.has(id)));
  });
}
