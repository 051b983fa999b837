// What primary and workers say to each other.

import type { Notice } from '../../rest/lifecycle/notice.ts';

/** `database`: the one of several that it is about; undefined: all. */
export type ToWorker = Notice & { readonly database?: string };

/** A worker serves; its own admin server, if it has one, is on this port of this machine. */
export type FromWorker = { readonly kind: 'serving'; readonly adminPort: number | undefined };

export function isFromWorker(message: unknown): message is FromWorker {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'serving';
}

export function isToWorker(message: unknown): message is ToWorker {
  return (
    typeof message === 'object' &&
    message !== null &&
    'kind' in message &&
    (message.kind === 'reload-schema' || message.kind === 'reload-config')
  );
}
