// How columns of a layer and their values are said to people: names and formats of the layer, and what its table calls codes.

import { useMemo } from 'react';
import type { Layer } from '../../api/types.ts';
import { hasRows } from '../../lib/dashboard/columns.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useLayerSchema } from '../viewer/table/use-layer-schema.ts';
import { type ColumnWords, columnWords } from './chart-words.ts';

/** `layer` undefined: it is not known yet, or none. */
export function useColumnWords(layer: Layer | undefined): ColumnWords {
  const t = useText();
  const schema = useLayerSchema(layer === undefined || !hasRows(layer) ? undefined : layer.name);
  return useMemo(() => {
    const fields = schema.isKnown ? schema.fields : [];
    const choices = new Map(
      fields.flatMap(({ name, choices: known }) =>
        known === undefined ? [] : [[name, new Map(known.map(({ value, label }) => [String(value), label]))] as const],
      ),
    );
    return columnWords(t, layer, choices);
  }, [t, layer, schema]);
}
