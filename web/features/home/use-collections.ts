// The collections of the API, as the API lists them.

import { useEffect, useState } from 'react';

export type Collections =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'loaded'; readonly list: readonly { readonly name: string; readonly url: string }[] };

export function useCollections(): Collections {
  const [collections, setCollections] = useState<Collections>({ kind: 'loading' });
  useEffect(() => {
    const gone = new AbortController();
    load(gone.signal).then(setCollections, (error: unknown) => {
      if (!gone.signal.aborted) setCollections({ kind: 'failed', message: String(error) });
    });
    return () => gone.abort();
  }, []);
  return collections;
}

async function load(signal: AbortSignal): Promise<Collections> {
  const reply = await fetch('/api/v2/', { signal });
  if (!reply.ok) return { kind: 'failed', message: `The server answered ${reply.status}.` };
  const addresses = (await reply.json()) as Record<string, string>;
  return { kind: 'loaded', list: Object.entries(addresses).map(([name, url]) => ({ name, url })) };
}
