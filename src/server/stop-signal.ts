// When to stop, and why.

import { EXIT } from './exit-code.ts';

export type StopSignal = { readonly asked: Promise<string>; now(reason: string): void };

/** Resolves with the reason at the first SIGINT or SIGTERM; a second one ends the program at once. */
export function stopSignal(): StopSignal {
  let now: (reason: string) => void = () => {};
  const asked = new Promise<string>((resolve) => {
    now = resolve;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve(`received ${signal}`);
        process.once(signal, () => process.exit(EXIT.failed));
      });
    }
  });
  return { asked, now };
}
