// Runs a load again whenever it is asked for, one at a time. What is asked for while a load runs is done right after it:
// no request to reload is lost, and a hundred of them are two loads.

export type Reloader = {
  /** Ask for a load; resolves when one that began after the asking has ended. */
  request(): Promise<void>;
};

export function makeReloader(load: () => Promise<void>): Reloader {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    running = load().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    request() {
      if (running === undefined) return start();
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return start();
        });
      return next;
    },
  };
}
