// What happens to sessions and their pool, told to whoever keeps logs and counts. No value in here is ever secret.

export type CloseReason = 'idle' | 'lifetime' | 'flushed' | 'lost' | 'unclean' | 'shutdown';

export type SessionEvent =
  | { readonly kind: 'closed'; readonly reason: CloseReason; readonly message: string }
  | { readonly kind: 'pool-timeout'; readonly afterMs: number; readonly waiting: number }
  | { readonly kind: 'cancel-sent' }
  | { readonly kind: 'cancel-failed'; readonly message: string }
  /** A batch was sent again with its statements parsed anew; it had no effect the first time. */
  | { readonly kind: 'retried'; readonly why: 'plan-changed' | 'statements-gone' }
  | { readonly kind: 'pooler-suspected'; readonly message: string };

export type OnSessionEvent = (event: SessionEvent) => void;
