// The condition above the table: an attribute, how it is compared, and with what.

import type { Attribute } from '../../../api/types.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { NUMBER_OPERATORS, type Operator, type TableFilter, TEXT_OPERATORS } from '../../../lib/table-filter.ts';
import { isNumeric } from '../style/attribute-choice.ts';

export function startFilter(column: Attribute | undefined): TableFilter {
  const isNumber = column !== undefined && isNumeric(column);
  return { column: column?.attribute ?? '', operator: isNumber ? 'is' : 'contains', value: '', isNumber };
}

export function FilterFields({
  columns,
  filter,
  onChange,
}: {
  readonly columns: readonly Attribute[];
  readonly filter: TableFilter;
  readonly onChange: (filter: TableFilter) => void;
}) {
  const t = useText();
  const operators: readonly Operator[] = filter.isNumber ? NUMBER_OPERATORS : TEXT_OPERATORS;
  return (
    <>
      <select
        className="input small"
        aria-label={t('table.column')}
        value={filter.column}
        onChange={(event) =>
          onChange({
            ...startFilter(columns.find(({ attribute }) => attribute === event.target.value)),
            value: filter.value,
          })
        }
      >
        {columns.map(({ attribute, attribute_label }) => (
          <option key={attribute} value={attribute}>
            {attribute_label ?? attribute}
          </option>
        ))}
      </select>
      <select
        className="input small"
        aria-label={t('table.operator')}
        value={filter.operator}
        onChange={(event) =>
          onChange({ ...filter, operator: operators.find((name) => name === event.target.value) ?? 'is' })
        }
      >
        {operators.map((name) => (
          <option key={name} value={name}>
            {t(`operator.${name}`)}
          </option>
        ))}
      </select>
      <input
        className="input small table-value"
        aria-label={t('table.value')}
        value={filter.value}
        disabled={filter.operator === 'empty'}
        inputMode={filter.isNumber ? 'decimal' : 'text'}
        onChange={(event) => onChange({ ...filter, value: event.target.value })}
      />
    </>
  );
}
