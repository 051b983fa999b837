// Tells when rows of a layer change, by a live stream of the REST service. Where there is none (a server that is older, a table that is not
// followed) nothing is told.

import { makeEventReader } from '../lib/event-stream.ts';
import { bearer } from './rest.ts';

const RETRY_MS = [1000, 2000, 5000, 15_000, 30_000] as const;

/** `path` is what follows /rest/v1/. Ends when the signal fires. */
export async function whenRowsChange(
  path: string,
  isSignedIn: boolean,
  onChange: () => void,
  signal: AbortSignal,
): Promise<void> {
  let lastId: string | undefined;
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      const text = await bearer(isSignedIn);
      const reply = await fetch(`/rest/v1/${path}`, {
        headers: {
          Accept: 'text/event-stream',
          ...(text === undefined ? {} : { Authorization: `Bearer ${text}` }),
          ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }),
        },
        cache: 'no-store',
        signal,
      });
      // Refused now is refused in a second as well.
      if (reply.status >= 400 && reply.status < 500) return;
      if (reply.ok && reply.body !== null) {
        // Rows that come anew after the first time may be other ones.
        let isReady = lastId !== undefined;
        const read = makeEventReader();
        const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          for (const { name, id } of read(part.value)) {
            lastId = id ?? lastId;
            if (name === 'ready') {
              isReady = true;
              failures = 0;
            } else if (isReady && (name === 'row' || name === 'gone' || name === 'reset')) onChange();
          }
        }
      }
    } catch {
      if (signal.aborted) return;
    }
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 30_000, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
