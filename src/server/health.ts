// Health checks: `/live` (the process answers) and `/ready` (it should be sent requests: the database answers and is at this version, files can be
// written, the program is not stopping). For balancers and orchestrators; nobody has to sign in, and nothing secret is told. A busy database and little
// free space are told of, but are no reason to send requests elsewhere.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { BlobStore } from '../blobs/blob-store.ts';
import { DISK_FAULTS } from '../kernel/disk-fault.ts';
import type { Driver } from '../pg/driver.ts';
import { type FolderSpace, freePercent } from './free-space.ts';

type CheckName = 'database' | 'migrations' | 'files' | 'running';

type Finding = { readonly isFine: boolean; readonly said: string };

type Check = () => Promise<Finding>;

export type HealthParts = {
  readonly driver: Pick<Driver, 'execute' | 'can' | 'stats'>;
  readonly space: () => Promise<readonly FolderSpace[]>;
  readonly now?: () => number;
};

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
/** A check of the database that waits in its queue for longer is answered with that: balancers wait for a second or two. */
const QUEUE_MS = 500;

const FINE: Finding = { isFine: true, said: 'ok' };

export function makeHealth({ driver, space, now = Date.now }: HealthParts): Health {
  let isDraining = false;
  let files: Check | undefined;
  const database = kept(now, FRESH_MS, checkDatabase(driver, now));
  const checks = async (): Promise<Readonly<Record<CheckName, Finding>>> => {
    const [db, store] = await Promise.all([database(), files?.()]);
    return {
      database: db,
      migrations: files === undefined ? wrong('not applied yet') : FINE,
      files: store ?? wrong('not opened yet'),
      running: isDraining ? wrong('stopping') : FINE,
    };
  };
  const ready = async (response: ServerResponse): Promise<void> => {
    const [found, spaces] = await Promise.all([checks(), space()]);
    const isReady = Object.values(found).every(({ isFine }) => isFine);
    send(response, isReady ? 200 : 503, {
      status: isReady ? 'ready' : 'not ready',
      checks: Object.fromEntries(Object.entries(found).map(([name, { said }]) => [name, said])),
      space: Object.fromEntries(spaces.map((one) => [one.name, { free: one.free, percent: freePercent(one) }])),
      warnings: spaces
        .filter(({ isLow }) => isLow)
        .map((one) => `${one.name}: only ${freePercent(one)} % of the disk is free`),
    });
  };
  return {
    answer(request, response) {
      const path = /^\/(live|ready)\/?(?:\?|$)/.exec(request.url ?? '')?.[1];
      if (path === undefined) return false;
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        request.resume();
        response.writeHead(405, { Allow: 'GET, HEAD', 'Content-Length': '0' }).end();
      } else if (path === 'live') send(response, 200, { status: 'live' });
      else void ready(response);
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

/** One question is under way at a time, however long it waits. */
function checkDatabase({ execute, can, stats }: HealthParts['driver'], now: () => number): Check {
  let asked: Promise<Finding> | undefined;
  let since = 0;
  let isAcquired = false;
  const busy = (): Finding => ({
    isFine: true,
    said: `busy: ${stats().waiting} wait for it, this check for ${Math.round((now() - since) / 1000)} s`,
  });
  const ask = async (): Promise<Finding> => {
    since = now();
    isAcquired = false;
    const onAcquired = (): void => {
      isAcquired = true;
    };
    const executed = await execute([{ text: 'select 1', params: [] }], { timeLimitMs: CHECK_MS, onAcquired });
    if (executed.ok) return FINE;
    const isQueue = executed.error.kind === 'pool-full' || executed.error.kind === 'pool-timeout';
    return !can.overlap && isQueue ? busy() : wrong('does not answer');
  };
  return async () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    const answer = asked;
    const early = await Promise.race([answer, delay(QUEUE_MS, undefined, { ref: false })]);
    if (early !== undefined) return early;
    return !can.overlap && !isAcquired ? busy() : answer;
  };
}

function wrong(said: string): Finding {
  return { isFine: false, said };
}

/** Whether a file can be kept, found by keeping one. */
async function writeAndRemove(blobs: BlobStore): Promise<Finding> {
  const key = `health/${randomUUID()}`;
  const put = await blobs.put(key, once(Buffer.from('ok')));
  if (!put.ok) return wrong(put.error.kind === 'disk' ? DISK_FAULTS[put.error.fault] : 'cannot be written');
  const removed = await blobs.remove(key);
  return removed.ok ? FINE : wrong('cannot be removed');
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** The check's answer for as long as it is fresh; all who come while it runs get the same. What takes too long is wrong. */
function kept(now: () => number, freshMs: number, check: Check): Check {
  let until = Number.NEGATIVE_INFINITY;
  let answer: Promise<Finding> | undefined;
  return () => {
    if (answer === undefined || now() >= until) {
      until = Number.POSITIVE_INFINITY;
      answer = withinTime(check().catch(() => wrong('failed'))).finally(() => {
        until = now() + freshMs;
      });
    }
    return answer;
  };
}

async function withinTime(work: Promise<Finding>): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(wrong('does not answer in time')), CHECK_MS);
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
