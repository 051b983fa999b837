// Ordinary imports of a process run beside each other. One whose earlier attempt was interrupted runs alone: a concurrent import may have
// caused the crash.

import { makeSemaphore } from '../../kernel/semaphore.ts';

export type ImportTurns = {
  /** Waits for its turn; the function that is returned gives it back. Throws what the signal's abort throws. */
  enter(how: 'beside' | 'alone', signal: AbortSignal): Promise<() => void>;
};

/** More than the job queue ever runs at once. */
const ROOM = 1000;

export function makeImportTurns(): ImportTurns {
  const turns = makeSemaphore({ room: ROOM });
  return {
    async enter(how, signal) {
      const entered = await turns.enter({ weight: how === 'alone' ? ROOM : 1, signal });
      if (!entered.ok) throw signal.reason;
      return entered.value;
    },
  };
}
