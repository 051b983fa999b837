// One batch on one connection → its results or what went wrong, with the caller's signal turned into a cancel.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { Batch, BatchResult, CancelSignal, DbError, StatementResult } from '../driver.ts';
import type { Reply } from '../wire/reply-reader.ts';
import { statementTrouble } from '../wire/statement-trouble.ts';
import type { Connected } from './connected.ts';
import type { Outcome } from './connection.ts';
import type { OnSessionEvent } from './session-event.ts';

export type RunContext = {
  readonly cancelTimeoutMs: number;
  readonly onEvent: OnSessionEvent;
};

const QUERY_CANCELED = '57014';

export async function executeBatch(
  connected: Connected,
  batch: Batch,
  signal: CancelSignal | undefined,
  context: RunContext,
): Promise<BatchResult> {
  const mayRepeat = connected.connection.status === 'I';
  const outcome = await watched(connected, signal, context, () => connected.connection.execute(batch));
  return concludeBatch(connected, batch, outcome, mayRepeat, signal, context);
}

/** What came of a batch; one that began outside any transaction is sent once more if only its prepared statements failed. */
export async function concludeBatch(
  connected: Connected,
  batch: Batch,
  outcome: Outcome,
  mayRepeat: boolean,
  signal: CancelSignal | undefined,
  context: RunContext,
): Promise<BatchResult> {
  if (outcome.kind === 'lost' || outcome.reply.failure === null) return toResult(outcome, signal);
  const mended = recoverStatements(connected, batch, outcome.reply, context);
  if (mended === 'pooler') return err(POOLER);
  if (mended === null || !mayRepeat || signal?.aborted === true || !(await isUndone(connected, outcome.reply))) {
    return toResult(outcome, signal);
  }
  context.onEvent({ kind: 'retried', why: mended });
  return toResult(await watched(connected, signal, context, () => connected.connection.execute(batch)), signal);
}

export function toResult(
  outcome: Outcome,
  signal: CancelSignal | undefined,
): Result<readonly StatementResult[], DbError> {
  const failure = outcome.kind === 'reply' ? outcome.reply.failure : outcome.failure;
  if (failure !== null) {
    const cancelled = failure.error.sqlstate === QUERY_CANCELED && signal?.aborted === true;
    return err(cancelled ? { kind: 'cancelled' } : failure.error);
  }
  if (outcome.kind === 'lost') return err({ kind: 'lost', message: outcome.message });
  return ok(outcome.reply.results);
}

/**
 * Runs a round trip; when the signal fires meanwhile, the backend is asked to stop. Resolves only when that request can
 * do no harm any more.
 */
export async function watched(
  connected: Connected,
  signal: CancelSignal | undefined,
  context: RunContext,
  roundTrip: () => Promise<Outcome>,
): Promise<Outcome> {
  if (signal === undefined) return roundTrip();
  let cancelling: Promise<void> | undefined;
  const onAbort = (): void => {
    cancelling = cancel(connected, context);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await roundTrip();
  } finally {
    signal.removeEventListener('abort', onAbort);
    await cancelling;
  }
}

export async function cancel(connected: Connected, context: RunContext): Promise<void> {
  context.onEvent({ kind: 'cancel-sent' });
  const outcome = await connected.cancel(context.cancelTimeoutMs);
  if (outcome.kind === 'delivered') return;
  context.onEvent({ kind: 'cancel-failed', message: outcome.message });
  if (outcome.kind === 'unsure') connected.connection.destroy('a cancel request may still be on its way');
}

export const POOLER: DbError = {
  kind: 'unreachable',
  message:
    'the server does not know the statements prepared on this connection: there seems to be a transaction pooler in front of it, which needs prepared statements turned off',
  fatal: true,
};

/** Makes the connection parse anew what the server no longer has. Null: the statements were not the trouble. */
export function recoverStatements(
  { connection }: Connected,
  batch: Batch,
  { failure }: Reply,
  { onEvent }: RunContext,
): 'plan-changed' | 'statements-gone' | 'pooler' | null {
  const trouble = failure === null ? null : statementTrouble(failure, batch);
  switch (trouble?.kind) {
    case undefined:
      return null;
    case 'plan-changed':
      connection.prepared.forget(trouble.name);
      return 'plan-changed';
    case 'statements-gone':
      // Another batch of the same row has met the same loss before.
      if (connection.prepared.size === 0) return 'statements-gone';
      connection.prepared.forgetAll();
      // Once may be somebody's DEALLOCATE ALL; twice on one connection is another server behind it every time.
      if (connection.statementsGone++ === 0) return 'statements-gone';
      break;
    case 'pooler':
      connection.prepared.forgetAll();
      break;
  }
  onEvent({ kind: 'pooler-suspected', message: failure?.error.message ?? '' });
  return 'pooler';
}

/** Whether the failed batch left nothing behind, so that it may be sent again; rolls back a BEGIN of its own. */
async function isUndone(connected: Connected, { results }: Reply): Promise<boolean> {
  // These can commit what came before them.
  if (results.some(({ tag }) => /^(COMMIT|CALL|DO|PREPARE)/.test(tag))) return false;
  return isClean(connected);
}

/** Rolls back a transaction left open. False: the connection is not fit to be given to anyone else. */
export async function isClean({ connection }: Pick<Connected, 'connection'>): Promise<boolean> {
  if (connection.status === 'I' || !connection.isOpen) return connection.isOpen;
  const outcome = await connection.execute([{ text: 'rollback', params: [] }]);
  return outcome.kind === 'reply' && outcome.reply.failure === null && outcome.reply.status === 'I';
}
