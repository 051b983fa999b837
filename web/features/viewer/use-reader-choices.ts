// What a reader of a map has chosen for now: which layers are seen, and which of their features. The map itself stays as its author saved it.

import { useMemo, useState } from 'react';
import type { FeatureFilter } from '../../map/drawn.ts';
import { type AnyLayer, hasData } from './viewer-state.ts';

export type ReaderChoices = {
  readonly layers: readonly AnyLayer[];
  readonly show: (key: string, visible: boolean) => void;
  readonly narrow: (key: string, passing: FeatureFilter | undefined) => void;
};

export function useReaderChoices(seen: readonly AnyLayer[]): ReaderChoices {
  const [shown, setShown] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [passing, setPassing] = useState<ReadonlyMap<string, FeatureFilter | undefined>>(new Map());
  const layers = useMemo(
    () =>
      seen.map((one): AnyLayer => {
        const visible = shown.get(one.key) ?? one.visible;
        return hasData(one) ? { ...one, visible, passing: passing.get(one.key) } : { ...one, visible };
      }),
    [seen, shown, passing],
  );
  return {
    layers,
    show: (key, visible) => setShown((all) => new Map(all).set(key, visible)),
    narrow: (key, chosen) => setPassing((all) => new Map(all).set(key, chosen)),
  };
}
