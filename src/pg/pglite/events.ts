// What happens inside the embedded database, told to whoever keeps logs and counts.

import type { SessionEvent } from '../session/session-event.ts';

/** `time`: it took longer than it may; `left`: nobody waited for it any more. */
export type Interruption = 'time' | 'left';

export type PgliteEvent =
  | { readonly kind: 'engine-started'; readonly ms: number; readonly from: 'template' | 'folder' | 'scratch' }
  /** It crashed; the next batch starts it again from its folder. */
  | { readonly kind: 'engine-died'; readonly message: string }
  /** A statement would not end: the engine was ended under it, and is started again for whoever comes next. */
  | { readonly kind: 'engine-interrupted'; readonly why: Interruption; readonly afterMs: number }
  | { readonly kind: 'engine-start-failed'; readonly message: string }
  | { readonly kind: 'engine-closed'; readonly orderly: boolean }
  /** Other accounts of the machine could look into it until now. */
  | { readonly kind: 'folder-tightened'; readonly folder: string }
  /** They still can: the folder's mode cannot be changed. */
  | { readonly kind: 'folder-open'; readonly folder: string }
  /** What autovacuum would have done on a server. */
  | { readonly kind: 'table-vacuumed'; readonly table: string; readonly ms: number }
  | Extract<SessionEvent, { kind: 'pool-timeout' | 'retried' }>;

export type OnPgliteEvent = (event: PgliteEvent) => void;
