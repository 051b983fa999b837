// The columns of a layer, one below the other: whether it is shown, its name for people, its format, its place.

import { useId } from 'react';
import {
  type ColumnFormat,
  FORMAT_KINDS,
  type FormatKind,
  newFormat,
} from '../../../src/geo/presentation/column-format.ts';
import { type ColumnLook, MAX_LABEL } from '../../../src/geo/presentation/presentation.ts';
import { useText } from '../../lib/i18n/text.ts';
import { replacedAt, stepped } from '../../lib/ordered.ts';
import { IconButton } from '../../ui/Button.tsx';
import { FormatFields } from './FormatFields.tsx';

export function ColumnRows({
  columns,
  onChange,
}: {
  readonly columns: readonly ColumnLook[];
  readonly onChange: (columns: readonly ColumnLook[]) => void;
}) {
  const t = useText();
  return (
    <>
      <p className="soft small-text">{t('look.columns-about')}</p>
      <ol className="look-columns">
        {columns.map((look, i) => (
          <ColumnRow
            key={look.column}
            look={look}
            isFirst={i === 0}
            isLast={i === columns.length - 1}
            onChange={(next) => onChange(replacedAt(columns, i, next))}
            onStep={(by) => onChange(stepped(columns, i, by))}
          />
        ))}
      </ol>
    </>
  );
}

function ColumnRow({
  look,
  isFirst,
  isLast,
  onChange,
  onStep,
}: {
  readonly look: ColumnLook;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onChange: (look: ColumnLook) => void;
  readonly onStep: (by: -1 | 1) => void;
}) {
  const t = useText();
  const id = useId();
  const { column, label, visible, format } = look;
  const name = label === '' ? column : label;
  const setFormat = (next: ColumnFormat | undefined): void => onChange({ ...look, format: next });
  return (
    <li className={visible ? '' : 'is-hidden'}>
      <IconButton
        small
        icon={visible ? 'eye' : 'eye-off'}
        name={t('look.show-column', { name })}
        aria-pressed={visible}
        onClick={() => onChange({ ...look, visible: !visible })}
      />
      <div className="look-fields">
        <label className="look-label" htmlFor={id}>
          {t('look.label-of', { name: column })}
        </label>
        <input
          id={id}
          className="input small"
          value={label}
          maxLength={MAX_LABEL}
          placeholder={column}
          onChange={(event) => onChange({ ...look, label: event.target.value })}
        />
        <select
          className="input small"
          aria-label={t('look.format-of', { name })}
          value={format?.kind ?? ''}
          onChange={({ target }) => setFormat(target.value === '' ? undefined : newFormat(target.value as FormatKind))}
        >
          <option value="">{t('look.format-plain')}</option>
          {FORMAT_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`look.format-${kind}`)}
            </option>
          ))}
        </select>
        {format !== undefined && <FormatFields format={format} name={name} onChange={setFormat} />}
      </div>
      <span className="row tight nowrap">
        <IconButton small icon="up" name={t('look.up', { name })} disabled={isFirst} onClick={() => onStep(-1)} />
        <IconButton small icon="down" name={t('look.down', { name })} disabled={isLast} onClick={() => onStep(1)} />
      </span>
    </li>
  );
}
