// A worker's side of the talk with its primary.

import cluster from 'node:cluster';
import { type FromWorker, isToWorker } from './messages.ts';

export type WorkerLink = {
  /** Tells the primary that this worker serves. */
  serving(adminPort: number | undefined): void;
  /** Lets the process end: as long as the two can talk, it would not. */
  close(): void;
};

export const isWorker: boolean = cluster.isWorker;

export function linkToPrimary(on: {
  reloadSchema(relations: readonly number[] | undefined, database: string | undefined): void;
  reloadConfig(database: string | undefined): void;
}): WorkerLink | undefined {
  if (!isWorker) return undefined;
  const hear = (message: unknown): void => {
    if (!isToWorker(message)) return;
    if (message.kind === 'reload-schema') on.reloadSchema(message.relations, message.database);
    else on.reloadConfig(message.database);
  };
  process.on('message', hear);
  return {
    serving: (adminPort) => {
      const message: FromWorker = { kind: 'serving', adminPort };
      process.send?.(message);
    },
    close: () => {
      process.off('message', hear);
      if (process.connected) process.disconnect?.();
    },
  };
}
