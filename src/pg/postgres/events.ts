// What happens inside the driver, told to whoever keeps logs and counts. No value in here is ever secret.

import type { SessionEvent } from '../session/session-event.ts';

export type PostgresEvent =
  | { readonly kind: 'connected'; readonly host: string; readonly port: number; readonly ms: number }
  | { readonly kind: 'connect-failed'; readonly message: string; readonly fatal: boolean }
  /** The connection string was read again, and is another one. */
  | { readonly kind: 'uri-changed' }
  | SessionEvent;

export type OnPostgresEvent = (event: PostgresEvent) => void;
