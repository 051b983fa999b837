// The sources of several layers, each loaded once.

import { useEffect, useRef, useState } from 'react';
import type { Failure } from '../api/failure.ts';
import type { Result } from '../lib/result.ts';
import { type LayerRef, type LayerSource, loadLayerSource } from './layer-source.ts';

export type LoadedSources = ReadonlyMap<string, Result<LayerSource, Failure>>;

export const keyOf = ({ pk, style }: LayerRef): string => (style === undefined ? pk : `${pk}/${style}`);

/** By key; a layer that is still on its way is not there yet. `turn` loads all anew. */
export function useLayerSources(refs: readonly LayerRef[], turn = 0): LoadedSources {
  const [sources, setSources] = useState<LoadedSources>(new Map());
  const asked = useRef({ turn, keys: new Set<string>() });
  const wanted = refs.map(keyOf).join(' ');
  const now = useRef(refs);
  now.current = refs;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` stands for the refs.
  useEffect(() => {
    if (asked.current.turn !== turn) asked.current = { turn, keys: new Set() };
    const { keys } = asked.current;
    for (const ref of now.current) {
      const key = keyOf(ref);
      if (keys.has(key)) continue;
      keys.add(key);
      void loadLayerSource(ref).then((loaded) => {
        // All were asked for anew since.
        if (asked.current.turn === turn) setSources((all) => new Map(all).set(key, loaded));
      });
    }
  }, [wanted, turn]);
  return sources;
}
