// The job of an upload: claim it, read it, publish it, and say how it ended. Every way out leaves the upload PROCESSED, INVALID
// with a reason, or WAITING with a question; what may go better later is thrown, and tried again.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../auth/caller.ts';
import type { CallerDb } from '../../auth/caller-db.ts';
import { assertNever } from '../../kernel/assert-never.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { ProcessPort, RunFault } from '../../layer-ports/process.ts';
import type { Staged } from '../../layer-ports/staged.ts';
import type { DbError, SqlError } from '../../pg/driver.ts';
import { isOutage } from '../../pg/is-outage.ts';
import { objects } from '../../pg/rows.ts';
import {
  beat,
  beginAttempt,
  claimUpload,
  moveUpload,
  noteKill,
  noteOutage,
  type Run,
  releaseRun,
} from './import-run.ts';
import type { ImportTurns } from './import-turns.ts';
import type { ImporterPort, ImportStop, Question } from './importer-port.ts';
import type { PublishError, Published, PublishParts } from './publish/publication.ts';
import { publish } from './publish/publish.ts';
import { publishInto } from './publish/publish-into.ts';
import { AS_SERVICE } from './service-scope.ts';
import { first, serviceTransaction, statement } from './service-transaction.ts';
import { UPLOAD_COLUMNS, type UploadRow } from './upload-row.ts';

export type ImportParts<F> = PublishParts & {
  readonly importer: ImporterPort<F>;
  /** For layers that are made of other layers. */
  readonly processes: ProcessPort;
  readonly failureText: (failure: F) => string;
  /** It may go better another time: the file is not to blame, or not surely. */
  readonly isPassing: (failure: F) => boolean;
  /** Somebody or something else ended the reading process: tried again like an attempt whose worker died. */
  readonly isKill: (failure: F) => boolean;
  /** Of all imports of this process. */
  readonly turns: ImportTurns;
  /** So often may an import end its worker or reader, as far as it can be blamed for that. */
  readonly maxAttempts: number;
  /** How often the import says that it is still alive. */
  readonly beatMs: number;
  /** Work that gives its place to others is sent behind them. Undefined: nobody else waits, and it goes on. */
  readonly again?: (id: number) => Promise<void>;
};

/**
 * Ends the upload: with a sentence, and with the same as data for who says it in another language. What somebody has sent is removed
 * only where it is the file that is wrong; else it is kept, and may be tried again.
 */
type Invalid = (message: string, reason: unknown, files: 'removed' | 'kept') => Promise<void>;

/** The import waits for what only a person can say. */
type Ask = (question: Question) => Promise<void>;

/** Thrown: the job is to be tried again. */
export class TryAgain extends Error {}

export async function importUpload<F>(parts: ImportParts<F>, id: number, signal: AbortSignal): Promise<void> {
  const { db, blobs, importer, processes, maxAttempts, turns } = parts;
  const token = randomUUID();
  const claimed = await claimUpload(db, id, token, maxAttempts);
  if (!claimed.ok) throw new TryAgain(`the upload could not be claimed: ${claimed.error.kind}`);
  let held: readonly { readonly blob: string }[] = [];
  const invalid: Invalid = async (message, reason, files) => {
    const can_retry = files === 'kept';
    const isOurs = await end(db, id, token, 'INVALID', { error_msg: message, reason, question: null, can_retry });
    // Whoever has taken the import over needs them.
    if (isOurs && !can_retry) for (const { blob } of held) await blobs.remove(blob);
  };
  switch (claimed.value.kind) {
    case 'nothing':
      return;
    case 'exhausted':
      await importer.clear(id);
      return invalid(
        `The work was interrupted ${claimed.value.times} times. What was sent is kept: try again, or tell an administrator.`,
        { kind: 'interrupted', times: claimed.value.times },
        'kept',
      );
    case 'claimed':
      break;
    default:
      return assertNever(claimed.value);
  }
  const { upload, files, attempts, isSuspect } = claimed.value;
  held = files;
  const owner = await findOwner(db, upload);
  if (!owner.ok) throw new TryAgain(`the owner could not be found: ${owner.error.kind}`);
  if (owner.value === undefined)
    return invalid('The account that asked for it is no longer active.', { kind: 'inactive-account' }, 'kept');
  const caller = owner.value;

  const pulse = startPulse(parts, id, token, signal);
  let leave = (): void => {};
  let isUnfinished = false;
  try {
    // Whatever happens while it waits is not held against it.
    const how = isSuspect ? 'alone' : 'beside';
    leave = await turns.enter(how, pulse.signal);
    const begun = await beginAttempt(db, id, token, how);
    if (!begun.ok) throw new TryAgain(`the attempt could not be noted: ${begun.error.kind}`);
    if (!begun.value) return;
    const publishIt = async (staged: Staged): Promise<Result<Published, PublishError>> => {
      pulse.tell({ phase: 'publishing' });
      await end(db, id, token, 'COMPLETE', { completed_step: 'import' });
      await end(db, id, token, 'RUNNING', {});
      // Its owner may have changed title and permissions while the file was read; from this state on nobody does.
      const wanted = await currentUpload(db, upload);
      if (!wanted.ok) throw new TryAgain(`the upload could not be read: ${wanted.error.kind}`);
      return publishStaged(parts, wanted.value, token, caller, staged);
    };
    const ask: Ask = async (question) => {
      await end(db, id, token, 'WAITING', { question, completed_step: 'check' });
    };
    const outage = (why: string): Promise<void> => waitOut(db, id, token, why, invalid);
    const { process } = upload.session;
    if (process !== undefined) {
      const made = await processes.run(
        caller,
        id,
        { process: process.id, inputs: process.inputs },
        // Rows stand in for bytes: how much of the whole is done is told in the same way.
        ({ phase, rows, expected }) =>
          pulse.tell({ phase, features: rows, bytesRead: rows, bytesTotal: Math.max(rows, expected) }),
        pulse.signal,
        publishIt,
      );
      if (!made.ok) {
        const { error } = made;
        if (error.kind !== 'unfinished') return await notMade(error, outage, invalid);
        await releaseRun(db, id, token);
        isUnfinished = true;
        return;
      }
      if (!made.value.ok) await refused(made.value.error, outage, invalid, ask);
      return;
    }
    const done = await importer.run(
      {
        id,
        files,
        answers: { ...upload.session.answers, ...(upload.session.target === undefined ? {} : { isOne: true }) },
      },
      (progress) => pulse.tell(progress),
      pulse.signal,
      publishIt,
    );
    if (!done.ok) return await stopped(parts, done.error, id, token, attempts + 1, outage, invalid, ask);
    if (!done.value.ok) await refused(done.value.error, outage, invalid, ask);
  } catch (error) {
    // Somebody deleted the upload, or another worker took it: there is nothing left to do here.
    if (pulse.isLost()) return;
    if (signal.aborted) {
      await releaseRun(db, id, token);
      throw new TryAgain('stopped');
    }
    throw error;
  } finally {
    leave();
    await pulse.stop();
    if (isUnfinished) await (parts.again?.(id) ?? importUpload(parts, id, signal));
  }
}

async function currentUpload(db: CallerDb, upload: UploadRow): Promise<Result<UploadRow, DbError>> {
  return serviceTransaction(db, async (session): Promise<Result<UploadRow, DbError>> => {
    const found = await session.execute([
      AS_SERVICE,
      { ...statement(`select ${UPLOAD_COLUMNS} from portal.upload where id = $1`, String(upload.id)), describe: true },
    ]);
    if (!found.ok) return found;
    const [, rows] = found.value;
    return ok((rows === undefined ? [] : objects<UploadRow>(rows))[0] ?? upload);
  });
}

function publishStaged<F>(
  parts: ImportParts<F>,
  upload: UploadRow,
  token: string,
  owner: Caller,
  staged: Staged,
): Promise<Result<Published, PublishError>> {
  const publication = { upload, token, owner, staged };
  return upload.session.target === undefined ? publish(parts, publication) : publishInto(parts, publication);
}

async function stopped<F>(
  { db, failureText, isPassing, isKill, maxAttempts }: ImportParts<F>,
  stop: ImportStop<F>,
  id: number,
  token: string,
  attempt: number,
  outage: Outage,
  invalid: Invalid,
  ask: Ask,
): Promise<void> {
  switch (stop.kind) {
    case 'failed':
      if (isKill(stop.failure) && attempt < maxAttempts) {
        await noteKill(db, id, token);
        throw new TryAgain(failureText(stop.failure));
      }
      return invalid(failureText(stop.failure), stop.failure, isPassing(stop.failure) ? 'kept' : 'removed');
    case 'question':
      return ask(stop.question);
    case 'unavailable':
      return outage(stop.error.message ?? stop.error.kind);
    default:
      return assertNever(stop);
  }
}

/** Why a process made nothing. Who asked for it may ask again, for something else. */
async function notMade(
  fault: Exclude<RunFault, { kind: 'unfinished' }>,
  outage: Outage,
  invalid: Invalid,
): Promise<void> {
  switch (fault.kind) {
    case 'no-such-process':
      return invalid('There is no such process.', { kind: 'process' }, 'removed');
    case 'bad-inputs': {
      const said = Object.entries(fault.inputs).map(([input, why]) => `${input}: ${why}`);
      return invalid(said.join(' '), { kind: 'process' }, 'removed');
    }
    case 'refused':
      return invalid(fault.said, { kind: 'process' }, 'removed');
    case 'unavailable':
      return invalid(fault.said, { kind: 'process' }, 'kept');
    case 'database': {
      const { error } = fault;
      if (error.kind !== 'sql') return outage(error.kind);
      if (isOutage(error)) return outage(error.message);
      if (error.sqlstate === '53100') return invalid(NO_SPACE, { kind: 'no-space' }, 'kept');
      return invalid(`The database said "${error.message}".`, { kind: 'process' }, 'kept');
    }
    default:
      return assertNever(fault);
  }
}

async function refused(error: PublishError, outage: Outage, invalid: Invalid, ask: Ask): Promise<void> {
  switch (error.kind) {
    case 'not-ours':
      return;
    case 'question':
      return ask(error.question);
    case 'no-space':
      return invalid(NO_SPACE, { kind: 'no-space' }, 'kept');
    case 'does-not-fit':
      return invalid(error.said, { kind: 'does-not-fit', said: error.said }, 'removed');
    case 'store':
      return outage(error.message);
    case 'database':
      if (error.error.kind !== 'sql') return outage(error.error.kind);
      if (isOutage(error.error)) return outage(error.error.message);
      if (error.error.sqlstate === '53100') return invalid(NO_SPACE, { kind: 'no-space' }, 'kept');
      return notPublished(error.error, invalid);
    default:
      return assertNever(error);
  }
}

const NO_SPACE = 'There is no space left to store the data. Try again later, or tell an administrator.';

/** What the catalogue refuses is about the file; anything else may be ours, and is no reason to take the file away. */
function notPublished({ sqlstate, message, detail }: SqlError, invalid: Invalid): Promise<void> {
  const isRefusal = sqlstate === '42501' || sqlstate === '22023';
  const said = isRefusal ? (sqlstate === '42501' ? (detail ?? message) : message) : `the database said "${message}"`;
  const files = isRefusal ? 'removed' : 'kept';
  return invalid(`The layer could not be published: ${said}.`, { kind: 'not-published', said }, files);
}

/** Something the import needs is not there. It is tried again, and nothing is held against the file. */
type Outage = (why: string) => Promise<void>;

/** Outages of one import, which is tried again every minute at last: a store may be away for more than an hour. */
export const MAX_OUTAGES = 90;
/** So long, in steps, is a database waited for that has to be told of its own outage. */
const NOTE_PAUSES_MS: readonly number[] = [0, 500, 1000, 2000, 5000, 10_000, 15_000, 15_000, 15_000];

async function waitOut(db: CallerDb, id: number, token: string, why: string, invalid: Invalid): Promise<void> {
  for (const pauseMs of NOTE_PAUSES_MS) {
    await pause(pauseMs);
    const noted = await noteOutage(db, id, token, MAX_OUTAGES);
    if (!noted.ok) continue;
    if (noted.value !== 'exhausted') throw new TryAgain(why);
    const message = `The work could not be finished, because something it needs was not there ${MAX_OUTAGES} times. What was sent is kept: try again later.`;
    return invalid(message, { kind: 'unavailable' }, 'kept');
  }
  // Whoever takes it up when the database is back takes this for an attempt whose worker died.
  throw new TryAgain(why);
}

/** A state that could not be noted is noted at the next attempt. False: the import is not this attempt's any more. */
async function end(...args: Parameters<typeof moveUpload>): Promise<boolean> {
  const moved = await moveUpload(...args);
  if (!moved.ok) throw new TryAgain(`the state could not be noted: ${moved.error.kind}`);
  return moved.value;
}

function findOwner(db: CallerDb, { user_id }: UploadRow): Promise<Result<Caller | undefined, DbError>> {
  return user_id === null ? Promise.resolve(ok(undefined)) : findAccount(db, user_id);
}

/** Undefined: it is not active any more. */
export async function findAccount(db: CallerDb, id: number): Promise<Result<Caller | undefined, DbError>> {
  const found = await db.service([
    {
      ...statement('select account_id, username, db_role from portal.identity_of($1)', String(id)),
      describe: true,
    },
  ]);
  if (!found.ok) return err(found.error);
  const [account] = objects<{ account_id: number; username: string; db_role: 'survest_user' | 'survest_admin' }>(
    first(found.value),
  );
  if (account === undefined) return ok(undefined);
  return ok({
    kind: 'account',
    id: account.account_id,
    username: account.username,
    role: account.db_role,
    via: 'session',
  });
}

type Pulse = {
  tell(news: Partial<Run>): void;
  /** Fires when the program stops, and when the import is not ours any more. */
  readonly signal: AbortSignal;
  isLost(): boolean;
  stop(): Promise<void>;
};

/** Says now and then that the import goes on, and how far it is; notices when it has been taken away. */
function startPulse<F>({ db, beatMs }: ImportParts<F>, id: number, token: string, signal: AbortSignal): Pulse {
  const lost = new AbortController();
  let run: Run = { phase: 'fetching', bytesRead: 0, bytesTotal: 0, features: 0 };
  let running: Promise<void> | undefined;
  const say = async (): Promise<void> => {
    const still = await beat(db, id, token, run);
    // A database that is away does not take the import away; another worker may, when it is back.
    if (still.ok && !still.value) lost.abort();
  };
  const sayNow = (): void => {
    running ??= say().finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(sayNow, beatMs);
  return {
    signal: AbortSignal.any([signal, lost.signal]),
    isLost: () => lost.signal.aborted,
    tell(news) {
      const isNext = news.phase !== undefined && news.phase !== run.phase;
      run = { ...run, ...news };
      // In which stage a process has ended is to be known.
      if (isNext) sayNow();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
