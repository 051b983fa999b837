// A column, or a new one, filled by an expression that is written here, with columns and functions to choose from.

import { useRef, useState } from 'react';
import { calculate, type Order, tryCalculation } from '../../../api/calculate.ts';
import { columnWord, FUNCTION_CALLS, targetFilter } from '../../../lib/clean-expression.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { ColumnOptions } from '../../../ui/ColumnOptions.tsx';
import { InputField, SelectField, TextField } from '../../../ui/Field.tsx';
import { CleanDialog } from './CleanDialog.tsx';
import type { CleanProps } from './clean-props.ts';

/** No column is called so. */
const NEW = '';
const MAX_NAME = 255;

export function CalculateDialog({ layer, columns, target, rows, mayAdd, onClose, onDone }: CleanProps) {
  const t = useText();
  const [into, setInto] = useState(mayAdd ? NEW : (columns[0]?.attribute ?? ''));
  const [name, setName] = useState('');
  const [expression, setExpression] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);
  const filter = targetFilter(target);
  const order: Order | undefined =
    expression.trim() === ''
      ? undefined
      : {
          // Before the new column has a name, it can be tried all the same.
          ...(into === NEW ? { new_column: { name: name.trim() === '' ? '…' : name.trim() } } : { column: into }),
          expression,
          ...(filter === undefined ? {} : { filter }),
        };
  const insert = (word: string): void => {
    const area = box.current;
    if (area === null || word === '') return;
    const [start, end] = [area.selectionStart, area.selectionEnd];
    setExpression(expression.slice(0, start) + word + expression.slice(end));
    // Into the brackets of a function; behind a column.
    const at = word.indexOf('(');
    const place = start + (at < 0 || word.includes('(geometry') ? word.length : at + 1);
    requestAnimationFrame(() => {
      area.focus();
      area.setSelectionRange(place, place);
    });
  };
  return (
    <CleanDialog
      title={t('clean.calculate')}
      layer={layer}
      column={into}
      order={order === undefined ? undefined : JSON.stringify(order)}
      mayKeep
      attempt={(signal) => tryCalculation(layer, order ?? { expression: '' }, signal)}
      perform={(unreadable) => calculate(layer, order ?? { expression: '' }, unreadable)}
      onClose={onClose}
      onDone={onDone}
    >
      <p className="soft">{rows}</p>
      <SelectField label={t('clean.into')} value={into} onChange={(event) => setInto(event.target.value)}>
        {mayAdd && <option value={NEW}>{t('clean.new-column')}</option>}
        <ColumnOptions columns={columns} />
      </SelectField>
      {into === NEW && (
        <InputField
          label={t('columns.name')}
          required
          maxLength={MAX_NAME}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <TextField
        label={t('clean.expression')}
        hint={t('clean.expression-hint')}
        ref={box}
        className="input clean-expression"
        spellCheck={false}
        autoCapitalize="off"
        value={expression}
        onChange={(event) => setExpression(event.target.value)}
      />
      <div className="clean-inserts">
        <SelectField label={t('clean.insert-column')} value="" onChange={(event) => insert(event.target.value)}>
          <option value="">{t('sharing.choose')}</option>
          <ColumnOptions columns={columns} toValue={columnWord} />
        </SelectField>
        <SelectField label={t('clean.insert-function')} value="" onChange={(event) => insert(event.target.value)}>
          <option value="">{t('sharing.choose')}</option>
          {FUNCTION_CALLS.map((call) => (
            <option key={call} value={call}>
              {call}
            </option>
          ))}
        </SelectField>
      </div>
    </CleanDialog>
  );
}
