// What an address of the portal answers, as a state that a page draws: loading, failed or loaded. The last answer of an address
// is shown at once when a page comes back to it, and renewed behind it.

import { useCallback, useEffect, useState } from 'react';
import type { Guard } from '../lib/guard.ts';
import { ok, type Result } from '../lib/result.ts';
import type { Answer } from './answer.ts';
import { get, guarded, promised } from './client.ts';
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

type Reply<A extends string | undefined> = Answer<'GET', NonNullable<A>>;
type Held<T> = readonly [Loaded<T>, () => void];

/** `path` undefined: nothing is asked yet. */
export function useLoaded<const A extends string | undefined>(path: A): Held<Reply<A>> {
  return useAnswer(path, (content) => ok(promised<'GET', NonNullable<A>>(content)));
}

/** The same for what is going to be changed: an answer from before would be written over what others did since. */
export function useFresh<const A extends string | undefined>(path: A): Held<Reply<A>> {
  return fresh(useLoaded(path));
}

/** What the portal's document does not tell of: looked at when it arrives. */
export function useLoadedFor<T>(guard: Guard<T>, path: string | undefined): Held<T> {
  return useAnswer(path, (content) => guarded(guard, content));
}

export function useFreshFor<T>(guard: Guard<T>, path: string | undefined): Held<T> {
  return fresh(useLoadedFor(guard, path));
}

function fresh<T>([loaded, again]: Held<T>): Held<T> {
  return [loaded.kind === 'loaded' && loaded.isStale ? LOADING : loaded, again];
}

type Reader<T> = (content: unknown) => Result<T, Failure>;

function useAnswer<T>(path: string | undefined, read: Reader<T>): Held<T> {
  const [state, setState] = useState<{ readonly path: string | undefined; readonly loaded: Loaded<T> }>(() => ({
    path,
    loaded: fromKept(path, read),
  }));
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks the same address again.
  useEffect(() => {
    if (path === undefined) return;
    const gone = new AbortController();
    const asked = changes;
    setState((now) =>
      now.path === path && now.loaded.kind === 'loaded' ? now : { path, loaded: fromKept(path, read) },
    );
    get(path, gone.signal).then(
      (reply) => {
        if (reply.ok && asked === changes) keep(path, reply.value);
        setState({ path, loaded: loadedFrom(reply.ok ? read(reply.value) : reply, false) });
      },
      () => undefined,
    );
    return () => gone.abort();
  }, [path, turn]);
  const again = useCallback(() => {
    forgetLoaded();
    setTurn((n) => n + 1);
  }, []);
  return [state.path === path ? state.loaded : fromKept(path, read), again];
}

function loadedFrom<T>(reply: Result<T, Failure>, isStale: boolean): Loaded<T> {
  return reply.ok ? { kind: 'loaded', value: reply.value, isStale } : { kind: 'failed', failure: reply.error };
}

function fromKept<T>(path: string | undefined, read: Reader<T>): Loaded<T> {
  return path !== undefined && kept.has(path) ? loadedFrom(read(kept.get(path)), true) : LOADING;
}

function keep(path: string, value: unknown): void {
  kept.delete(path);
  kept.set(path, value);
  const oldest = kept.keys().next();
  if (kept.size > MAX_KEPT && !oldest.done) kept.delete(oldest.value);
}
