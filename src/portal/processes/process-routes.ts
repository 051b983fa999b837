// OGC API Processes, Part 1: the processes there are, running one as a job, and the jobs of whoever asks. A job is an upload without files, so that
// it is followed, listed and cancelled as imports are.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ProcessPort, SentInputs } from '../../layer-ports/process.ts';
import { described } from '../description/described-route.ts';
import { isMembers } from '../operations/write/body-forms.ts';
import type { PortalContext } from '../portal-context.ts';
import type { ExecutionRow } from '../uploads/execution-request.ts';
import { finishedLayers } from '../uploads/finished-layers.ts';
import { findRuns, type Run } from '../uploads/import-run.ts';
import { infoOf } from '../uploads/upload-ask.ts';
import type { FinishedLayer } from '../uploads/upload-replies.ts';
import { deleteUpload, findExecutions, uploadOfExecution } from '../uploads/upload-store.ts';
import { createExecution, listExecutions } from './create-execution.ts';
import { jobDocument, statusOf } from './job-status.ts';
import { failureOf, NO_SUCH_JOB, NO_SUCH_PROCESS, type ProcessFailure, portalFailure, sendProblem } from './problem.ts';
import { JSON_TYPE, processDocument, processSummary } from './process-document.ts';
import { DESCRIBED, FEW_LISTED, MAX_LISTED, MAX_TITLE } from './processes-described.ts';

export type ProcessParts = { readonly processes: ProcessPort; readonly jobs: Pick<Jobs, 'send'> };

type Ask = {
  readonly request: FastifyRequest;
  readonly caller: Caller;
  readonly info: RequestInfo;
  /** `https://maps.example.org/ogc` */
  readonly root: string;
};

type Answer = {
  readonly status?: number;
  readonly body: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
};
type Handled = Result<Answer, ProcessFailure>;

const BODY_LIMIT = 64 * 1024;

export function registerProcesses(app: FastifyInstance, context: PortalContext, parts: ProcessParts): void {
  const { db } = context;
  const { processes, jobs } = parts;

  const route =
    (handle: (ask: Ask) => Promise<Handled> | Handled, isForAccounts: boolean) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const who = await context.identify(request);
      if (!who.ok) return context.answerError(request, reply, who.error);
      const caller = who.value;
      reply
        .header('Access-Control-Allow-Origin', '*')
        .header('Access-Control-Expose-Headers', 'Link, Location, Preference-Applied');
      if (isForAccounts && caller.kind === 'visitor')
        return context.answerError(request, reply, { kind: 'not-authenticated' });
      const handled = await handle({ request, caller, info: infoOf(request), root: `${context.baseUrl(request)}/ogc` });
      if (!handled.ok) return sendProblem(context, request, reply, handled.error, caller);
      const { status = 200, body, type = JSON_TYPE, headers = {} } = handled.value;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return reply.code(status).headers(headers).header('Cache-Control', 'private, no-cache').type(type).send(text);
    };
  const open = (handle: (ask: Ask) => Handled) => route(handle, false);
  const own = (handle: (ask: Ask) => Promise<Handled>) => route(handle, true);

  const processOf = ({ request }: Ask) => {
    const { process } = request.params as { readonly process?: string };
    return processes.list.find(({ id }) => id === process);
  };

  async function rowsOf(ask: Ask, ids: readonly number[]): Promise<Result<readonly Job[], ProcessFailure>> {
    const [rows, runs] = [await findExecutions(db, ask.caller, ask.info, ids), await findRuns(db, ids)];
    if (!rows.ok) return err(portalFailure({ kind: 'database', error: rows.error }));
    if (!runs.ok) return err(portalFailure({ kind: 'database', error: runs.error }));
    const byId = new Map(rows.value.map((row) => [row.id, row]));
    return ok(ids.flatMap((id) => byId.get(id) ?? []).map((row) => ({ row, run: runs.value.get(row.id) })));
  }

  /** The job of the address, if it is one of a process. */
  async function jobOf(ask: Ask): Promise<Result<Job, ProcessFailure>> {
    const { job = '' } = ask.request.params as { readonly job?: string };
    const id = await uploadOfExecution(db, ask.caller, ask.info, job);
    if (!id.ok) return err(portalFailure({ kind: 'database', error: id.error }));
    const found = await rowsOf(ask, id.value === undefined ? [] : [id.value]);
    if (!found.ok) return found;
    const [only] = found.value;
    return only?.row.session.process === undefined ? err(NO_SUCH_JOB) : ok(only);
  }

  app.get(
    '/ogc/processes',
    described(DESCRIBED.list),
    open(({ root }) =>
      ok({
        body: {
          processes: processes.list.map((one) => processSummary(one, root)),
          links: [{ href: `${root}/processes`, rel: 'self', type: JSON_TYPE }],
        },
      }),
    ),
  );
  app.get(
    '/ogc/processes/:process',
    described(DESCRIBED.read),
    open((ask) => {
      const process = processOf(ask);
      return process === undefined ? err(NO_SUCH_PROCESS) : ok({ body: processDocument(process, ask.root) });
    }),
  );
  app.post(
    '/ogc/processes/:process/preview',
    { bodyLimit: BODY_LIMIT, ...described(DESCRIBED.preview) },
    own(async (ask) => {
      const process = processOf(ask);
      if (process === undefined) return err(NO_SUCH_PROCESS);
      const sent = sentOf(ask.request.body);
      if (!sent.ok) return sent;
      const { inputs } = sent.value;
      const shown = await processes.preview(ask.caller, ask.info, { process: process.id, inputs });
      return shown.ok ? ok({ body: shown.value, type: 'application/geo+json' }) : err(failureOf(shown.error));
    }),
  );
  app.post(
    '/ogc/processes/:process/execution',
    { bodyLimit: BODY_LIMIT, ...described(DESCRIBED.execute) },
    own(async (ask) => {
      const process = processOf(ask);
      if (process === undefined) return err(NO_SUCH_PROCESS);
      const sent = sentOf(ask.request.body);
      if (!sent.ok) return sent;
      const { inputs, title } = sent.value;
      const request = { process: process.id, inputs };
      const checked = await processes.check(ask.caller, ask.info, request);
      if (!checked.ok) return err(failureOf(checked.error));
      const wanted = { request, checked: checked.value, title, target: undefined };
      const made = await createExecution(db, jobs, ask.caller, ask.info, wanted);
      if (!made.ok) return err(made.error.kind === 'too-many' ? TOO_MANY : portalFailure(made.error));
      const begun = await rowsOf(ask, [made.value.id]);
      if (!begun.ok) return begun;
      const [job] = begun.value;
      const prefers = /\brespond-async\b/.test(String(ask.request.headers['prefer'] ?? ''));
      return ok({
        status: 201,
        body: job === undefined ? {} : jobDocument(job.row, job.run, ask.root),
        headers: {
          Location: `${ask.root}/jobs/${made.value.execution}`,
          ...(prefers ? { 'Preference-Applied': 'respond-async' } : {}),
        },
      });
    }),
  );
  app.get(
    '/ogc/jobs',
    described(DESCRIBED.jobs),
    own(async (ask) => {
      const page = pageOf(ask.request);
      if (!page.ok) return page;
      const ids = await listExecutions(db, ask.caller, ask.info, { ...page.value, limit: page.value.limit + 1 });
      if (!ids.ok) return err(portalFailure({ kind: 'database', error: ids.error }));
      const found = await rowsOf(ask, ids.value.slice(0, page.value.limit));
      if (!found.ok) return found;
      const { limit, offset } = page.value;
      const href = `${ask.root}/jobs`;
      return ok({
        body: {
          jobs: found.value.map(({ row, run }) => jobDocument(row, run, ask.root)),
          links: [
            { href, rel: 'self', type: JSON_TYPE },
            ...(ids.value.length > limit
              ? [{ href: `${href}?limit=${limit}&offset=${offset + limit}`, rel: 'next', type: JSON_TYPE }]
              : []),
          ],
        },
      });
    }),
  );
  app.get(
    '/ogc/jobs/:job',
    described(DESCRIBED.job),
    own(async (ask) => {
      const job = await jobOf(ask);
      return job.ok ? ok({ body: jobDocument(job.value.row, job.value.run, ask.root) }) : job;
    }),
  );
  app.delete(
    '/ogc/jobs/:job',
    described(DESCRIBED.dismiss),
    own(async (ask) => {
      const job = await jobOf(ask);
      if (!job.ok) return job;
      const { row, run } = job.value;
      // Whoever works on it notices that it is gone. The layer of one that has ended stays.
      const gone = await deleteUpload(db, ask.caller, ask.info, row.id);
      if (!gone.ok) return err(portalFailure({ kind: 'database', error: gone.error }));
      return gone.value === undefined ? err(NO_SUCH_JOB) : ok({ body: jobDocument(row, run, ask.root, 'dismissed') });
    }),
  );
  app.get(
    '/ogc/jobs/:job/results',
    described(DESCRIBED.results),
    own(async (ask) => {
      const job = await jobOf(ask);
      if (!job.ok) return job;
      const { row, run } = job.value;
      const status = statusOf(row, run);
      if (status === 'failed') return err(failed(row));
      if (status !== 'successful') return err(NOT_READY);
      const layers = await finishedLayers(db, ask, [row]);
      if (!layers.ok) return err(portalFailure({ kind: 'database', error: layers.error }));
      const [layer] = layers.value.get(row.id) ?? [];
      if (layer === undefined) return err(GONE);
      return ok({
        body: {
          layer: {
            id: layer.id,
            ...placeOf(layer, ask.root, context.baseUrl(ask.request)),
            rel: 'item',
            title: row.session.layer_title ?? row.name,
          },
        },
      });
    }),
  );
}

/** Where the rows are; those of a table without places are in no collection of features. */
function placeOf(
  { id, bbox }: FinishedLayer,
  root: string,
  base: string,
): { readonly href: string; readonly type: string } {
  return bbox.includes(null)
    ? { href: `${base}/api/v2/layers/${id}/`, type: JSON_TYPE }
    : { href: `${root}/collections/${id}/items`, type: 'application/geo+json' };
}

type Job = { readonly row: ExecutionRow; readonly run: Run | undefined };

const MEMBERS: ReadonlySet<string> = new Set([
  'inputs',
  'outputs',
  'response',
  'title',
  'subscriber',
] satisfies string[]);

function sentOf(
  body: unknown,
): Result<{ readonly inputs: SentInputs; readonly title: string | undefined }, ProcessFailure> {
  if (!isMembers(body)) return err(bad('A JSON object with "inputs" is expected.'));
  const strange = Object.keys(body).find((name) => !MEMBERS.has(name));
  if (strange !== undefined) return err(bad(`There is no member "${strange.slice(0, 100)}".`));
  const { inputs = {}, title, response = 'document' } = body;
  if (!isMembers(inputs)) return err(bad('"inputs" is an object: a value for each input.'));
  if (response !== 'document') return err(bad('"response" is "document" here: the result is a layer.'));
  if (
    title !== undefined &&
    (typeof title !== 'string' || title.trim() === '' || title.length > MAX_TITLE || title.includes('\0'))
  )
    return err(bad(`"title" is a text of at most ${MAX_TITLE} characters.`));
  return ok({ inputs, title: typeof title === 'string' ? title.trim() : undefined });
}

function pageOf(request: FastifyRequest): Result<{ readonly limit: number; readonly offset: number }, ProcessFailure> {
  const { limit = String(FEW_LISTED), offset = '0' } = request.query as Readonly<Record<string, unknown>>;
  const number = (value: unknown): number =>
    typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : -1;
  if (number(limit) < 1 || number(offset) < 0) return err(bad('limit and offset are whole numbers.'));
  return ok({ limit: Math.min(MAX_LISTED, number(limit)), offset: number(offset) });
}

function bad(detail: string): ProcessFailure {
  return { status: 400, type: 'bad-inputs', title: 'The request cannot be used.', detail };
}

function failed({ session }: ExecutionRow): ProcessFailure {
  return { status: 422, type: 'job-failed', title: 'The job failed.', detail: session.error_msg ?? 'It failed.' };
}

const NOT_READY: ProcessFailure = {
  status: 404,
  type: 'result-not-ready',
  title: 'The result is not ready.',
  detail: 'The job is still under way; ask for its status.',
};
const GONE: ProcessFailure = { ...NO_SUCH_JOB, title: 'The layer is not there any more.', detail: 'It was deleted.' };
const TOO_MANY: ProcessFailure = {
  status: 429,
  type: 'too-many-jobs',
  title: 'Too many jobs.',
  detail: 'Wait until some of your jobs have ended, or dismiss them.',
};
