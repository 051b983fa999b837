// Blobs as objects of a bucket, at any address that speaks S3's protocol. Small ones are one request, larger ones are sent in
// parts while they arrive: an object is there when the last request has succeeded, and not before.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import { err, ok, type Result } from '../kernel/result.ts';
import { trimEndOf } from '../kernel/trim-end.ts';
import { type BlobError, type BlobInfo, type BlobStore, isBlobKey } from './blob-store.ts';
import { elementsOf, textOf } from './s3-xml.ts';

export type S3Options = {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** All keys begin with it. */
  readonly prefix?: string;
  /** The bucket stands in the path, and not in the host name. */
  readonly pathStyle: boolean;
  /** How much of a blob is held in memory; S3 takes no parts under 5 MiB but the last. */
  readonly partBytes?: number;
};

const PART_BYTES = 8 * 1024 * 1024;
/** More is not allowed; parts grow with their number, so that an object can have 5 TB. */
const PARTS_OF_A_SIZE = 1000;
const RETRIES = 3;

/** Something the store said, without its address, which may hold credentials. */
class StoreError extends Error {}

export function openS3Store(options: S3Options): BlobStore {
  const { bucket, region, prefix = '', pathStyle } = options;
  const client = new AwsClient({
    accessKeyId: options.accessKey,
    secretAccessKey: options.secretKey,
    service: 's3',
    region,
    retries: RETRIES,
  });
  const base = new URL(options.endpoint);
  const root = pathStyle
    ? `${base.origin}${trimEndOf(base.pathname, '/')}/${bucket}`
    : `${base.protocol}//${bucket}.${base.host}${trimEndOf(base.pathname, '/')}`;

  function request(
    method: string,
    key: string,
    query: Readonly<Record<string, string>> = {},
    body?: Uint8Array,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const search = new URLSearchParams(query).toString();
    const url = `${root}${key === '' ? '/' : `/${prefix}${key}`}${search === '' ? '' : `?${search}`}`;
    return client.fetch(url, {
      method,
      headers: { ...headers, 'X-Amz-Content-Sha256': sha256(body ?? new Uint8Array()) },
      ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
    });
  }

  async function must(response: Response): Promise<string> {
    const text = await response.text();
    if (response.ok) return text;
    throw new StoreError(`the store answered ${response.status} ${textOf(text, 'Code') ?? ''}`.trim());
  }

  async function putInParts(key: string, first: Uint8Array, rest: AsyncIterator<Uint8Array>): Promise<number> {
    const upload = textOf(await must(await request('POST', key, { uploads: '' })), 'UploadId');
    if (upload === undefined) throw new StoreError('the store began no upload');
    const tags: string[] = [];
    let size = 0;
    try {
      for (let part: Uint8Array | undefined = first; part !== undefined; part = (await rest.next()).value) {
        const sent = await request('PUT', key, { partNumber: String(tags.length + 1), uploadId: upload }, part);
        await must(sent);
        tags.push(sent.headers.get('etag') ?? '');
        size += part.length;
      }
      const list = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`).join('');
      const done = await must(
        await request(
          'POST',
          key,
          { uploadId: upload },
          Buffer.from(`<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`),
        ),
      );
      // An answer that begins well may end in an error.
      if (textOf(done, 'ETag') === undefined)
        throw new StoreError(`the store answered ${textOf(done, 'Code') ?? 'nothing'}`);
      return size;
    } catch (error) {
      await request('DELETE', key, { uploadId: upload }).catch(() => undefined);
      throw error;
    }
  }

  return {
    async put(key, content, { maxBytes = Number.POSITIVE_INFINITY } = {}) {
      if (!isBlobKey(key)) return err({ kind: 'bad-key', key });
      const parts = inParts(content, options.partBytes ?? PART_BYTES, maxBytes);
      try {
        const first = (await parts.next()).value ?? new Uint8Array();
        const second = await parts.next();
        if (second.done === true) {
          await must(await request('PUT', key, {}, first));
          return ok({ size: first.length });
        }
        return ok({ size: await putInParts(key, first, before(second.value, parts)) });
      } catch (error) {
        if (error instanceof TooLarge) return err({ kind: 'too-large', limit: maxBytes });
        const failure = asBlobError(error);
        if (failure === undefined) throw error;
        return err(failure);
      } finally {
        await parts.return(undefined);
      }
    },

    async open(key, range) {
      if (!isBlobKey(key)) return err({ kind: 'bad-key', key });
      const isRange = range === undefined || (range.start >= 0 && (range.end ?? range.start) >= range.start);
      const headers = range === undefined || !isRange ? {} : { Range: `bytes=${range.start}-${range.end ?? ''}` };
      try {
        const response = await request('GET', key, {}, undefined, headers);
        if (response.status === 404) {
          await response.body?.cancel();
          return err({ kind: 'no-such-blob', key });
        }
        if (response.status === 416 || (response.ok && !isRange)) {
          await response.body?.cancel();
          return err({ kind: 'bad-range', size: sizeIn(response) ?? (await headSize(key)) });
        }
        if (!response.ok) await must(response);
        const stream = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as never);
        return ok({ size: sizeIn(response) ?? 0, stream });
      } catch (error) {
        const failure = asBlobError(error);
        if (failure === undefined) throw error;
        return err(failure);
      }
    },

    async remove(key) {
      if (!isBlobKey(key)) return err({ kind: 'bad-key', key });
      try {
        const response = await request('DELETE', key);
        if (response.status !== 404) await must(response);
        return ok(undefined);
      } catch (error) {
        const failure = asBlobError(error);
        if (failure === undefined) throw error;
        return err(failure);
      }
    },

    async *list(wanted = '') {
      let token: string | undefined;
      do {
        const query = {
          'list-type': '2',
          prefix: prefix + wanted,
          ...(token === undefined ? {} : { 'continuation-token': token }),
        };
        const page = await must(await request('GET', '', query));
        for (const entry of elementsOf(page, 'Contents')) {
          const info = infoOf(entry, prefix);
          if (info !== undefined) yield info;
        }
        token = textOf(page, 'IsTruncated') === 'true' ? textOf(page, 'NextContinuationToken') : undefined;
      } while (token !== undefined);
    },
  };

  async function headSize(key: string): Promise<number> {
    const response = await request('HEAD', key);
    return Number(response.headers.get('content-length') ?? 0);
  }
}

class TooLarge extends Error {}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Chunks of any size → parts of the same size, the last one shorter; at least one. */
async function* inParts(
  content: AsyncIterable<Uint8Array>,
  partBytes: number,
  maxBytes: number,
): AsyncGenerator<Uint8Array, undefined> {
  let gathered: Uint8Array[] = [];
  let bytes = 0;
  let total = 0;
  let parts = 0;
  for await (const chunk of content) {
    total += chunk.length;
    if (total > maxBytes) throw new TooLarge();
    // What a stream hands out may be used again by it.
    gathered.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes < partBytes * (1 + Math.floor(parts / PARTS_OF_A_SIZE))) continue;
    yield Buffer.concat(gathered);
    parts += 1;
    gathered = [];
    bytes = 0;
  }
  if (bytes > 0 || parts === 0) yield Buffer.concat(gathered);
  return undefined;
}

async function* before(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  yield first;
  yield* rest;
  return undefined;
}

/** Undefined: not the store's failure. */
function asBlobError(error: unknown): BlobError | undefined {
  if (error instanceof StoreError) return { kind: 'store', message: error.message };
  // What `fetch` throws when there is nobody at the other end.
  if (error instanceof TypeError && error.message === 'fetch failed')
    return { kind: 'store', message: 'the store cannot be reached' };
  return undefined;
}

function sizeIn(response: Response): number | undefined {
  const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  const length = whole ?? (response.status === 416 ? null : response.headers.get('content-length'));
  return length === null ? undefined : Number(length);
}

function infoOf(entry: string, prefix: string): BlobInfo | undefined {
  const key = textOf(entry, 'Key');
  if (key === undefined || !key.startsWith(prefix)) return undefined;
  const own = key.slice(prefix.length);
  if (!isBlobKey(own)) return undefined;
  return {
    key: own,
    size: Number(textOf(entry, 'Size') ?? 0),
    modifiedMs: Date.parse(textOf(entry, 'LastModified') ?? '') || 0,
  };
}

/** A key of the store, asked for at the start: is it there, and may we use it? */
export async function checkS3Store(store: BlobStore): Promise<Result<undefined, BlobError>> {
  try {
    for await (const _ of store.list('none/')) break;
    return ok(undefined);
  } catch (error) {
    return err(asBlobError(error) ?? { kind: 'store', message: error instanceof Error ? error.message : 'unknown' });
  }
}
