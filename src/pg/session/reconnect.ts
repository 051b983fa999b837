// A connection that is meant to last: opened again whenever it is lost, after waits that grow (backoff), until it is closed.

export type RetryMs = readonly [number, ...number[]];

/** One quick try for a server that only dropped us, then as the rest of the program waits for a database; the last one is repeated. */
export const RETRY_MS: RetryMs = [100, 1000, 2000, 4000, 8000, 16_000, 32_000];

export type Reconnecting = {
  readonly isClosed: boolean;
  /** No further tries, and none is waited for. What is open is the caller's to close. */
  stop(): void;
  /** When the last try has ended. */
  readonly done: Promise<void>;
};

/** `once` opens, calls back when it works, and resolves with the reason when it does not, or no longer. */
export function reconnect(
  once: (onOpen: () => void) => Promise<string>,
  retryMs: RetryMs,
  onLost: (message: string, retryInMs: number) => void,
): Reconnecting {
  let isClosed = false;
  let wake: () => void = () => {};

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    // `once` may look at what is returned here.
    await Promise.resolve();
    for (let failures = 0; !isClosed; failures++) {
      const message = await once(() => {
        failures = 0;
      });
      if (isClosed) return;
      const retryInMs = retryMs[Math.min(failures, retryMs.length - 1)] ?? retryMs[0];
      onLost(message, retryInMs);
      await pause(retryInMs);
    }
  };

  return {
    get isClosed() {
      return isClosed;
    },
    stop: () => {
      isClosed = true;
      wake();
    },
    done: run(),
  };
}
