// What the table of a layer is made of, for those who may change it: its columns, tables that are joined to it, and its rows from a file.

import { useState } from 'react';
import type { Layer } from '../../../api/types.ts';
import { SourcePanel } from '../../sources/SourcePanel.tsx';
import { ColumnsPanel } from './ColumnsPanel.tsx';
import { JoinsPanel } from './JoinsPanel.tsx';
import { RowsFromFile } from './RowsFromFile.tsx';
import './columns.css';

/** Who decides who else may see a layer manages it. */
const managesColumns = ({ perms }: Layer): boolean =>
  perms.includes('change_layer_data') && perms.includes('change_resourcebase_permissions');

export function DataTab({ layer, onChanged }: { readonly layer: Layer; readonly onChanged: () => void }) {
  // A join makes columns: their list is read anew.
  const [joined, setJoined] = useState(0);
  const noteJoin = (): void => {
    setJoined((count) => count + 1);
    onChanged();
  };
  return (
    <div className="stack loose">
      {managesColumns(layer) && <ColumnsPanel key={joined} layer={layer} onChanged={onChanged} />}
      {managesColumns(layer) && <JoinsPanel layer={layer} onChanged={noteJoin} />}
      {managesColumns(layer) && !layer.is_registered && <SourcePanel layer={layer} onChanged={onChanged} />}
      <RowsFromFile layer={layer} onChanged={onChanged} />
    </div>
  );
}
