// Tells the database driver when nobody waits for an answer any more. Does what an AbortSignal would, without the event
// machinery behind one, which costs more than parsing a request.

import type { ServerResponse } from 'node:http';
import type { CancelSignal } from '../pg/driver.ts';

class ClientGone implements CancelSignal {
  aborted = false;
  #listener: (() => void) | undefined;

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.#listener !== undefined) throw new Error('one batch at a time waits for a client');
    this.#listener = listener;
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    if (this.#listener === listener) this.#listener = undefined;
  }

  abort(): void {
    this.aborted = true;
    this.#listener?.();
  }
}

/** Fires when the connection ends before the answer was written. */
export function whenClientGone(response: ServerResponse): CancelSignal {
  const gone = new ClientGone();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone;
}
