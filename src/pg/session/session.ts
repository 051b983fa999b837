// A connection lent for several batches: one at a time, in the order asked for, and clean again at the end.

import { err, ok, type Result } from '../../kernel/result.ts';
import type { BatchResult, CancelSignal, DbError, Session } from '../driver.ts';
import type { Connected } from './connected.ts';
import { copyIn, copyOut } from './copy.ts';
import { executeBatch, type RunContext, toResult, watched } from './execute-batch.ts';

export type OwnedSession = {
  readonly session: Session;
  /** Waits for what is still under way and refuses what comes later; resolves when nothing is running. */
  end(): Promise<void>;
};

export function makeSession(connected: Connected, signal: CancelSignal | undefined, context: RunContext): OwnedSession {
  let ended = false;
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(run: () => Promise<Result<T, DbError>>): Promise<Result<T, DbError>> => {
    if (ended) return Promise.reject(new Error('the session has ended'));
    const mine = last.then(() => (signal?.aborted === true ? err({ kind: 'cancelled' } as const) : run()));
    last = mine.catch(() => {});
    return mine;
  };

  return {
    session: {
      execute: (batch): Promise<BatchResult> => inTurn(() => executeBatch(connected, batch, signal, context)),
      script: (sql) =>
        inTurn(async () => {
          const outcome = await watched(connected, signal, context, () => connected.connection.script(sql));
          const result = toResult(outcome, signal);
          return result.ok ? ok(undefined) : result;
        }),
      copyIn: (copy, feed) => inTurn(() => copyIn(connected, [], copy, feed, signal, context)),
      copyOut: (copy, onChunk) => inTurn(() => copyOut(connected, [], copy, onChunk, signal, context)),
      discard: (why) => connected.connection.destroy(why),
    },
    end: async () => {
      ended = true;
      await last;
    },
  };
}
