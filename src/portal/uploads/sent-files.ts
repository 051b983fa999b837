// Files that are sent part by part and taken up again after a cut: the tus protocol 1.0.0 with creation and termination (https://tus.io/protocols/resumable-upload).
// What a request has brought when it ends, or is cut off, is kept as a blob of its own; which of them a file has, and how far it is, the database says.
// So any copy of the program goes on with any file, and blobs are written once, as everywhere.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallerDb } from '../../auth/caller-db.ts';
import { type BlobStore, makeBlobKey } from '../../blobs/blob-store.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Statement, StatementResult } from '../../pg/driver.ts';
import { textRows } from '../../pg/rows.ts';
import { described } from '../description/described-route.ts';
import type { Described } from '../description/operation.ts';
import { arrayOf, MOMENT, record, TEXT } from '../description/schema.ts';
import type { PortalError } from '../errors/portal-error.ts';
import { storeFailure } from '../errors/store-failure.ts';
import { arrayText } from '../fields/bound-value.ts';
import { cleanFileName } from '../files/clean-file-name.ts';
import { leaveUnread } from '../files/leave-unread.ts';
import { sizeLimit, sizeLimitStatement } from '../operations/size-limit.ts';
import type { PortalContext } from '../portal-context.ts';
import { first, statement } from './service-transaction.ts';
import type { Handled, UploadAsk, UploadRoute } from './upload-ask.ts';
import type { ReceivedFile } from './upload-order.ts';

const VERSION = '1.0.0';
const PATH = '/api/v2/uploads/files';
const CONTENT = 'application/offset+octet-stream';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type SentFile = {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly received: number;
  readonly parts: readonly string[];
};

export type SentFileParts = { readonly blobs: BlobStore; readonly limits: { readonly maxBytes: number } };

export function registerSentFiles(
  scope: FastifyInstance,
  portal: PortalContext,
  { blobs, limits }: SentFileParts,
  route: UploadRoute,
): void {
  const { db } = portal;
  // Left on the wire until it is known who sends it, and where to.
  scope.addContentTypeParser(CONTENT, (_request, _payload, done) => done(null, undefined));

  /** Every answer names the version; a request that speaks another one is refused. */
  const tus = (handle: (ask: UploadAsk) => Promise<Handled>): ReturnType<UploadRoute> => {
    const answer = route(async (ask) => {
      if (ask.request.headers['tus-resumable'] === VERSION) return handle(ask);
      leaveUnread(ask.request);
      ask.reply.header('Tus-Version', VERSION);
      return ok({ status: 412, body: { detail: `Tus-Resumable: ${VERSION} is wanted.` } });
    });
    return (request: FastifyRequest, reply: FastifyReply) => answer(request, reply.header('Tus-Resumable', VERSION));
  };

  const create = tus(async ({ request, reply, caller, info }) => {
    const size = byteCount(request.headers['upload-length']);
    if (size === undefined) return err({ kind: 'bad-request', detail: 'Upload-Length is wanted: a number of bytes.' });
    const asked = await db.read(caller, info, [sizeLimitStatement('dataset_upload_size')]);
    if (!asked.ok) return err({ kind: 'database', error: asked.error });
    const most = sizeLimit(first(asked.value), limits.maxBytes);
    if (size > most) return err({ kind: 'too-large', limit: most });
    const metadata = request.headers['upload-metadata'];
    const name = cleanFileName(metadatum(metadata, 'filename'), 'file');
    const made = await db.write(caller, info, [
      statement('select portal.begin_file($1, $2::bigint, $3)', name, String(size), metadatum(metadata, 'mark')),
    ]);
    if (!made.ok) return err({ kind: 'database', error: made.error });
    reply.header('Location', `${portal.baseUrl(request)}${PATH}/${textRows(first(made.value))[0]?.[0]}`);
    return ok({ status: 201 });
  });

  const tell = tus(async (ask) => {
    const found = await findFile(db, ask);
    if (!found.ok) return found;
    ask.reply.headers({ 'Upload-Offset': String(found.value.received), 'Upload-Length': String(found.value.size) });
    return ok({ status: 200 });
  });

  const append = tus(async (ask) => {
    const { request, reply, caller, info } = ask;
    const refuse = (handled: Handled): Handled => {
      leaveUnread(request);
      return handled;
    };
    if (request.headers['content-type'] !== CONTENT)
      return refuse(err({ kind: 'unsupported-media-type', type: request.headers['content-type'] ?? '' }));
    const start = byteCount(request.headers['upload-offset']);
    if (start === undefined)
      return refuse(err({ kind: 'bad-request', detail: 'Upload-Offset is wanted: a number of bytes.' }));
    const found = await findFile(db, ask);
    if (!found.ok) return refuse(found);
    if (start !== found.value.received) return refuse(ok(WRONG_OFFSET));
    const left = found.value.size - start;
    const blob = makeBlobKey('uploads');
    const kept = await blobs.put(blob, whatArrives(request), { maxBytes: left });
    if (!kept.ok) return refuse(err(storeFailure(kept.error)));
    const { size } = kept.value;
    if (size === 0) await blobs.remove(blob);
    else {
      const added = await db.write(caller, info, [
        statement(
          'select portal.add_to_file($1::uuid, $2::bigint, $3, $4::bigint)',
          found.value.id,
          String(start),
          blob,
          String(size),
        ),
      ]);
      const isAdded = added.ok && textRows(first(added.value))[0]?.[0] === 't';
      if (!isAdded) await blobs.remove(blob);
      if (!added.ok) return err({ kind: 'database', error: added.error });
      // Another request has brought the same meanwhile.
      if (!isAdded) return ok(WRONG_OFFSET);
    }
    reply.header('Upload-Offset', String(start + size));
    return ok({ status: 204 });
  });

  const end = tus(async ({ request, caller, info }) => {
    const id = idOf(request);
    if (id === undefined) return err({ kind: 'not-found' });
    const gone = await db.write(caller, info, [dropped([id])]);
    if (!gone.ok) return err({ kind: 'database', error: gone.error });
    const [row] = listed<Pick<SentFile, 'parts'>>(gone.value);
    if (row === undefined) return err({ kind: 'not-found' });
    for (const blob of row.parts) await blobs.remove(blob);
    return ok({ status: 204 });
  });

  scope.post(PATH, described({ ...CREATE, parameters: [RESUMABLE, ...CREATE.parameters] }), create);
  scope.route({ method: 'HEAD', url: `${PATH}/:id`, handler: tell });
  scope.patch(`${PATH}/:id`, described({ ...APPEND, parameters: [RESUMABLE, ID, ...APPEND.parameters] }), append);
  scope.delete(`${PATH}/:id`, described({ ...END, parameters: [RESUMABLE, ID] }), end);
  scope.get(
    PATH,
    described(LIST),
    route(async ({ caller, info }) => {
      const found = await db.read(caller, info, [statement(`${LISTED} portal.my_files(null) f`)]);
      if (!found.ok) return err({ kind: 'database', error: found.error });
      // Where it lies is nobody's business.
      const files = listed<SentFile>(found.value).map(({ parts: _, ...file }) => file);
      return ok({ status: 200, body: { files } });
    }),
  );
}

const WRONG_OFFSET = {
  status: 409,
  body: { detail: 'Upload-Offset is not where the file ends: ask where by HEAD.' },
} as const;

/** What has come until the connection was cut is as good as the rest. */
async function* whatArrives({ raw }: FastifyRequest): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of raw as AsyncIterable<Uint8Array>) yield chunk;
  } catch {
    if (!raw.destroyed) throw new Error('a request could not be read');
  }
}

async function findFile(db: CallerDb, { request, caller, info }: UploadAsk): Promise<Result<SentFile, PortalError>> {
  const id = idOf(request);
  if (id === undefined) return err({ kind: 'not-found' });
  const found = await db.read(caller, info, [mine([id])]);
  if (!found.ok) return err({ kind: 'database', error: found.error });
  const [file] = listed<SentFile>(found.value);
  return file === undefined ? err({ kind: 'not-found' }) : ok(file);
}

/** The files that a form names, whole, as if they had come with it; what is wrong with them in words. They stay until the upload has them. */
export async function sentFiles(
  db: CallerDb,
  blobs: BlobStore,
  { caller, info }: UploadAsk,
  ids: readonly string[],
): Promise<Result<readonly ReceivedFile[], PortalError | string>> {
  const found = ids.every((id) => UUID.test(id)) ? await db.read(caller, info, [mine(ids)]) : undefined;
  if (found?.ok === false) return err({ kind: 'database', error: found.error });
  const files = found === undefined ? [] : listed<SentFile>(found.value);
  const received: ReceivedFile[] = [];
  for (const [i, id] of ids.entries()) {
    const file = files.find((one) => one.id === id);
    if (file === undefined) return err(`sent_files: ${id.slice(0, 40)} is not there.`);
    if (file.received < file.size) return err(`sent_files: ${file.name} has not been sent to its end.`);
    const blob = await wholeOf(db, blobs, { caller, info }, file);
    if (!blob.ok) return blob;
    received.push({ field: i === 0 ? 'base_file' : '', name: file.name, blob: blob.value, size: file.size });
  }
  return ok(received);
}

/** The upload has them now. */
export async function forgetSentFiles(
  db: CallerDb,
  { caller, info }: UploadAsk,
  ids: readonly string[],
): Promise<void> {
  await db.write(caller, info, [dropped(ids)]);
}

/** One blob of all parts. */
async function wholeOf(
  db: CallerDb,
  blobs: BlobStore,
  { caller, info }: Pick<UploadAsk, 'caller' | 'info'>,
  { id, parts }: SentFile,
): Promise<Result<string, PortalError>> {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return ok(only);
  const whole = makeBlobKey('uploads');
  const put = await blobs.put(whole, contentOf(blobs, parts));
  if (!put.ok) return err(storeFailure(put.error));
  const joined = await db.write(caller, info, [
    statement('select portal.join_file($1::uuid, $2::text[], $3)', id, arrayText(parts), whole),
  ]);
  const isJoined = joined.ok && textRows(first(joined.value))[0]?.[0] === 't';
  for (const blob of isJoined ? parts : [whole]) await blobs.remove(blob);
  if (!joined.ok) return err({ kind: 'database', error: joined.error });
  return isJoined ? ok(whole) : err({ kind: 'not-found' });
}

async function* contentOf(blobs: BlobStore, parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const open = await blobs.open(part);
    if (!open.ok) throw new Error(`a part of a file could not be read: ${JSON.stringify(open.error)}`);
    yield* open.value.stream as AsyncIterable<Uint8Array>;
  }
}

const LISTED = `select coalesce(json_agg(f), '[]') from`;
const mine = (ids: readonly string[]): Statement =>
  statement(`${LISTED} portal.my_files($1::uuid[]) f`, arrayText(ids));
const dropped = (ids: readonly string[]): Statement =>
  statement(`${LISTED} portal.drop_files($1::uuid[]) f`, arrayText(ids));

function listed<T>(executed: readonly StatementResult[]): readonly T[] {
  return JSON.parse(textRows(first(executed))[0]?.[0] ?? '[]') as readonly T[];
}

function idOf({ params }: FastifyRequest): string | undefined {
  const { id = '' } = params as { readonly id?: string };
  return UUID.test(id) ? id : undefined;
}

function byteCount(header: string | readonly string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/** `filename d29ybGQ=,filetype dGV4dA==`: keys, each with its value in base64. Empty: it is not there. */
function metadatum(header: string | readonly string[] | undefined, key: string): string {
  const pair = String(header ?? '')
    .split(',')
    .map((one) => one.trim().split(' '))
    .find(([name]) => name === key);
  return Buffer.from(pair?.[1] ?? '', 'base64')
    .toString('utf8')
    .replaceAll('\0', '')
    .slice(0, 1000);
}

const RESUMABLE = {
  name: 'Tus-Resumable',
  in: 'header',
  schema: { type: 'string', enum: [VERSION] },
  required: true,
} as const;
const ID = { name: 'id', in: 'path', schema: { type: 'string', format: 'uuid' } } as const;
const BYTES = { type: 'integer', minimum: 0 } as const;

const CREATE = {
  id: 'uploads_files_create',
  tag: 'uploads',
  summary: {
    en: 'Begin to send a file part by part (tus 1.0.0); `Location` is where its bytes go',
    de: 'Eine Datei in Teilen senden (tus 1.0.0); `Location` sagt, wohin die Bytes gehen',
  },
  parameters: [
    { name: 'Upload-Length', in: 'header', schema: BYTES, required: true },
    {
      name: 'Upload-Metadata',
      in: 'header',
      schema: TEXT,
      description: '`filename`, `mark` (by which the sender knows it again), each with its value in base64.',
    },
  ],
  answers: { 201: undefined },
  refusals: [400, 401, 403],
  says: {
    412: { en: 'Another version of tus is spoken here', de: 'Hier wird eine andere Fassung von tus gesprochen' },
    413: { en: 'Larger than is taken here', de: 'Größer, als hier angenommen wird' },
  },
} as const satisfies Described;

const APPEND = {
  id: 'uploads_files_append',
  tag: 'uploads',
  summary: {
    en: 'The next bytes of the file, from where it ends: HEAD says where. What comes before a cut is kept',
    de: 'Die nächsten Bytes der Datei, ab ihrem Ende: HEAD sagt, wo das ist. Was vor einem Abbruch ankommt, bleibt',
  },
  parameters: [{ name: 'Upload-Offset', in: 'header', schema: BYTES, required: true }],
  answers: { 204: undefined },
  refusals: [400, 401, 403, 404, 415],
  says: {
    409: { en: 'The file does not end there', de: 'Die Datei endet nicht dort' },
    412: CREATE.says[412],
    413: CREATE.says[413],
  },
} as const satisfies Described;

const END = {
  id: 'uploads_files_delete',
  tag: 'uploads',
  summary: { en: 'Give a file up', de: 'Eine Datei aufgeben' },
  answers: { 204: undefined },
  refusals: [400, 401, 403, 404],
  says: { 412: CREATE.says[412] },
} as const satisfies Described;

const LIST = {
  id: 'uploads_files_list',
  tag: 'uploads',
  summary: {
    en: 'One’s own files that were begun and that no upload has taken yet; they are kept for a week',
    de: 'Die eigenen begonnenen Dateien, die noch kein Upload übernommen hat; sie bleiben eine Woche',
  },
  answers: {
    200: record({
      files: arrayOf(
        record({
          id: { type: 'string', format: 'uuid' },
          name: TEXT,
          size: BYTES,
          mark: TEXT,
          received: BYTES,
          begun: MOMENT,
        }),
      ),
    }),
  },
  refusals: [401, 403],
} as const satisfies Described;
