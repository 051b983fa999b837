// When to stop, and why.

import { EXIT } from './command-line/exit-code.ts';

export type StopSignal = {
  readonly asked: Promise<string>;
  /** Aborted then. */
  readonly signal: AbortSignal;
  now(reason: string): void;
};

/** `npm start` and `npx survest`, as npm names them to what it runs. */
const NPM_COMMANDS: readonly (string | undefined)[] = ['start', 'npx'];
const PARENT_CHECK_MS = 500;

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
    if (NPM_COMMANDS.includes(process.env['npm_lifecycle_event'])) whenParentEnds(() => resolve('npm has ended'));
  });
  const stopping = new AbortController();
  void asked.then(() => stopping.abort());
  return { asked, signal: stopping.signal, now };
}

/**
 * npm runs a command in a shell and passes signals on to that shell, which ends without telling us: a service manager that stops
 * `npm start` would leave the program running, and its port and data folder taken.
 */
function whenParentEnds(then: () => void): void {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    then();
  }, PARENT_CHECK_MS);
  check.unref();
}
