// Features of layers of other people's services, as far as the map shows them: asked for when it has been moved, 1000 of each at most.

import type { FeatureCollection } from 'geojson';
import { useEffect, useMemo, useState } from 'react';
import { getFor } from '../../api/client.ts';
import type { Extent } from '../../lib/catalogue-state.ts';
import { externalAddress, isPicture } from '../../lib/external-layer.ts';
import { isFlag, isListOf, isObject, isOneOf, isRecordOf } from '../../lib/guard.ts';
import { type AnyLayer, externalOf } from './viewer-state.ts';

type Found = FeatureCollection & { readonly truncated: boolean };
/** By the key of the layer. */
export type ExternalFeatures = ReadonlyMap<string, Found | 'failed'>;

const isFound = isRecordOf<{
  readonly type: string;
  readonly features: readonly unknown[];
  readonly truncated: boolean;
}>({
  type: isOneOf('FeatureCollection'),
  features: isListOf(isObject),
  truncated: isFlag,
});

/** `turn`: with another they are asked for again. */
export function useExternalFeatures(
  layers: readonly AnyLayer[],
  extent: Extent | undefined,
  turn = 0,
): ExternalFeatures {
  const [found, setFound] = useState<ExternalFeatures>(new Map());
  const asked = useMemo(
    () =>
      layers.flatMap((one) => externalOf(one) ?? []).filter(({ external, visible }) => visible && !isPicture(external)),
    [layers],
  );
  const box = extent?.map((side, i) =>
    Math.min(i % 2 === 0 ? 180 : 90, Math.max(i % 2 === 0 ? -180 : -90, side)).toFixed(5),
  );
  const addresses = JSON.stringify(
    box === undefined
      ? []
      : asked.map(({ key, external }) => [key, externalAddress(external, 'features', { bbox: box.join(',') })]),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn asks for the same once more.
  useEffect(() => {
    const left = new AbortController();
    for (const [key = '', address = ''] of JSON.parse(addresses) as readonly (readonly string[])[])
      void getFor(isFound, address, left.signal).then((reply) => {
        if (left.signal.aborted) return;
        setFound((all) => new Map(all).set(key, reply.ok ? (reply.value as unknown as Found) : 'failed'));
      });
    return () => left.abort();
  }, [addresses, turn]);
  return found;
}
