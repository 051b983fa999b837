// Which column names a feature of a layer, as the layer's own schema says.

import { useLoaded } from '../../../api/use-loaded.ts';
import { keyColumn } from '../../../lib/feature-schema.ts';

export type LayerKey = { readonly isKnown: false } | { readonly isKnown: true; readonly column: string | undefined };

export function useLayerKey(layer: string): LayerKey {
  const [schema] = useLoaded<unknown>(`/ogc/collections/${encodeURIComponent(layer)}/schema`);
  if (schema.kind === 'loading') return { isKnown: false };
  return { isKnown: true, column: schema.kind === 'loaded' ? keyColumn(schema.value) : undefined };
}
