// What the catalogue tells of a layer's columns: as the layer came with them, and anew after they were changed here.

import { useEffect } from 'react';
import type { Layer } from '../../../api/types.ts';
import { useLoaded } from '../../../api/use-loaded.ts';

/** `changes`: how often they were. */
export function useAttributes(
  { pk, attribute_set: known }: Pick<Layer, 'pk' | 'attribute_set'>,
  changes: number,
): Layer['attribute_set'] {
  const [loaded, again] = useLoaded(changes > 0 ? `/api/v2/layers/${pk}/` : undefined);
  useEffect(() => {
    if (changes > 1) again();
  }, [changes, again]);
  return loaded.kind === 'loaded' ? loaded.value.layer.attribute_set : known;
}
