// What was asked for and is not answered yet: whoever asked for it waits, instead of asking twice.

import { useState } from 'react';

export type Pending<K> = {
  has(name: K): boolean;
  during<T>(name: K, work: Promise<T>): Promise<T>;
};

/** The same for what there is only one of, such as saving a form. */
export function useBusy(): readonly [isBusy: boolean, during: <T>(work: Promise<T>) => Promise<T>] {
  const pending = usePending<true>();
  return [pending.has(true), (work) => pending.during(true, work)];
}

export function usePending<K>(): Pending<K> {
  const [names, setNames] = useState<ReadonlySet<K>>(new Set());
  return {
    has: (name) => names.has(name),
    async during(name, work) {
      setNames((now) => new Set(now).add(name));
      try {
        return await work;
      } finally {
        setNames((now) => new Set([...now].filter((one) => one !== name)));
      }
    },
  };
}
