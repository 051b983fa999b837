// A request about uploads: who asks and what, and which upload is meant. Visitors are sent away before anything is read.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { noteCause } from '../../http/request-notes.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { leaveUnread } from '../files/leave-unread.ts';
import type { PortalContext } from '../portal-context.ts';
import type { UploadRow } from './upload-row.ts';
import { findUpload } from './upload-store.ts';

/** Without a body where there is nothing to say. */
export type Handled = Result<{ readonly status: number; readonly body?: unknown }, PortalError>;

export type UploadAsk = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly info: RequestInfo;
};

export type UploadRoute = (
  handle: (ask: UploadAsk) => Promise<Handled>,
) => (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Long enough for an import and the questions it asks; scripts that keep no cookies leave one behind with every file. */
const SCRIPT_SESSION_SECONDS = 24 * 3600;

export function makeUploadRoute(portal: PortalContext, sessions: Sessions): UploadRoute {
  return (handle) => async (request, reply) => {
    const who = await portal.identify(request);
    const isStranger = !who.ok || who.value.kind === 'visitor';
    if (isStranger && request.headers['content-type']?.startsWith('multipart/') === true) leaveUnread(request);
    if (!who.ok) return portal.answerError(request, reply, who.error);
    const caller = who.value;
    if (caller.kind === 'visitor') return portal.answerError(request, reply, { kind: 'not-authenticated' });
    const info = infoOf(request);
    const handled = await handle({ request, reply, caller, info });
    reply.header('Cache-Control', 'no-store');
    if (!handled.ok) return portal.answerError(request, reply, handled.error, caller);
    const { status, body } = handled.value;
    // Who sends parts of files has the cookies from what comes after, or needs none.
    if (status < 400 && body !== undefined) {
      const begun = await beginForScript(sessions, request, reply, caller);
      if (!begun.ok) return portal.answerError(request, reply, begun.error, caller);
    }
    if (body === undefined) return reply.code(status).send();
    if (status >= 500) noteCause(request.raw, JSON.stringify(body));
    return reply.code(status).type('application/json').send(JSON.stringify(body));
  };
}

/**
 * Who sends files with name and password is signed in by that, as with GeoNode: its clients ask on with the cookies alone. Reading
 * begins nothing, or every look at the progress would leave a session behind.
 */
async function beginForScript(
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
): Promise<Result<void, PortalError>> {
  if (caller.kind === 'visitor' || caller.via !== 'basic' || request.method === 'GET') return ok(undefined);
  const current = await sessions.find(request);
  if (!current.ok) return current;
  if (current.value?.account.id === caller.id) return ok(undefined);
  return sessions.begin(request, reply, caller, { seconds: SCRIPT_SESSION_SECONDS });
}

export function infoOf(request: FastifyRequest): RequestInfo {
  const { method, url } = request;
  const mark = url.indexOf('?');
  return { method, path: mark < 0 ? url : url.slice(0, mark) };
}

/** `?id=`: the number of the import. */
export async function uploadByImport(
  db: CallerDb,
  { request, caller, info }: UploadAsk,
): Promise<Result<UploadRow, PortalError>> {
  const { id } = request.query as { readonly id?: unknown };
  if (id === undefined) return err({ kind: 'bad-request', detail: 'The number of the import is missing: ?id=…' });
  const importId = wholeNumber(id);
  return importId === undefined
    ? err({ kind: 'not-found' })
    : foundUpload(await findUpload(db, caller, info, { importId }));
}

/** `/{id}`: the number of the upload. */
export async function uploadById(
  db: CallerDb,
  { request, caller, info }: UploadAsk,
): Promise<Result<UploadRow, PortalError>> {
  const { id } = request.params as { readonly id?: string };
  const number = wholeNumber(id);
  return number === undefined
    ? err({ kind: 'not-found' })
    : foundUpload(await findUpload(db, caller, info, { id: number }));
}

export function foundUpload(read: Result<UploadRow | undefined, DbError>): Result<UploadRow, PortalError> {
  if (!read.ok) return err({ kind: 'database', error: read.error });
  return read.value === undefined ? err({ kind: 'not-found' }) : ok(read.value);
}

export function wholeNumber(text: unknown): number | undefined {
  return typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
