// What can be done to a column in many rows at once: in those that were chosen, else in all that are shown.

import { useState } from 'react';
import type { Layer } from '../../../api/types.ts';
import type { RowTarget } from '../../../lib/clean-expression.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import type { GridColumn } from '../table/grid-column.ts';
import { CalculateDialog } from './CalculateDialog.tsx';
import { ReplaceDialog } from './ReplaceDialog.tsx';
import { RetypeDialog } from './RetypeDialog.tsx';

const DIALOGS = { calculate: CalculateDialog, replace: ReplaceDialog, retype: RetypeDialog } as const;
type Action = keyof typeof DIALOGS;

export function CleanMenu({
  layer,
  columns,
  target,
  total,
  onDone,
}: {
  readonly layer: Pick<Layer, 'pk' | 'perms' | 'is_registered'>;
  /** Without the key. */
  readonly columns: readonly GridColumn[];
  readonly target: RowTarget;
  /** Of the rows that are shown, on all pages; undefined: not known. */
  readonly total: number | undefined;
  readonly onDone: () => void;
}) {
  const t = useText();
  const [action, setAction] = useState<Action>();
  const manages = layer.perms.includes('change_resourcebase_permissions') && !layer.is_registered;
  const hasTexts = columns.some(({ attribute_type: type }) => type === 'xsd:string');
  const actions: readonly Action[] = [
    'calculate',
    ...(hasTexts ? (['replace'] as const) : []),
    ...(manages ? (['retype'] as const) : []),
  ];
  const rows =
    target.kind === 'some'
      ? t.count('table.chosen', target.names.length)
      : total === undefined
        ? t('clean.rows-all')
        : t.count('clean.rows', total);
  const Chosen = action === undefined ? undefined : DIALOGS[action];
  return (
    <>
      <Menu label={t('clean.menu')} icon="edit" look="small" align="left">
        {actions.map((one) => (
          <MenuItem key={one} onClick={() => setAction(one)}>
            {t(`clean.${one}`)}
          </MenuItem>
        ))}
      </Menu>
      {Chosen !== undefined && (
        <Chosen
          layer={layer.pk}
          columns={columns}
          target={target}
          rows={rows}
          mayAdd={manages}
          onClose={() => setAction(undefined)}
          onDone={onDone}
        />
      )}
    </>
  );
}
