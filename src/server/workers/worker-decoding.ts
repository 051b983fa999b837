// Logical decoding for a worker: the primary has one slot for all of them, and passes on what it hears.

import type { DecodeEvent, Driver, Listener } from '../../pg/driver.ts';
import { isDecodedForWorker, type WantsDecoding } from './messages.ts';

export function decodeByPrimary(database: string | undefined): NonNullable<Driver['decode']> {
  return (_publication, onEvent): Listener => {
    const hear = (message: unknown): void => {
      if (isDecodedForWorker(message) && message.database === database) onEvent(message.event);
    };
    const want = (isWanted: boolean): void => {
      const message: WantsDecoding = { kind: 'live-decode', database, isWanted };
      if (process.connected) process.send?.(message);
    };
    // Without its primary a worker is about to end.
    const lost = (): void => onEvent(LOST);
    process.on('message', hear).once('disconnect', lost);
    want(true);
    return {
      close: async () => {
        process.off('message', hear).off('disconnect', lost);
        want(false);
      },
    };
  };
}

const LOST: DecodeEvent = { kind: 'lost', message: 'the primary process is gone', retryInMs: 0 };
