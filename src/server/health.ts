// Health checks: `/live` (the process answers) and `/ready` (it should be sent requests: the database answers and is at this version, files can be
// written, the program is not stopping). For balancers and orchestrators; nobody has to sign in, and nothing secret is told.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Driver } from '../pg/driver.ts';

type CheckName = 'database' | 'migrations' | 'files' | 'running';

/** Undefined: nothing is wrong. */
type Check = () => Promise<string | undefined>;

export type Health = {
  /** True: the request was for one of the addresses, and is answered. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** The portal's database is at this version, and its files are there. */
  prepared(blobs: BlobStore): void;
  /** From now on it is not ready. */
  drain(): void;
  isDraining(): boolean;
};

/** However many ask, the database and the store are asked this often. */
const FRESH_MS = 1000;
const FILES_FRESH_MS = 15_000;
const CHECK_MS = 5000;

export function makeHealth(driver: Pick<Driver, 'fly'>, now: () => number = Date.now): Health {
  let isDraining = false;
  let files: Check | undefined;
  const database = kept(now, FRESH_MS, async () => {
    const flown = await driver.fly([{ text: 'select 1', params: [] }], { timeLimitMs: CHECK_MS });
    return flown.ok ? undefined : 'does not answer';
  });
  const checks = async (): Promise<Readonly<Record<CheckName, string>>> => {
    const [db, store] = await Promise.all([database(), files?.()]);
    return {
      database: db ?? 'ok',
      migrations: files === undefined ? 'not applied yet' : 'ok',
      files: files === undefined ? 'not opened yet' : (store ?? 'ok'),
      running: isDraining ? 'stopping' : 'ok',
    };
  };
  return {
    answer(request, response) {
      const path = /^\/(live|ready)\/?(?:\?|$)/.exec(request.url ?? '')?.[1];
      if (path === undefined) return false;
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        request.resume();
        response.writeHead(405, { Allow: 'GET, HEAD', 'Content-Length': '0' }).end();
      } else if (path === 'live') send(response, 200, { status: 'live' });
      else
        void checks().then((found) => {
          const isReady = Object.values(found).every((said) => said === 'ok');
          send(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', checks: found });
        });
      return true;
    },
    prepared(blobs) {
      files = kept(now, FILES_FRESH_MS, () => writeAndRemove(blobs));
    },
    drain() {
      isDraining = true;
    },
    isDraining: () => isDraining,
  };
}

/** Whether a file can be kept, found by keeping one. */
async function writeAndRemove(blobs: BlobStore): Promise<string | undefined> {
  const key = `health/${randomUUID()}`;
  const put = await blobs.put(key, once(Buffer.from('ok')));
  if (!put.ok) return put.error.kind === 'no-space' ? 'no space is left' : 'cannot be written';
  const removed = await blobs.remove(key);
  return removed.ok ? undefined : 'cannot be removed';
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** The check's answer for as long as it is fresh; all who come while it runs get the same. What takes too long is wrong. */
function kept(now: () => number, freshMs: number, check: Check): Check {
  let until = Number.NEGATIVE_INFINITY;
  let answer: Promise<string | undefined> | undefined;
  return () => {
    if (answer === undefined || now() >= until) {
      until = Number.POSITIVE_INFINITY;
      answer = withinTime(check().catch(() => 'failed')).finally(() => {
        until = now() + freshMs;
      });
    }
    return answer;
  };
}

async function withinTime(work: Promise<string | undefined>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('does not answer in time'), CHECK_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': text.length,
    'Cache-Control': 'no-store',
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}
