// The portal's door: open once its database is ready, until then every request is told to come back. The program stays up
// while the database is away, and opens the door by itself when it is there.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { noteCause } from '../../http/request-notes.ts';
import type { Observe } from '../../kernel/observation.ts';
import { err, type Result } from '../../kernel/result.ts';
import { makeBackOff } from '../../rest/lifecycle/back-off.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** `retry`: waiting may help; otherwise it never will. */
export type PrepareError = { readonly message: string; readonly retry: boolean };

export type PortalGate = {
  readonly handler: Handler;
  /** The first attempt. After a failure that may pass, further ones go on by themselves. */
  open(): Promise<Result<void, PrepareError>>;
  close(): void;
};

export function makePortalGate(
  prepare: () => Promise<Result<Handler, PrepareError>>,
  observe: Observe,
  onFatal: (message: string) => void,
): PortalGate {
  const backOff = makeBackOff();
  let inside: Handler | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function attempt(): Promise<Result<void, PrepareError>> {
    const prepared = await prepare().catch(brokenOff);
    if (prepared.ok) {
      inside = prepared.value;
      return { ok: true, value: undefined };
    }
    const { message, retry } = prepared.error;
    if (retry && !closed) {
      const retryInMs = backOff.next();
      observe({ kind: 'database-unreachable', message, retryInMs });
      timer = setTimeout(() => void again(), retryInMs);
    }
    return prepared;
  }

  async function again(): Promise<void> {
    const tried = await attempt();
    if (!tried.ok && !tried.error.retry) onFatal(tried.error.message);
  }

  return {
    handler: (request, response) => {
      if (inside !== undefined) inside(request, response);
      else {
        noteCause(request, 'the database is not ready for the portal yet');
        comeBack(response, Math.ceil(backOff.current() / 1000));
      }
    },
    open: attempt,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** A folder that cannot be written to, a store with wrong keys: nothing that waiting would change. */
function brokenOff(cause: unknown): Result<never, PrepareError> {
  const said = cause instanceof Error ? cause.message : String(cause);
  return err({ message: `the portal cannot be opened: ${said}`, retry: false });
}

function comeBack(response: ServerResponse, seconds: number): void {
  const body = '{"detail":"The database cannot be reached. Please try again."}';
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Retry-After': String(Math.max(1, seconds)),
  });
  response.end(body);
}
