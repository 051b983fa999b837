// What a change would do, asked a moment after the last letter was typed.

import { useEffect, useState } from 'react';
import type { Trial } from '../../../api/calculate.ts';
import type { Failure } from '../../../api/failure.ts';
import type { Result } from '../../../lib/result.ts';

const TYPING_MS = 500;

export type TrialState =
  | { readonly kind: 'none' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'tried'; readonly trial: Trial }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** `order`: what is asked for, as text; undefined: something is missing. */
export function useTrial(
  order: string | undefined,
  ask: (signal: AbortSignal) => Promise<Result<Trial, Failure>>,
): TrialState {
  const [found, setFound] = useState<{ readonly order: string; readonly state: TrialState }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when something else is asked for.
  useEffect(() => {
    if (order === undefined) return;
    const gone = new AbortController();
    const later = window.setTimeout(() => {
      ask(gone.signal).then(
        (reply) => {
          if (gone.signal.aborted) return;
          const state: TrialState = reply.ok
            ? { kind: 'tried', trial: reply.value }
            : { kind: 'failed', failure: reply.error };
          setFound({ order, state });
        },
        () => undefined,
      );
    }, TYPING_MS);
    return () => {
      gone.abort();
      window.clearTimeout(later);
    };
  }, [order]);
  if (order === undefined) return { kind: 'none' };
  return found?.order === order ? found.state : { kind: 'asking' };
}
