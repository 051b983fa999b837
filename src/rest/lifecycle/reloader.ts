// Runs a load again whenever it is asked for, one at a time. What is asked for while a load runs is done after it, and
// after a short rest: no request to reload is lost, and a hundred of them are two loads.

export type Reloader<Order> = {
  /** Ask for a load; resolves when one that began after the asking has ended. */
  request(order: Order): Promise<void>;
};

/** A migration announces each of its statements; this gathers them. */
const REST_MS = 100;

/** `load` gets all that was asked for since the last one began. */
export function makeReloader<Order>(
  load: (orders: readonly Order[]) => Promise<void>,
  restMs: number = REST_MS,
): Reloader<Order> {
  let orders: Order[] = [];
  /** Settled when the next load may begin; undefined: at once. */
  let rested: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    const asked = orders;
    orders = [];
    const running = load(asked);
    rested = running
      .catch(() => undefined)
      .then(() => new Promise<void>((resolve) => setTimeout(resolve, restMs)))
      .then(() => {
        rested = undefined;
      });
    return running;
  };
  return {
    request(order) {
      orders.push(order);
      if (rested === undefined) return start();
      next ??= rested.then(() => {
        next = undefined;
        return start();
      });
      return next;
    },
  };
}
