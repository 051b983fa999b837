// The rows of a table without places, on its page.

import { useMemo } from 'react';
import type { Layer } from '../../api/types.ts';
import { RowsGrid } from '../viewer/table/RowsGrid.tsx';

/** Imports and forms call it so. */
const KEY = 'fid';

export function PlainTable({ layer, onChanged }: { readonly layer: Layer; readonly onChanged: () => void }) {
  const columns = useMemo(() => layer.attribute_set.filter(({ visible }) => visible), [layer]);
  const mayEdit = layer.perms.includes('change_layer_data') && !layer.is_registered;
  return (
    <RowsGrid
      table={layer.name}
      layer={layer}
      title={layer.title}
      columns={columns}
      // A table of the database has a key of its own.
      keyColumn={layer.is_registered ? undefined : KEY}
      mayEdit={mayEdit}
      adds={mayEdit ? 'empty' : undefined}
      onColumns={onChanged}
    />
  );
}
