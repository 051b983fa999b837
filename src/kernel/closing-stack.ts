// What a program has opened, closed in the reverse order: what was opened later may use what was opened before.

import type { Result } from './result.ts';

type Close = () => void | Promise<void>;

export class ClosingStack {
  readonly #closes: Close[] = [];
  #isClosed = false;

  /** Whatever is opened while, or after, the stack is closed is closed at once. */
  defer(close: Close): void {
    if (this.#isClosed) void close();
    else this.#closes.push(close);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (let close = this.#closes.pop(); close !== undefined; close = this.#closes.pop()) await close();
  }
}

/** Opens several things for `outer`. Where one of them fails, those before it are closed again. */
export async function openTogether<T, E>(
  outer: ClosingStack,
  open: (own: ClosingStack) => Promise<Result<T, E>>,
): Promise<Result<T, E>> {
  const own = new ClosingStack();
  let isOpen = false;
  try {
    const opened = await open(own);
    isOpen = opened.ok;
    return opened;
  } finally {
    if (isOpen) outer.defer(() => own.close());
    else await own.close();
  }
}
