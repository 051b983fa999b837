// What an address of the portal answers, as a state that a page draws: loading, failed or loaded. The last answer of an address
// is shown at once when a page comes back to it, and renewed behind it.

import { useCallback, useEffect, useState } from 'react';
import { get } from './client.ts';
import type { Failure } from './failure.ts';

export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'loaded'; readonly value: T; readonly isStale: boolean };

const LOADING = { kind: 'loading' } as const;
const MAX_KEPT = 60;
const kept = new Map<string, unknown>();
let changes = 0;

/** After something was changed: whatever was kept may be wrong, and so may what was asked for before. */
export function forgetLoaded(): void {
  kept.clear();
  changes += 1;
}

/** `path` undefined: nothing is asked yet. */
export function useLoaded<T>(path: string | undefined): readonly [Loaded<T>, () => void] {
  const [state, setState] = useState<{ readonly path: string | undefined; readonly loaded: Loaded<T> }>(() => ({
    path,
    loaded: fromKept<T>(path),
  }));
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks the same address again.
  useEffect(() => {
    if (path === undefined) return;
    const gone = new AbortController();
    const asked = changes;
    setState((now) => (now.path === path && now.loaded.kind === 'loaded' ? now : { path, loaded: fromKept<T>(path) }));
    get<T>(path, gone.signal).then(
      (reply) => {
        if (reply.ok && asked === changes) keep(path, reply.value);
        setState({
          path,
          loaded: reply.ok
            ? { kind: 'loaded', value: reply.value, isStale: false }
            : { kind: 'failed', failure: reply.error },
        });
      },
      () => undefined,
    );
    return () => gone.abort();
  }, [path, turn]);
  const again = useCallback(() => {
    forgetLoaded();
    setTurn((n) => n + 1);
  }, []);
  return [state.path === path ? state.loaded : fromKept<T>(path), again];
}

/** The same for what is going to be changed: an answer from before would be written over what others did since. */
export function useFresh<T>(path: string | undefined): readonly [Loaded<T>, () => void] {
  const [loaded, again] = useLoaded<T>(path);
  return [loaded.kind === 'loaded' && loaded.isStale ? LOADING : loaded, again];
}

function fromKept<T>(path: string | undefined): Loaded<T> {
  return path !== undefined && kept.has(path) ? { kind: 'loaded', value: kept.get(path) as T, isStale: true } : LOADING;
}

function keep(path: string, value: unknown): void {
  kept.delete(path);
  kept.set(path, value);
  const oldest = kept.keys().next();
  if (kept.size > MAX_KEPT && !oldest.done) kept.delete(oldest.value);
}
