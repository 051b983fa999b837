// The aggregates of a widget: asked anew when filters or rows change, the last answer shown until the next one is there.

import { useEffect, useState } from 'react';
import { type Aggregates, isAggregates } from '../../api/aggregates.ts';
import { sendFor } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { parseGroups } from '../../lib/exact-json.ts';

export type Counted = {
  readonly value: Aggregates | undefined;
  readonly failure: Failure | undefined;
  readonly isWaiting: boolean;
};

export function useAggregates(path: string | undefined, changes: number): Counted {
  const [counted, setCounted] = useState<Counted>({ value: undefined, failure: undefined, isWaiting: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that have changed are counted anew.
  useEffect(() => {
    if (path === undefined) return;
    const gone = new AbortController();
    setCounted(({ value }) => ({ value, failure: undefined, isWaiting: true }));
    sendFor(isAggregates, 'GET', path, { signal: gone.signal, parse: parseGroups }).then(
      (reply) =>
        setCounted(
          reply.ok
            ? { value: reply.value, failure: undefined, isWaiting: false }
            : { value: undefined, failure: reply.error, isWaiting: false },
        ),
      () => undefined,
    );
    return () => gone.abort();
  }, [path, changes]);
  return counted;
}
