// What is said over the socket of a lent database. One connection is one call of the driver; a held session is a conversation on one.

import type { Result } from '../../kernel/result.ts';
import type { Batch, DbError, ListenEvent, PoolStats } from '../driver.ts';

/** Raised with every change of these messages: both sides must be of one kind. */
export const PROTOCOL = 1;

export type Call =
  | { readonly call: 'execute'; readonly batch: Batch; readonly timeLimitMs: number | undefined }
  | { readonly call: 'script'; readonly sql: string }
  | { readonly call: 'copyOut'; readonly before: Batch; readonly copy: string }
  | { readonly call: 'copyIn'; readonly before: Batch; readonly copy: string }
  | { readonly call: 'hold' }
  | { readonly call: 'listen'; readonly channel: string }
  | { readonly call: 'stats' };

export type Opening = Call & { readonly protocol: number };

/** Inside a held session. */
export type Step =
  | { readonly step: 'execute'; readonly batch: Batch }
  | { readonly step: 'script'; readonly sql: string }
  | { readonly step: 'copyOut'; readonly copy: string }
  | { readonly step: 'copyIn'; readonly copy: string }
  | { readonly step: 'discard'; readonly why: string };

/** What a client feeds to a COPY. */
export type Fed =
  | { readonly fed: 'chunk'; readonly chunk: Uint8Array }
  | { readonly fed: 'all' }
  | { readonly fed: 'failed' };

export type Reply =
  | { readonly reply: 'result'; readonly result: Result<unknown, DbError> }
  | { readonly reply: 'ready' }
  | { readonly reply: 'chunk'; readonly chunk: Uint8Array }
  | { readonly reply: 'event'; readonly event: ListenEvent }
  | { readonly reply: 'stats'; readonly stats: PoolStats }
  | { readonly reply: 'other-protocol' };
