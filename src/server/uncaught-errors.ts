// Exceptions and rejections that nobody caught (uncaughtException, unhandledRejection): one of them is the trouble of one caller
// and must not end the service of all others. It is logged in full, and the program goes on; many of them in a short time
// mean that it cannot, and it stops in good order.

import type { EventEmitter } from 'node:events';
import type { Observe } from '../kernel/observation.ts';

const MANY = 20;
const WITHIN_MS = 60_000;

export type SurviveOptions = {
  readonly observe: Observe;
  readonly onTooMany: (message: string) => void;
  readonly now?: () => number;
};

/** `source` is the process. Returns what takes the listeners away again. */
export function handleUncaughtErrors(
  source: Pick<EventEmitter, 'on' | 'off'>,
  { observe, onTooMany, now = Date.now }: SurviveOptions,
): () => void {
  let seen: number[] = [];
  const hear = (cause: unknown): void => {
    const at = now();
    seen = [...seen.filter((time) => at - time < WITHIN_MS), at];
    observe({ kind: 'bug', id: 'nobody caught it', cause });
    if (seen.length === MANY) onTooMany(`${MANY} unexpected failures within a minute`);
  };
  source.on('uncaughtException', hear);
  source.on('unhandledRejection', hear);
  return () => {
    source.off('uncaughtException', hear);
    source.off('unhandledRejection', hear);
  };
}
