// An open connection and the way to cancel what runs on it. How either is done is the engine's business.

import type { Connection } from './connection.ts';

export type Connected = {
  readonly connection: Connection;
  /** Asks the server to stop what it is running; resolves when that can hit nothing that comes later, or says that it might. */
  readonly cancel: (timeoutMs: number) => Promise<CancelOutcome>;
  /** The server runs on this machine, and shares its processors with us. */
  readonly isHere?: boolean;
};

export type CancelOutcome =
  /** The backend has been signalled; what it reads from now on is safe. */
  | { readonly kind: 'delivered' }
  /** Nothing reached the server. */
  | { readonly kind: 'not-sent'; readonly message: string }
  /** It may be signalled any time: the connection must not be used again. */
  | { readonly kind: 'unsure'; readonly message: string };
