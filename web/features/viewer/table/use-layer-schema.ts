// Which column names a feature of a layer, and what its columns hold, as the layer's own schema says.

import { useEffect, useMemo } from 'react';
import { useLoaded } from '../../../api/use-loaded.ts';
import { type FormField, featureForm } from '../../../lib/edit/feature-form.ts';
import { type ColumnKind, columnKinds, keyColumn } from '../../../lib/feature-schema.ts';

export type LayerSchema =
  | { readonly isKnown: false }
  | {
      readonly isKnown: true;
      /** Undefined: nothing names a feature. */
      readonly key: string | undefined;
      readonly kinds: ReadonlyMap<string, ColumnKind>;
      readonly fields: readonly FormField[];
    };

/** `layer` undefined: nobody needs it yet. `changes`: how often its columns were changed meanwhile. */
export function useLayerSchema(layer: string | undefined, changes = 0): LayerSchema {
  const [schema, again] = useLoaded(
    layer === undefined ? undefined : `/ogc/collections/${encodeURIComponent(layer)}/schema`,
  );
  useEffect(() => {
    if (changes > 0) again();
  }, [changes, again]);
  return useMemo(() => {
    if (schema.kind === 'loading') return { isKnown: false };
    const value = schema.kind === 'loaded' ? schema.value : undefined;
    return { isKnown: true, key: keyColumn(value), kinds: columnKinds(value), fields: featureForm(value).fields };
  }, [schema]);
}
