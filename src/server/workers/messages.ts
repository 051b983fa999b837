// What primary and workers say to each other.

import type { DecodeEvent } from '../../pg/driver.ts';
import type { Notice } from '../../rest/lifecycle/notice.ts';

/** `database`: the one of several that it is about; undefined: all. */
export type ToWorker = Notice & { readonly database?: string };

/** What logical decoding tells, of which the program has one for all its workers. */
export type DecodedForWorker = {
  readonly kind: 'live-decoded';
  readonly database: string | undefined;
  readonly event: DecodeEvent;
};

/** A worker serves; its own admin server, if it has one, is on this port of this machine. */
type Serving = { readonly kind: 'serving'; readonly adminPort: number | undefined };

/** Whether a worker has live streams of tables that are followed by logical decoding. */
export type WantsDecoding = {
  readonly kind: 'live-decode';
  readonly database: string | undefined;
  readonly isWanted: boolean;
};

export type FromWorker = Serving | WantsDecoding;

export function isFromWorker(message: unknown): message is FromWorker {
  return hasKind(message) && (message.kind === 'serving' || message.kind === 'live-decode');
}

export function isToWorker(message: unknown): message is ToWorker {
  return hasKind(message) && (message.kind === 'reload-schema' || message.kind === 'reload-config');
}

export function isDecodedForWorker(message: unknown): message is DecodedForWorker {
  return hasKind(message) && message.kind === 'live-decoded';
}

function hasKind(message: unknown): message is { readonly kind: unknown } {
  return typeof message === 'object' && message !== null && 'kind' in message;
}
