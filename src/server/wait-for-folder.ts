// Opens a database again and again while another program has its folder, and says for whom it waits: a backup beside a stopped service ends by
// itself, and the service starts then.

import { setTimeout as delay } from 'node:timers/promises';
import type { Result } from '../kernel/result.ts';
import type { EmbeddedError } from '../pg/pglite/open-embedded.ts';

export type FolderWait = {
  /** Hears the first time, and now and then, for whom and how long it waits. */
  readonly tell: (line: string) => void;
  readonly signal?: AbortSignal;
  /** For a service that has the folder; 0: not at all. */
  readonly serviceWaitMs: number;
};

const AGAIN_MS = 250;
/** Commands end by themselves: a backup of a large portal takes minutes, and more than this means that it hangs. */
const COMMAND_WAIT_MS = 10 * 60_000;
const REMIND_MS = 30_000;

type Failed = EmbeddedError | { readonly message: string };

export async function waitForFolder<T>(
  open: () => Promise<Result<T, Failed>>,
  { tell, signal, serviceWaitMs }: FolderWait,
): Promise<Result<T, Failed>> {
  const began = performance.now();
  let toldAt: number | undefined;
  for (;;) {
    const opened = await open();
    if (opened.ok || !('kind' in opened.error) || opened.error.kind !== 'folder-locked') return opened;
    const { who, isBrief } = opened.error;
    const waited = performance.now() - began;
    const longest = isBrief ? COMMAND_WAIT_MS : serviceWaitMs;
    if (waited >= longest || signal?.aborted === true) return opened;
    if (toldAt === undefined || waited - toldAt >= REMIND_MS) {
      tell(`${who}; waiting for up to ${Math.ceil((longest - waited) / 1000)} s until it is free`);
      toldAt = waited;
    }
    await delay(AGAIN_MS, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }
}
