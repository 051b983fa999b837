// A layer renewed from the address that it follows: fetched, and where something changed, handed to an import as the account that wanted it. What is due
// is taken from the database one at a time, so of several copies of the program one asks.

import { createHash } from 'node:crypto';
import type { Caller } from '../../auth/caller.ts';
import type { CallerDb, RequestInfo } from '../../auth/caller-db.ts';
import { type BlobStore, makeBlobKey } from '../../blobs/blob-store.ts';
import type { RemoteFetch } from '../../http/outbound/remote-fetch.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { DbError } from '../../pg/driver.ts';
import { findAccount } from '../uploads/import-upload.ts';
import { statement } from '../uploads/service-transaction.ts';
import { layerName, type UploadOrder } from '../uploads/upload-order.ts';
import type { WantedSource } from '../uploads/upload-row.ts';
import { createUpload } from '../uploads/upload-store.ts';
import { type FetchedFile, fetchAddress } from './fetch-address.ts';
import type { Address } from './source-order.ts';

export type SourceParts = {
  readonly db: CallerDb;
  readonly blobs: BlobStore;
  readonly jobs: Pick<Jobs, 'send'>;
  readonly remote: RemoteFetch;
};

/** What `portal.next_source` and `portal.source_now` answer. */
export type DueSource = Address & {
  readonly layer: number;
  readonly account: number;
  readonly key: string | null;
  readonly fingerprint: string | null;
  readonly name: string;
};

export type SourceFault =
  | { readonly kind: 'database'; readonly error: DbError }
  /** The address is to blame; a sentence. */
  | { readonly kind: 'address'; readonly said: string };

const INFO: RequestInfo = { method: 'JOB', path: '/api/v2/layers/source' };
const QUEUE = 'layer-sources';
const EVERY_SECONDS = 60;
/** In one run; what is left is due in the next. */
const MAX_AT_ONCE = 20;

/** The number of the import; undefined: nothing has changed. */
export async function refreshSource(
  parts: SourceParts,
  due: DueSource,
): Promise<Result<number | undefined, SourceFault>> {
  const { db } = parts;
  const note = (mark: string | null, failure: string | null) =>
    db.service([statement('select portal.source_asked($1, $2, $3)', String(due.layer), mark, failure)]);
  const failed = async (said: string): Promise<Result<never, SourceFault>> => {
    const noted = await note(null, said);
    return err(noted.ok ? { kind: 'address', said } : { kind: 'database', error: noted.error });
  };
  const caller = await findAccount(db, due.account);
  if (!caller.ok) return err({ kind: 'database', error: caller.error });
  if (caller.value === undefined) return failed('The account that wanted it is no longer active.');
  const fetched = await fetchAddress(parts.remote, due);
  if (!fetched.ok) return failed(fetched.error);
  const mark = fingerprintOf(fetched.value);
  if (mark === due.fingerprint) {
    const noted = await note(mark, null);
    return noted.ok ? ok(undefined) : err({ kind: 'database', error: noted.error });
  }
  const source = { key: due.key, fingerprint: mark };
  const begun = await beginImport(parts, caller.value, INFO, fetched.value, source, {
    kind: 'sync',
    layer: due.layer,
    name: due.name,
  });
  // How it ends, the database notes with the upload.
  return begun.ok || begun.error.kind === 'database' ? begun : failed(begun.error.said);
}

export function fingerprintOf({ body }: FetchedFile): string {
  return createHash('sha256').update(body).digest('base64url');
}

type Into =
  | { readonly kind: 'sync'; readonly layer: number; readonly name: string }
  | { readonly kind: 'new'; readonly title: string | undefined };

/** `source`: what the import knows of it, and a new layer follows afterwards. */
export async function beginImport(
  { db, blobs, jobs }: SourceParts,
  caller: Caller,
  info: RequestInfo,
  { name, body }: FetchedFile,
  source: WantedSource,
  into: Into,
): Promise<Result<number, SourceFault>> {
  const blob = makeBlobKey('uploads');
  const stored = await blobs.put(
    blob,
    (async function* () {
      yield body;
    })(),
  );
  if (!stored.ok) return err({ kind: 'address', said: 'What the address answered could not be stored.' });
  const order: UploadOrder = {
    name: layerName(into.kind === 'sync' ? `${into.name}.` : name),
    title: into.kind === 'sync' ? undefined : into.title,
    abstract: undefined,
    isTimed: false,
    permissions: undefined,
    // A column that the address does not have any more is emptied, and not asked about.
    answers: into.kind === 'sync' ? { missing: 'empty' } : {},
    files: [{ field: 'base_file', name, blob, size: body.length, base: true }],
    source,
  };
  const target = into.kind === 'sync' ? ({ kind: 'replace', layer: into.layer } as const) : ({ kind: 'new' } as const);
  const made = await createUpload(db, jobs, caller, info, order, target);
  if (made.ok) return ok(made.value.id);
  await blobs.remove(blob);
  return err({ kind: 'database', error: made.error });
}

/** All that are due now; how many there were. */
export async function refreshDue(parts: SourceParts, signal?: AbortSignal): Promise<number> {
  let asked = 0;
  while (asked < MAX_AT_ONCE && signal?.aborted !== true) {
    const executed = await parts.db.service([statement('select portal.next_source()')]);
    if (!executed.ok) throw new Error('it is not known which layers are due', { cause: executed.error });
    const due = executed.value[0]?.rows[0]?.[0];
    if (due === null || due === undefined) break;
    const done = await refreshSource(parts, JSON.parse(due.toString()) as DueSource);
    if (!done.ok && done.error.kind === 'database')
      throw new Error('a layer could not be renewed', { cause: done.error.error });
    asked += 1;
  }
  return asked;
}

export async function startRefreshing(jobs: Jobs, parts: Omit<SourceParts, 'jobs'>): Promise<void> {
  const options = { workers: 1, retryLimit: 0, retryDelaySeconds: 60, expireInSeconds: 3600 };
  await jobs.work(QUEUE, options, async ({ signal }) => {
    await refreshDue({ ...parts, jobs }, signal);
  });
  jobs.every(QUEUE, EVERY_SECONDS);
}
