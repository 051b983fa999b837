// The addresses of uploads: sending files, asking how far they are, answering, deleting. What an upload looks like as a record
// is the catalogue's business (`/api/v2/uploads/{id}/`).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Sessions } from '../accounts/sessions.ts';
import { described } from '../description/described-route.ts';
import type { Described } from '../description/operation.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { leaveUnread } from '../files/leave-unread.ts';
import type { PortalContext } from '../portal-context.ts';
import { answerQuestion } from './answer-question.ts';
import { applyForm } from './apply-form.ts';
import { registerExecutions } from './execution-routes.ts';
import { finishedLayers } from './finished-layers.ts';
import { findRun, findRuns } from './import-run.ts';
import { registerImportSessions } from './import-session-routes.ts';
import { makePreviewUpload, type PreviewTable } from './preview-upload.ts';
import { PREVIEW } from './previews-described.ts';
import { type ReceiveParts, receiveUpload } from './receive-upload.ts';
import { registerSentFiles } from './sent-files.ts';
import {
  type Handled,
  infoOf,
  makeUploadRoute,
  type UploadAsk,
  uploadById,
  uploadByImport,
  wholeNumber,
} from './upload-ask.ts';
import { streamEvents, type UploadNews } from './upload-events.ts';
import { acceptedReply, finalReply, progressReply, questionReply } from './upload-replies.ts';
import { deleteUpload, findUploads, retryUpload } from './upload-store.ts';
import type { UploadWatch } from './upload-watch.ts';
import { ANSWER, EVENTS, files, MANY_EVENTS, OUTCOME, PROGRESS_OF, RETRY } from './uploads-described.ts';

export type UploadOptions = ReceiveParts & {
  readonly watch: UploadWatch;
  /** Undefined: nothing is looked at before it is imported. */
  readonly preview?: PreviewTable;
};
type Routed = UploadOptions & {
  /** A form without files. */
  readonly emptyDataset: (ask: UploadAsk) => Promise<Handled>;
};

/** The files of a record that was made without any. */
export function takeFilesOf(
  portal: PortalContext,
  parts: ReceiveParts,
  sessions: Sessions,
): ReturnType<ReturnType<typeof makeUploadRoute>> {
  return makeUploadRoute(
    portal,
    sessions,
  )(async (ask) => {
    const record = await uploadById(portal.db, ask);
    if (record.ok) return receiveUpload(portal, parts, ask, { kind: 'new' }, record.value);
    leaveUnread(ask.request);
    return record;
  });
}

/** Every path with and without the prefix of the API's version. */
export async function registerUploads(
  app: FastifyInstance,
  portal: PortalContext,
  options: Routed,
  sessions: Sessions,
): Promise<void> {
  const { db } = portal;
  const { blobs, jobs, watch } = options;
  const route = makeUploadRoute(portal, sessions);

  async function finalAnswer(ask: UploadAsk): Promise<Handled> {
    const upload = await uploadByImport(db, ask);
    if (!upload.ok) return upload;
    const layers = await finishedLayers(db, ask, [upload.value]);
    if (!layers.ok) return err({ kind: 'database', error: layers.error });
    const made = layers.value.get(upload.value.id) ?? [];
    return ok({ status: 200, body: finalReply(upload.value, made, portal.baseUrl(ask.request)) });
  }

  /** What the form says is applied or refused first. */
  async function finalWithWishes(ask: UploadAsk): Promise<Handled> {
    const upload = await uploadByImport(db, ask);
    if (!upload.ok) return upload;
    const applied = await applyForm(portal, jobs, ask, upload.value);
    if (!applied.ok) return applied;
    const answered = await finalAnswer(ask);
    if (!answered.ok || applied.value.length === 0) return answered;
    const { status, body } = answered.value;
    return ok({ status, body: { ...(body as object), meta: { ignored: applied.value } } });
  }

  const answerByImport = route(async (ask) => {
    const upload = await uploadByImport(db, ask);
    return upload.ok ? answerQuestion(portal, jobs, ask, upload.value) : upload;
  });
  const question = route(async (ask) => {
    const upload = await uploadByImport(db, ask);
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
    if (ask.request.method === 'GET' && !isScript(ask)) {
      ask.reply.header('Allow', 'DELETE, OPTIONS, POST, PUT');
      return err({ kind: 'method-not-allowed', method: 'GET' });
    }
    const { id } = ask.request.params as { readonly id?: string };
    const number = wholeNumber(id);
    if (number === undefined) return err({ kind: 'not-found' });
    const gone = await deleteUpload(db, ask.caller, ask.info, number);
    if (!gone.ok) return err({ kind: 'database', error: gone.error });
    if (gone.value === undefined) return err({ kind: 'not-found' });
    for (const blob of gone.value) await blobs.remove(blob);
    return ok({ status: 200, body: { success: true } });
  });

  await app.register(async (scope) => {
    // Forms with files are left on the wire until it is known who sends them.
    if (scope.hasContentTypeParser('multipart/form-data')) scope.removeContentTypeParser('multipart/form-data');
    scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined));
    const noBody = { bodyLimit: 64 * 1024 };
    registerSentFiles(scope, portal, options, route);

    const send = route((ask) =>
      isJson(ask.request) ? options.emptyDataset(ask) : receiveUpload(portal, options, ask, { kind: 'new' }),
    );
    scope.put('/api/v2/uploads/upload', described(files('uploads_upload', 'put', true)), send);
    scope.post('/api/v2/uploads/upload', described(files('uploads_upload', 'post', true)), send);
    // Otherwise it would be looked for among the uploads.
    scope.get('/api/v2/uploads/upload', { config: { isRefusal: true } }, (request, reply) =>
      portal.answerError(request, reply.header('Allow', 'OPTIONS, POST, PUT'), {
        kind: 'method-not-allowed',
        method: request.method,
      }),
    );
    if (options.preview !== undefined) {
      scope.post(
        '/api/v2/uploads/preview',
        described(PREVIEW),
        route(makePreviewUpload(portal, options, options.preview)),
      );
      scope.get('/api/v2/uploads/preview', { config: { isRefusal: true } }, (request, reply) =>
        portal.answerError(request, reply.header('Allow', 'OPTIONS, POST'), {
          kind: 'method-not-allowed',
          method: request.method,
        }),
      );
    }
    const fill = takeFilesOf(portal, options, sessions);
    scope.post('/api/v2/uploads/:id', described(files('uploads_item', 'post')), fill);
    scope.put('/api/v2/uploads/:id/files', described(files('uploads_files', 'put')), fill);
    scope.post('/api/v2/uploads/:id/files', described(files('uploads_files', 'post')), fill);
    for (const collection of ['layers', 'datasets']) {
      for (const kind of ['replace', 'append'] as const) {
        const into = route(async (ask) => {
          const { id } = ask.request.params as { readonly id?: string };
          const layer = wholeNumber(id);
          return layer === undefined
            ? err({ kind: 'not-found' })
            : receiveUpload(portal, options, ask, { kind, layer });
        });
        scope.put(`/api/v2/${collection}/:id/${kind}`, described(files(`${collection}_${kind}`, 'put')), into);
        scope.post(`/api/v2/${collection}/:id/${kind}`, described(files(`${collection}_${kind}`, 'post')), into);
      }
    }

    const final = route(finalAnswer);
    scope.get('/upload/final', described(OUTCOME.get), final);
    const finish = route(finalWithWishes);
    scope.put('/upload/final', { ...noBody, ...described(OUTCOME.put) }, finish);
    scope.post('/upload/final', { ...noBody, ...described(OUTCOME.post) }, finish);
    scope.get('/upload', question);
    for (const step of ['srs', 'csv', 'check', 'time']) {
      scope.get(`/upload/${step}`, question);
      scope.route({ method: ['POST', 'PUT'], url: `/upload/${step}`, handler: answerByImport, ...noBody });
    }
    scope.route({ method: ['POST', 'PUT'], url: '/upload', handler: answerByImport, ...noBody });
    scope.post(
      '/api/v2/uploads/:id/answer',
      { ...noBody, ...described(ANSWER) },
      route(async (ask) => {
        const upload = await uploadById(db, ask);
        return upload.ok ? answerQuestion(portal, jobs, ask, upload.value) : upload;
      }),
    );
    scope.route({ method: ['GET', 'POST', 'PUT', 'DELETE'], url: '/upload/delete/:id', handler: remove, ...noBody });
    scope.post(
      '/api/v2/uploads/:id/retry',
      { ...noBody, ...described(RETRY) },
      route(async (ask) => {
        const upload = await uploadById(db, ask);
        if (!upload.ok) return upload;
        const retried = await retryUpload(db, jobs, ask.caller, ask.info, upload.value.id);
        if (!retried.ok) return err({ kind: 'database', error: retried.error });
        return retried.value
          ? ok({ status: 200, body: acceptedReply(upload.value) })
          : err({ kind: 'bad-request', detail: 'Only a failed import whose files are kept can be tried again.' });
      }),
    );
    scope.get(
      '/upload/progress',
      described(PROGRESS_OF),
      route(async (ask) => {
        const upload = await uploadByImport(db, ask);
        if (!upload.ok)
          return upload.error.kind === 'not-found' ? ok({ status: 200, body: { state: 'NONE' } }) : upload;
        const run = await findRun(db, upload.value.id);
        return run.ok
          ? ok({ status: 200, body: progressReply(upload.value, run.value) })
          : err({ kind: 'database', error: run.error });
      }),
    );
    const events =
      (idsOf: (ask: UploadAsk) => Promise<Result<readonly number[], PortalError>>) =>
      async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
        const who = await portal.identify(request);
        if (!who.ok) return portal.answerError(request, reply, who.error);
        const caller = who.value;
        if (caller.kind === 'visitor') return portal.answerError(request, reply, { kind: 'not-authenticated' });
        const info = infoOf(request);
        const ids = await idsOf({ request, reply, caller, info });
        if (!ids.ok) return portal.answerError(request, reply, ids.error, caller);
        return streamEvents(reply, watch, ids.value, (asked) => newsOf(db, caller, info, asked));
      };
    const ofOne = events(async (ask) => {
      const upload = await uploadById(db, ask);
      return upload.ok ? ok([upload.value.id]) : upload;
    });
    const streamed = (what: Described): { readonly config: object } => ({
      config: { negotiates: true, described: what },
    });
    scope.get('/api/v2/uploads/:id/events', streamed(EVENTS), ofOne);
    scope.get(
      '/api/v2/uploads/events',
      streamed(MANY_EVENTS),
      events(async (ask) => followedIds(ask)),
    );

    registerExecutions(scope, portal, blobs, route);
    registerImportSessions(scope, portal, route);
  });
}

/** Uploads that one stream tells of. */
const MAX_FOLLOWED = 100;

/** `?ids=7,8,9`; what the caller does not see is told as gone. */
function followedIds({ request }: UploadAsk): Result<readonly number[], PortalError> {
  const { ids } = request.query as { readonly ids?: unknown };
  const numbers = typeof ids === 'string' ? ids.split(',', MAX_FOLLOWED + 1).map(wholeNumber) : [];
  const known = numbers.filter((number) => number !== undefined);
  if (known.length === 0 || known.length < numbers.length || known.length > MAX_FOLLOWED)
    return err({ kind: 'bad-request', detail: `Which uploads? ids=7,8,9 names up to ${MAX_FOLLOWED} of them.` });
  return ok([...new Set(known)]);
}

async function newsOf(db: CallerDb, caller: Caller, info: RequestInfo, ids: readonly number[]): Promise<UploadNews> {
  const [uploads, runs] = [await findUploads(db, caller, info, ids), await findRuns(db, ids)];
  if (!uploads.ok || !runs.ok) return undefined;
  return new Map(uploads.value.map((upload) => [upload.id, progressReply(upload, runs.value.get(upload.id))]));
}

/**
 * Clients of GeoNode delete by GET. A browser sends a GET for every picture and link, with the session's cookie or the password it
 * remembers, and whoever chose the address of a picture would delete in the name of whoever looks at it; so only what no browser sends
 * by itself counts.
 */
function isJson(request: UploadAsk['request']): boolean {
  return /^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
}

function isScript({ request, caller }: UploadAsk): boolean {
  const { headers } = request;
  const isFromBrowser = headers['sec-fetch-mode'] !== undefined || headers['sec-fetch-site'] !== undefined;
  return caller.kind === 'account' && caller.via !== 'session' && !isFromBrowser;
}
