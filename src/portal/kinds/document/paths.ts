// Documents with files: sent as multipart forms, and downloaded.

import type { FastifyInstance } from 'fastify';
import { err, ok, type Result } from '../../../kernel/result.ts';
import { mayBeCommitted } from '../../../pg/may-be-committed.ts';
import { raw, sql } from '../../../sql/index.ts';
import { described } from '../../description/described-route.ts';
import type { Described } from '../../description/operation.ts';
import type { PortalError } from '../../errors/portal-error.ts';
import { type BoundValue, bound } from '../../fields/bound-value.ts';
import { leaveUnread } from '../../files/leave-unread.ts';
import { isMultipart, readForm } from '../../files/multipart.ts';
import type { Collection } from '../../operations/collection.ts';
import { createOne, createRecords, newElement } from '../../operations/create.ts';
import { type Answer, type ApiContext, asAccountRoute, asRoute, type Exchange } from '../../operations/exchange.ts';
import { cellOf } from '../../operations/read.ts';
import { bodyOf, type OwnHandlers, pathId } from '../../operations/register-collection.ts';
import { sendBlob } from '../../operations/send-blob.ts';
import { sizeLimit, sizeLimitStatement } from '../../operations/size-limit.ts';
import { spaceFor } from '../../operations/space-for.ts';
import { updateItem } from '../../operations/update.ts';
import { parseCatalogueQuery } from '../../query/catalogue-query.ts';
import { withArrival } from './collection.ts';
import { type DocumentFile, receiveDocument } from './receive-document.ts';
import { withFile } from './stored-file.ts';

/** Handlers that take a file, for the collection's own routes. */
export function documentHandlers(
  context: ApiContext,
  documents: Collection,
): Required<Pick<OwnHandlers, 'create' | 'change'>> {
  return {
    async create(exchange) {
      if (!isMultipart(exchange.request)) {
        const body = await bodyOf(exchange);
        return body.ok ? createRecords(context, exchange, documents, body.value) : body;
      }
      const query = parseCatalogueQuery(exchange.query, documents.rules);
      if (!query.ok) return query;
      return withForm(context, exchange, async ({ fields, file }) => {
        const named =
          file === undefined || Object.hasOwn(fields, 'title') ? fields : { ...fields, title: titleOf(file) };
        const element = await newElement(named, documents, exchange, (draft) => withFile(draft, file, documents));
        return element.ok ? createOne(context, exchange, documents, element.value, query.value) : element;
      });
    },
    async change(exchange) {
      const id = pathId(exchange);
      if (!isMultipart(exchange.request)) {
        const body = await bodyOf(exchange);
        return body.ok ? updateItem(context, exchange, documents, id, body.value) : body;
      }
      return withForm(context, exchange, ({ fields, file }) =>
        updateItem(context, exchange, withFileOf(documents, file), id, fields),
      );
    },
  };
}

/** The collection as this request writes to it: with a file beside the fields. */
function withFileOf(documents: Collection, file: DocumentFile | undefined): Collection {
  const { writer } = documents;
  if (writer === undefined || file === undefined) return documents;
  return {
    ...documents,
    writer: {
      ...writer,
      async prepare(draft, mode, exchange) {
        const prepared = writer.prepare === undefined ? ok(draft) : await writer.prepare(draft, mode, exchange);
        return prepared.ok ? ok(withArrival(withFile(prepared.value, file, documents))) : prepared;
      },
    },
  };
}

export type DocumentForm = {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: DocumentFile | undefined;
};

/** Reads the form, keeps its file, and lets go of it again when the record does not come to be. */
export async function withForm(
  context: ApiContext,
  exchange: Exchange,
  work: (form: DocumentForm) => Promise<Result<Answer, PortalError>>,
): Promise<Result<Answer, PortalError>> {
  const { db, blobs, maxDocumentBytes } = context;
  // Before anything is stored: may this caller add anything at all?
  const asked = await db.read(exchange.caller, exchange.info, [
    { text: 'select portal.may_add()', params: [], name: 'portal_may_add' },
    spaceFor(exchange.request),
    sizeLimitStatement('document_upload_size'),
  ]);
  if (!asked.ok) leaveUnread(exchange.request);
  if (!asked.ok) return err({ kind: 'database', error: asked.error });
  if (cellOf(asked.value[0])?.toString() !== 't') return err({ kind: 'forbidden' });
  let received: Result<DocumentFile, PortalError> | undefined;
  const maxFileBytes = sizeLimit(asked.value[2], maxDocumentBytes);
  const fields = await readForm(exchange.request, {
    maxFileBytes,
    async onFile(part) {
      received = await receiveDocument(blobs, part, maxFileBytes);
    },
  });
  const file = received?.ok === true ? received.value : undefined;
  // What is wrong with the file may be why the form was not read to its end.
  const done = received?.ok === false ? received : !fields.ok ? fields : await work({ fields: fields.value, file });
  if (!done.ok && !mayBeCommitted(done.error) && file !== undefined) await blobs.remove(file.blob);
  return done;
}

export function titleOf({ fileName }: DocumentFile): string {
  return fileName.replace(/\.[^.]*$/, '') || fileName;
}

const file = (id: string, refusals: Described['refusals'] = []): Described => ({
  id,
  tag: 'documents',
  summary: { en: 'One record', de: 'Ein Datensatz' },
  answers: { 200: undefined, 302: undefined },
  contents: { 200: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
  refusals,
});

export function registerDocumentPaths(app: FastifyInstance, context: ApiContext): void {
  const download = asRoute(context, (exchange) => sendDocument(context, exchange));
  app.get('/documents/:id/download', described(file('documents_download', [401, 403, 404])), download);
  app.get(
    '/documents/:id/view',
    described(file('documents_view', [404])),
    asRoute(context, (exchange) => sendShown(context, exchange)),
  );
  app.get('/api/v2/documents/:id/download', described(file('documents_download_by_api', [401, 403, 404])), download);
  app.get(
    '/api/v2/uploads/:id/files/:file',
    described({ ...file('uploads_file', [401, 404]), tag: 'uploads', answers: { 200: undefined } }),
    asAccountRoute(context, (exchange) => sendUploadFile(context, exchange)),
  );
}

/** The file's row is there for who may download it; where only the item is, the answer is a refusal. */
async function sendDocument({ db, blobs }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const id = pathId(exchange);
  if (id === undefined) return err({ kind: 'not-found' });
  const executed = await db.read(exchange.caller, exchange.info, [
    exchange.statement(
      sql<BoundValue>`select f.blob, f.file_name, r.mime_type, r.doc_url, portal.may(r.id, 'download_resourcebase') from portal.resource r left join portal.document_file f on f.resource_id = r.id where r.id = ${bound(String(id))}::integer and ${raw("r.resource_type = 'document'")}`,
    ),
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const [row] = executed.value[0]?.rows ?? [];
  if (row === undefined) return err({ kind: 'not-found' });
  const [blob, name, mime, address, may] = row.map((cell) => cell?.toString());
  if (may !== 't') return err({ kind: 'forbidden' });
  if (blob === undefined) {
    return address === undefined ? err({ kind: 'not-found' }) : ok({ status: 302, headers: { Location: address } });
  }
  return sendBlob(
    blobs,
    { blob, name: name ?? 'document', mime: mime ?? 'application/octet-stream' },
    exchange.request.headers.range,
  );
}

/** What a page shows of a document: pictures, films and sounds, for who sees it. */
async function sendShown({ db, blobs }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const id = pathId(exchange);
  if (id === undefined) return err({ kind: 'not-found' });
  const executed = await db.read(exchange.caller, exchange.info, [
    exchange.statement(
      sql<BoundValue>`select f.blob, f.file_name, f.mime_type, f.address from portal.shown_file(${bound(String(id))}::integer) f`,
    ),
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const [row] = executed.value[0]?.rows ?? [];
  const [blob, name, mime, address] = row?.map((cell) => cell?.toString()) ?? [];
  if (blob === undefined)
    return address === undefined ? err({ kind: 'not-found' }) : ok({ status: 302, headers: { Location: address } });
  return sendBlob(
    blobs,
    { blob, name: name ?? 'document', mime: mime ?? 'application/octet-stream' },
    exchange.request.headers.range,
  );
}

async function sendUploadFile({ db, blobs }: ApiContext, exchange: Exchange): Promise<Result<Answer, PortalError>> {
  const { file = '' } = exchange.request.params as { readonly file?: string };
  const id = pathId(exchange);
  if (id === undefined || !/^[1-9]\d{0,8}$/.test(file)) return err({ kind: 'not-found' });
  const executed = await db.read(exchange.caller, exchange.info, [
    exchange.statement(
      sql<BoundValue>`select f.blob, f.name from portal.upload_file f where f.id = ${bound(file)}::integer and f.upload_id = ${bound(String(id))}::integer`,
    ),
  ]);
  if (!executed.ok) return err({ kind: 'database', error: executed.error });
  const [blob, name] = (executed.value[0]?.rows[0] ?? []).map((cell) => cell?.toString());
  if (blob === undefined) return err({ kind: 'not-found' });
  return sendBlob(
    blobs,
    { blob, name: name ?? 'file', mime: 'application/octet-stream' },
    exchange.request.headers.range,
  );
}
