// A column given another type, in all rows of the layer.

import { useState } from 'react';
import { changeType, tryType } from '../../../api/calculate.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { ColumnOptions } from '../../../ui/ColumnOptions.tsx';
import { SelectField } from '../../../ui/Field.tsx';
import { CleanDialog } from './CleanDialog.tsx';
import type { CleanProps } from './clean-props.ts';

const TYPES = ['text', 'integer', 'double precision', 'boolean', 'date', 'timestamptz', 'bigint', 'numeric'] as const;

export function RetypeDialog({ layer, columns, onClose, onDone }: CleanProps) {
  const t = useText();
  const [column, setColumn] = useState('');
  const [type, setType] = useState('');
  return (
    <CleanDialog
      title={t('clean.retype')}
      layer={layer}
      order={column === '' || type === '' ? undefined : JSON.stringify([column, type])}
      mayKeep={false}
      attempt={(signal) => tryType(layer, column, type, signal)}
      perform={(unreadable) => changeType(layer, column, type, unreadable)}
      onClose={onClose}
      onDone={onDone}
    >
      <p className="soft">{t('clean.retype-all')}</p>
      <SelectField
        label={t('table.column')}
        required
        value={column}
        onChange={(event) => setColumn(event.target.value)}
      >
        <option value="">{t('sharing.choose')}</option>
        <ColumnOptions columns={columns} />
      </SelectField>
      <SelectField label={t('attributes.type')} required value={type} onChange={(event) => setType(event.target.value)}>
        <option value="">{t('sharing.choose')}</option>
        {TYPES.map((one) => (
          <option key={one} value={one}>
            {t(`column-type.${one}`)}
          </option>
        ))}
      </SelectField>
    </CleanDialog>
  );
}
