// One column of a table as somebody wishes it: name, type, and whether every row needs a value.

import { useText } from '../../lib/i18n/text.ts';
import { InputField, SelectField } from '../../ui/Field.tsx';

const COLUMN_TYPES = [
  'text',
  'integer',
  'double precision',
  'boolean',
  'date',
  'timestamptz',
  'bigint',
  'numeric',
  'time',
  'uuid',
  'jsonb',
] as const;

export type ColumnWish = {
  readonly name: string;
  readonly type: (typeof COLUMN_TYPES)[number];
  readonly required: boolean;
};

export const NO_COLUMN: ColumnWish = { name: '', type: 'text', required: false };

export function ColumnFields({
  column,
  number,
  onChange,
  mayRequire = true,
}: {
  readonly column: ColumnWish;
  /** Undefined: it is the only one. */
  readonly number?: number;
  readonly onChange: (column: ColumnWish) => void;
  readonly mayRequire?: boolean;
}) {
  const t = useText();
  const of = (text: string): string => (number === undefined ? text : `${text} ${number}`);
  return (
    <div className="column-fields">
      <InputField
        label={of(t('columns.name'))}
        maxLength={255}
        value={column.name}
        required={number === undefined}
        onChange={(event) => onChange({ ...column, name: event.target.value })}
      />
      <SelectField
        label={of(t('attributes.type'))}
        value={column.type}
        onChange={(event) =>
          onChange({ ...column, type: COLUMN_TYPES.find((known) => known === event.target.value) ?? 'text' })
        }
      >
        {COLUMN_TYPES.map((type) => (
          <option key={type} value={type}>
            {t(`column-type.${type}`)}
          </option>
        ))}
      </SelectField>
      {mayRequire && (
        <label className="check">
          <input
            type="checkbox"
            checked={column.required}
            aria-label={of(t('columns.required'))}
            onChange={(event) => onChange({ ...column, required: event.target.checked })}
          />
          {t('columns.required')}
        </label>
      )}
    </div>
  );
}
