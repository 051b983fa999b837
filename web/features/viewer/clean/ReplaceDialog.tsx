// Texts of a column found and replaced, trimmed, or written in capitals or small letters.

import { useState } from 'react';
import { calculate, type Order, tryCalculation } from '../../../api/calculate.ts';
import { ASKS, CLEANINGS, type Cleaning, cleanExpression, targetFilter } from '../../../lib/clean-expression.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { ColumnOptions } from '../../../ui/ColumnOptions.tsx';
import { InputField, SelectField } from '../../../ui/Field.tsx';
import { CleanDialog } from './CleanDialog.tsx';
import type { CleanProps } from './clean-props.ts';

export function ReplaceDialog({ layer, columns, target, rows, onClose, onDone }: CleanProps) {
  const t = useText();
  const texts = columns.filter(({ attribute_type: type }) => type === 'xsd:string');
  const [column, setColumn] = useState(texts[0]?.attribute ?? '');
  const [how, setHow] = useState<Cleaning>('replace');
  const [find, setFind] = useState('');
  const [by, setBy] = useState('');
  const expression = cleanExpression(column, how, find, by);
  const filter = targetFilter(target);
  const order: Order = { column, expression, ...(filter === undefined ? {} : { filter }) };
  return (
    <CleanDialog
      title={t('clean.replace')}
      layer={layer}
      column={column}
      order={expression === undefined ? undefined : JSON.stringify(order)}
      mayKeep
      attempt={(signal) => tryCalculation(layer, order, signal)}
      perform={(unreadable) => calculate(layer, order, unreadable)}
      onClose={onClose}
      onDone={onDone}
    >
      <p className="soft">{rows}</p>
      <SelectField label={t('table.column')} value={column} onChange={(event) => setColumn(event.target.value)}>
        <ColumnOptions columns={texts} />
      </SelectField>
      <SelectField
        label={t('clean.how')}
        value={how}
        onChange={(event) => setHow(CLEANINGS.find((one) => one === event.target.value) ?? 'replace')}
      >
        {CLEANINGS.map((one) => (
          <option key={one} value={one}>
            {t(`clean.how.${one}`)}
          </option>
        ))}
      </SelectField>
      {ASKS[how].find && (
        <InputField label={t('clean.find')} value={find} onChange={(event) => setFind(event.target.value)} />
      )}
      {ASKS[how].by && <InputField label={t('clean.by')} value={by} onChange={(event) => setBy(event.target.value)} />}
    </CleanDialog>
  );
}
