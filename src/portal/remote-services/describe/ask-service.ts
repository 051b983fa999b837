// Asking a service what it offers, within a budget: so many requests in so much time for all of a description, however many pages, links or
// redirections the service answers with.

import type { RemoteFault, RemoteFetch } from '../../../http/outbound/remote-fetch.ts';
import { err, ok, type Result } from '../../../kernel/result.ts';

export type DescribeFault =
  | RemoteFault
  /** It is no address. */
  | { readonly kind: 'address'; readonly detail: string }
  | { readonly kind: 'status'; readonly status: number }
  /** It needs more requests than one description may have. */
  | { readonly kind: 'too-many-requests'; readonly most: number }
  /** It answers, with nothing that is known here. */
  | { readonly kind: 'unknown-service' };

export type Asked = {
  readonly body: Buffer;
  /** After redirects: what its links are relative to. */
  readonly address: string;
};

export type AskService = (address: string) => Promise<Result<Asked, DescribeFault>>;

const MAX_BYTES = 5_000_000;
const TIMEOUT_MS = 20_000;
export const MAX_REQUESTS = 80;
/** For all of them; a browser waits for it. */
const MAX_WAIT_MS = 60_000;

/** `now`: of a clock that only goes forward. */
export function makeAsk(fetch: RemoteFetch, now: () => number = () => performance.now()): AskService {
  const until = now() + MAX_WAIT_MS;
  let left = MAX_REQUESTS;
  return async (address) => {
    if (left <= 0) return err({ kind: 'too-many-requests', most: MAX_REQUESTS });
    left -= 1;
    const timeoutMs = Math.round(Math.min(TIMEOUT_MS, until - now()));
    if (timeoutMs <= 0) return err({ kind: 'timeout', timeoutMs: MAX_WAIT_MS });
    const accept = 'application/json, application/geo+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1';
    const reply = await fetch(address, { accept, maxBytes: MAX_BYTES, timeoutMs });
    if (!reply.ok) return reply;
    const { status, body, address: found } = reply.value;
    return status >= 200 && status < 300 ? ok({ body, address: found.href }) : err({ kind: 'status', status });
  };
}
