// The addresses of uploads: sending files, asking how far they are, answering, deleting. What an upload looks like as a record
// is the catalogue's business (`/api/v2/uploads/{id}/`).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import type { RequestInfo } from '../../auth/caller-db.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { objects, textRows } from '../../pg/rows.ts';
import type { PortalError } from '../errors/portal-error.ts';
import type { PortalContext } from '../portal-context.ts';
import { type ReceiveError, type ReceiveLimits, receiveForm } from './receive-form.ts';
import { streamEvents } from './upload-events.ts';
import { parseAnswers, parseOrder, type Target } from './upload-order.ts';
import {
  acceptedReply,
  type FinishedLayer,
  finalReply,
  importReply,
  progressReply,
  questionReply,
} from './upload-replies.ts';
import {
  answerUpload,
  createUpload,
  deleteUpload,
  findRun,
  findUpload,
  first,
  statement,
  type UploadRow,
} from './upload-store.ts';
import type { UploadWatch } from './upload-watch.ts';

export type UploadOptions = {
  readonly blobs: BlobStore;
  readonly jobs: Jobs;
  readonly watch: UploadWatch;
  readonly limits: ReceiveLimits;
};

type Handled = Result<{ readonly status: number; readonly body: unknown }, PortalError>;
type Ask = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly info: RequestInfo;
};

/** Every path with and without the prefix of the API's version. */
export async function registerUploads(
  app: FastifyInstance,
  portal: PortalContext,
  options: UploadOptions,
): Promise<void> {
  const { db } = portal;
  const { blobs, jobs, watch, limits } = options;

  const route =
    (handle: (ask: Ask) => Promise<Handled>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const who = await portal.identify(request);
      // Whoever is refused in the middle of a large form does not have to send the rest of it.
      const isStranger = !who.ok || who.value.kind === 'visitor';
      if (isStranger && request.headers['content-type']?.startsWith('multipart/') === true)
        reply.header('Connection', 'close');
      if (!who.ok) return portal.answerError(request, reply, who.error);
      const caller = who.value;
      if (caller.kind === 'visitor') return portal.answerError(request, reply, { kind: 'not-authenticated' });
      const info: RequestInfo = { method: request.method, path: pathOf(request) };
      const handled = await handle({ request, reply, caller, info });
      reply.header('Cache-Control', 'no-store');
      if (!handled.ok) return portal.answerError(request, reply, handled.error, caller);
      return reply.code(handled.value.status).type('application/json').send(JSON.stringify(handled.value.body));
    };

  async function receive({ request, reply, caller, info }: Ask, target: Target): Promise<Handled> {
    // Asked before a byte is stored; the same is asked again when the record is made.
    const may = await db.read(caller, info, [
      target.kind === 'new'
        ? statement('select portal.may_add()')
        : statement(
            `select portal.may($1, 'change_layer_data') and portal.layer_table($1) is not null from portal.resource where id = $1`,
            String(target.layer),
          ),
    ]);
    if (!may.ok) return err({ kind: 'database', error: may.error });
    const [[allowed] = []] = textRows(first(may.value));
    if (allowed !== 't') reply.header('Connection', 'close');
    if (allowed === undefined) return err({ kind: 'not-found' });
    if (allowed !== 't') return err({ kind: 'forbidden' });
    if (!/^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? ''))
      return err({ kind: 'bad-request', detail: 'Empty content' });

    const form = await receiveForm(request, blobs, limits);
    if (!form.ok) {
      // Whatever is still on its way is not waited for.
      reply.header('Connection', 'close');
      return receiveFault(form.error);
    }
    const forget = async (): Promise<void> => {
      for (const { blob } of form.value.files) await blobs.remove(blob);
    };
    const order = parseOrder(form.value.fields, form.value.files);
    if (!order.ok) {
      await forget();
      return order.error.kind === 'empty'
        ? err({ kind: 'bad-request', detail: 'Empty content' })
        : ok({ status: 400, body: { success: false, errors: order.error.messages } });
    }
    const made = await createUpload(db, jobs, caller, info, order.value, target).catch(async (error: unknown) => {
      await forget();
      throw error;
    });
    if (!made.ok) {
      await forget();
      return err({ kind: 'database', error: made.error });
    }
    return ok({ status: 201, body: acceptedReply(made.value) });
  }

  async function byImport({ request, caller, info }: Ask): Promise<Result<UploadRow, PortalError>> {
    const { id } = request.query as { readonly id?: unknown };
    const importId = wholeNumber(id);
    if (id === undefined) return err({ kind: 'bad-request', detail: 'The number of the import is missing: ?id=…' });
    return importId === undefined
      ? err({ kind: 'not-found' })
      : found(await findUpload(db, caller, info, { importId }));
  }

  async function byId({ request, caller, info }: Ask): Promise<Result<UploadRow, PortalError>> {
    const { id } = request.params as { readonly id?: string };
    const number = wholeNumber(id);
    return number === undefined
      ? err({ kind: 'not-found' })
      : found(await findUpload(db, caller, info, { id: number }));
  }

  async function finalAnswer(ask: Ask): Promise<Handled> {
    const upload = await byImport(ask);
    if (!upload.ok) return upload;
    const layers = await finishedLayers(ask, upload.value);
    if (!layers.ok) return err({ kind: 'database', error: layers.error });
    return ok({ status: 200, body: finalReply(upload.value, layers.value, portal.baseUrl(ask.request)) });
  }

  /** Those of its layers that the caller sees. */
  async function finishedLayers(
    { caller, info }: Ask,
    upload: UploadRow,
  ): Promise<Result<readonly FinishedLayer[], DbError>> {
    if (upload.state !== 'PROCESSED') return ok([]);
    const read = await db.read(caller, info, [
      {
        ...statement(
          `select r.id, '/layers/' || coalesce(r.store || ':', '') || r.alternate as address, r.srid as crs,
             json_build_array(st_xmin(r.bbox_polygon), st_ymin(r.bbox_polygon), st_xmax(r.bbox_polygon), st_ymax(r.bbox_polygon)) as bbox
             from portal.upload_layer l join portal.resource r on r.id = l.resource_id where l.upload_id = $1 order by r.id`,
          String(upload.id),
        ),
        describe: true,
      },
    ]);
    return read.ok ? ok(objects<FinishedLayer>(first(read.value))) : read;
  }

  async function answer(ask: Ask, upload: UploadRow): Promise<Handled> {
    const fields = ask.request.body;
    const answers = parseAnswers(isTexts(fields) ? fields : {});
    const missing = missingAnswers(upload, answers);
    if (missing !== undefined) return err({ kind: 'invalid-fields', fields: missing });
    // Asked here and not only by the importer: a slip of the pen is to be mended, not to end the import.
    const known = await isKnownCrs(ask, answers.crs);
    if (!known.ok) return err({ kind: 'database', error: known.error });
    if (!known.value)
      return err({
        kind: 'invalid-fields',
        fields: { crs: [`There is no coordinate system ${answers.crs}. A code like EPSG:4326 is required.`] },
      });
    const answered = await answerUpload(db, jobs, ask.caller, ask.info, upload.id, answers);
    if (!answered.ok) return err({ kind: 'database', error: answered.error });
    if (!answered.value) return err({ kind: 'bad-request', detail: 'The import does not wait for an answer.' });
    return ok({ status: 200, body: acceptedReply({ id: upload.id, importId: upload.import_id }) });
  }

  async function isKnownCrs({ caller, info }: Ask, crs: string | undefined): Promise<Result<boolean, DbError>> {
    if (crs === undefined) return ok(true);
    const found = await db.read(caller, info, [
      statement('select from spatial_ref_sys where srid = $1', crs.slice('EPSG:'.length)),
    ]);
    return found.ok ? ok(first(found.value).rows.length > 0) : found;
  }

  const answerByImport = route(async (ask) => {
    const upload = await byImport(ask);
    return upload.ok ? answer(ask, upload.value) : upload;
  });
  const question = route(async (ask) => {
    const upload = await byImport(ask);
    if (!upload.ok) return upload;
    const { state, session } = upload.value;
    if (state !== 'WAITING') return finalAnswer(ask);
    return ok({
      status: 200,
      body: {
        ...finalReply(upload.value, [], portal.baseUrl(ask.request)),
        question: questionReply(session.question ?? null),
      },
    });
  });

  const remove = route(async (ask) => {
    // A picture or a link on another site must not delete anything: a browser says where a request comes from.
    const from = ask.request.headers['sec-fetch-site'];
    if (
      ask.caller.kind === 'account' &&
      ask.caller.via === 'session' &&
      (from === 'cross-site' || from === 'same-site')
    )
      return err({ kind: 'csrf', reason: 'mismatch' });
    const { id } = ask.request.params as { readonly id?: string };
    const number = wholeNumber(id);
    if (number === undefined) return err({ kind: 'not-found' });
    const gone = await deleteUpload(db, ask.caller, ask.info, number);
    if (!gone.ok) return err({ kind: 'database', error: gone.error });
    if (gone.value === undefined) return err({ kind: 'not-found' });
    for (const blob of gone.value) await blobs.remove(blob);
    return ok({ status: 200, body: { success: true } });
  });

  const importSession = (view: (session: Record<string, unknown>, ask: Ask) => Handled) =>
    route(async (ask) => {
      const { importId } = ask.request.params as { readonly importId?: string };
      const number = wholeNumber(importId);
      if (number === undefined) return err({ kind: 'not-found' });
      const upload = await found(await findUpload(db, ask.caller, ask.info, { importId: number }));
      if (!upload.ok) return upload;
      const run = await findRun(db, upload.value.id);
      if (!run.ok) return err({ kind: 'database', error: run.error });
      const layers = await db.read(ask.caller, ask.info, [
        {
          ...statement(
            `select r.id, r.name, r.title, r.srid as srs from portal.upload_layer l join portal.resource r on r.id = l.resource_id
              where l.upload_id = $1 order by r.id`,
            String(upload.value.id),
          ),
          describe: true,
        },
      ]);
      if (!layers.ok) return err({ kind: 'database', error: layers.error });
      const session = importReply(upload.value, run.value, objects(first(layers.value)), portal.baseUrl(ask.request));
      return view(session, ask);
    });

  await app.register(async (scope) => {
    // Forms with files are left on the wire until it is known who sends them.
    if (scope.hasContentTypeParser('multipart/form-data')) scope.removeContentTypeParser('multipart/form-data');
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined));
    const noBody = { bodyLimit: 64 * 1024 };

    const send = route((ask) => receive(ask, { kind: 'new' }));
    scope.put('/api/v2/uploads/upload', send);
    scope.post('/api/v2/uploads/upload', send);
    for (const collection of ['layers', 'datasets']) {
      for (const kind of ['replace', 'append'] as const) {
        const into = route(async (ask) => {
          const { id } = ask.request.params as { readonly id?: string };
          const layer = wholeNumber(id);
          return layer === undefined ? err({ kind: 'not-found' }) : receive(ask, { kind, layer });
        });
        scope.put(`/api/v2/${collection}/:id/${kind}`, into);
        scope.post(`/api/v2/${collection}/:id/${kind}`, into);
      }
    }

    const final = route(finalAnswer);
    scope.route({ method: ['GET', 'POST', 'PUT'], url: '/upload/final', handler: final, ...noBody });
    scope.get('/upload', question);
    for (const step of ['srs', 'csv', 'check', 'time']) {
      scope.get(`/upload/${step}`, question);
      scope.route({ method: ['POST', 'PUT'], url: `/upload/${step}`, handler: answerByImport, ...noBody });
    }
    scope.route({ method: ['POST', 'PUT'], url: '/upload', handler: answerByImport, ...noBody });
    scope.post(
      '/api/v2/uploads/:id/answer',
      noBody,
      route(async (ask) => {
        const upload = await byId(ask);
        return upload.ok ? answer(ask, upload.value) : upload;
      }),
    );
    scope.route({ method: ['GET', 'POST', 'PUT', 'DELETE'], url: '/upload/delete/:id', handler: remove, ...noBody });
    scope.get(
      '/upload/progress',
      route(async (ask) => {
        const upload = await byImport(ask);
        if (!upload.ok)
          return upload.error.kind === 'not-found' ? ok({ status: 200, body: { state: 'NONE' } }) : upload;
        const run = await findRun(db, upload.value.id);
        return run.ok
          ? ok({ status: 200, body: progressReply(upload.value, run.value) })
          : err({ kind: 'database', error: run.error });
      }),
    );
    scope.get('/api/v2/uploads/:id/events', { config: { negotiates: true } }, async (request, reply) => {
      const who = await portal.identify(request);
      if (!who.ok) return portal.answerError(request, reply, who.error);
      const caller = who.value;
      if (caller.kind === 'visitor') return portal.answerError(request, reply, { kind: 'not-authenticated' });
      const info: RequestInfo = { method: request.method, path: pathOf(request) };
      const upload = await byId({ request, reply, caller, info });
      if (!upload.ok) return portal.answerError(request, reply, upload.error, caller);
      return streamEvents(reply, watch, upload.value.id, async () => {
        const [now, run] = [
          await findUpload(db, caller, info, { id: upload.value.id }),
          await findRun(db, upload.value.id),
        ];
        if (!now.ok || !run.ok) return 'unknown';
        return now.value === undefined ? 'gone' : progressReply(now.value, run.value);
      });
    });

    scope.get(
      '/mapserver/rest/imports/:importId',
      importSession((session) => ok({ status: 200, body: { import: session } })),
    );
    scope.get(
      '/mapserver/rest/imports/:importId/tasks/:task',
      importSession((session, ask) => taskOf(session, ask)),
    );
    scope.get(
      '/mapserver/rest/imports/:importId/tasks/:task/progress',
      importSession((session, ask) => {
        const task = taskOf(session, ask);
        if (!task.ok) return task;
        const { task: body } = task.value.body as {
          readonly task: { readonly state: unknown; readonly share: unknown };
        };
        return ok({ status: 200, body: { progress: body.share, total: 1, state: body.state } });
      }),
    );
  });
}

function taskOf(session: Record<string, unknown>, { request }: Ask): Handled {
  const { task } = request.params as { readonly task?: string };
  const found = (session['tasks'] as readonly { readonly id: number }[]).find(({ id }) => String(id) === task);
  return found === undefined ? err({ kind: 'not-found' }) : ok({ status: 200, body: { task: found } });
}

function found(read: Result<UploadRow | undefined, DbError>): Result<UploadRow, PortalError> {
  if (!read.ok) return err({ kind: 'database', error: read.error });
  return read.value === undefined ? err({ kind: 'not-found' }) : ok(read.value);
}

function receiveFault(fault: ReceiveError): Handled {
  switch (fault.kind) {
    case 'request':
      return err(fault.error);
    case 'too-large':
      return ok({
        status: 413,
        body: {
          success: false,
          errors: [`Total upload size exceeds ${fault.limit} bytes. Please try again with smaller files.`],
        },
      });
    case 'too-many-files':
      return ok({
        status: 400,
        body: { success: false, errors: [`At most ${fault.limit} files can be sent at once.`] },
      });
    case 'no-space':
      return ok({
        status: 507,
        body: { success: false, errors: ['There is no space left for the files. Try again later.'] },
      });
    case 'store':
      throw new Error(`an upload could not be stored: ${JSON.stringify(fault.error)}`);
  }
}

/** What the open question asks for and the answer does not say. */
function missingAnswers(
  { session }: UploadRow,
  answers: ReturnType<typeof parseAnswers>,
): Readonly<Record<string, readonly string[]>> | undefined {
  const required = ['This field is required.'];
  const { question } = session;
  if (question?.kind === 'crs' && answers.crs === undefined) return { crs: ['A code like EPSG:4326 is required.'] };
  if (question?.kind === 'columns' && answers.wkt === undefined) {
    if (answers.x === undefined) return { x: required };
    if (answers.y === undefined) return { y: required };
    const stranger = [answers.x, answers.y].find((column) => !question.columns.includes(column));
    if (stranger !== undefined) return { [stranger === answers.x ? 'x' : 'y']: [`There is no column "${stranger}".`] };
  }
  if (question?.kind === 'columns' && answers.wkt !== undefined && !question.columns.includes(answers.wkt))
    return { wkt: [`There is no column "${answers.wkt}".`] };
  return undefined;
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((one) => typeof one === 'string')
  );
}

function wholeNumber(text: unknown): number | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

function pathOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}
