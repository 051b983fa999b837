// A process that somebody wants run → its record among the uploads, and the job that does it: followed, cancelled and listed as an import is. As
// the caller.

import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { CheckedProcess, ProcessRequest } from '../../layer-ports/process.ts';
import type { DbError } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { arrayText } from '../fields/bound-value.ts';
import { AS_LOGIN, AS_SERVICE } from '../uploads/service-scope.ts';
import { first, statement } from '../uploads/service-transaction.ts';
import { layerName } from '../uploads/upload-order.ts';
import { IMPORT_QUEUE, type UploadSession } from '../uploads/upload-row.ts';

/** Of one account, not ended yet. */
const MAX_AT_ONCE = 20;

export type NewExecution = {
  readonly request: ProcessRequest;
  readonly checked: CheckedProcess;
  /** Undefined: as the process calls it. */
  readonly title: string | undefined;
  /** A layer that gets the rows in place of those that it has. */
  readonly target: number | undefined;
};

export type CreateError = { readonly kind: 'too-many' } | { readonly kind: 'database'; readonly error: DbError };

export async function createExecution(
  db: CallerDb,
  jobs: Pick<Jobs, 'send'>,
  caller: Caller,
  info: RequestInfo,
  wanted: NewExecution,
): Promise<Result<{ readonly id: number; readonly execution: string }, CreateError>> {
  const title = (wanted.title ?? wanted.checked.title).slice(0, MAX_TITLE);
  const done = await db.transaction<{ readonly id: number; readonly execution: string }, CreateError>(
    caller,
    info,
    async (own) => {
      const made = await own.execute([
        // Who has no room is told now, and not when the work is done.
        statement('select portal.check_storage(0)'),
        statement(
          `select count(*) from portal.upload where user_id = portal.me() and session ? 'process' and state in ('READY', 'PENDING', 'RUNNING', 'COMPLETE')`,
        ),
        statement(
          `insert into portal.upload (name, session)
           values ($1, $2::jsonb || jsonb_build_object('process', $3::jsonb || jsonb_build_object('sources', (
             select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'version', l.data) order by s.id), '[]')
               from (select distinct unnest($4::integer[]) as id) s cross join lateral portal.layer_stamp(s.id::text) l))))
           returning id, execution_id`,
          layerName(`${title}.`),
          JSON.stringify(sessionOf(wanted, title)),
          JSON.stringify({ id: wanted.request.process, inputs: wanted.request.inputs }),
          arrayText(wanted.checked.sources.map(({ id }) => id)),
        ),
      ]);
      if (!made.ok) return err({ kind: 'database', error: made.error });
      const [, [[count = '0'] = []] = [], [[id = '', execution = ''] = []] = []] = made.value.map(textRows);
      if (Number(count) >= MAX_AT_ONCE) return err({ kind: 'too-many' });
      const begun = await own.execute([
        AS_SERVICE,
        statement(`update portal.upload set state = 'PENDING' where id = $1`, id),
        AS_LOGIN,
      ]);
      if (!begun.ok) return err({ kind: 'database', error: begun.error });
      await jobs.send(IMPORT_QUEUE, { upload: Number(id) }, { within: own });
      return ok({ id: Number(id), execution: execution ?? '' });
    },
  );
  if (done.ok) return done;
  const { error } = done;
  return err(error.kind === 'too-many' || error.kind === 'database' ? error : { kind: 'database', error });
}

const MAX_TITLE = 255;

function sessionOf({ target }: NewExecution, title: string): UploadSession {
  return {
    layer_title: title,
    // Nobody but its author, whatever new layers are shown to otherwise: it is made of what others have shared with the author.
    permissions: { users: {}, groups: {} },
    update_mode: target === undefined ? 'CREATE' : 'REPLACE',
    ...(target === undefined ? {} : { target, answers: { missing: 'empty' as const } }),
    completed_step: 'save',
  };
}

/** Executions of processes that the caller sees, the newest first. */
export async function listExecutions(
  db: CallerDb,
  caller: Caller,
  info: RequestInfo,
  page: { readonly limit: number; readonly offset: number },
): Promise<Result<readonly number[], DbError>> {
  const found = await db.read(caller, info, [
    statement(
      `select id from portal.upload where session ? 'process' and user_id = portal.me() order by create_date desc, id desc limit $1 offset $2`,
      String(page.limit),
      String(page.offset),
    ),
  ]);
  return found.ok ? ok(textRows(first(found.value)).map(([id]) => Number(id))) : found;
}
