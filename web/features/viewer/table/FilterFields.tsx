// The condition above the table: an attribute, how it is compared, and with what.

import type { ColumnKind } from '../../../lib/feature-schema.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { OPERATORS, type TableFilter } from '../../../lib/table-filter.ts';
import { isNumeric } from '../style/attribute-choice.ts';
import type { GridColumn } from './grid-column.ts';

/** As the schema says; else as the catalogue does, which knows fewer kinds. */
export function kindOf(column: GridColumn | undefined, kinds: ReadonlyMap<string, ColumnKind>): ColumnKind {
  if (column === undefined) return 'text';
  return kinds.get(column.attribute) ?? (isNumeric(column) ? 'number' : 'text');
}

export function startFilter(column: GridColumn | undefined, kind: ColumnKind): TableFilter {
  return { column: column?.attribute ?? '', operator: OPERATORS[kind][0], value: '', kind };
}

export function FilterFields({
  columns,
  kinds,
  filter,
  onChange,
}: {
  readonly columns: readonly GridColumn[];
  readonly kinds: ReadonlyMap<string, ColumnKind>;
  readonly filter: TableFilter;
  readonly onChange: (filter: TableFilter) => void;
}) {
  const t = useText();
  const { kind, value, operator } = filter;
  const operators = OPERATORS[kind];
  const choose = (name: string): void => {
    const column = columns.find(({ attribute }) => attribute === name);
    const next = startFilter(column, kindOf(column, kinds));
    onChange({ ...next, value: next.kind === kind ? value : '' });
  };
  const field = {
    className: 'input small table-value',
    'aria-label': t('table.value'),
    value,
    disabled: operator === 'empty',
  };
  const set = (to: string): void => onChange({ ...filter, value: to });
  return (
    <>
      <select
        className="input small"
        aria-label={t('table.column')}
        value={filter.column}
        onChange={(event) => choose(event.target.value)}
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
        value={operator}
        onChange={(event) =>
          onChange({ ...filter, operator: operators.find((name) => name === event.target.value) ?? operators[0] })
        }
      >
        {operators.map((name) => (
          <option key={name} value={name}>
            {t(`operator.${name}`)}
          </option>
        ))}
      </select>
      {kind === 'boolean' ? (
        <select {...field} onChange={(event) => set(event.target.value)}>
          <option value="">{t('sharing.choose')}</option>
          <option value="true">{t('data.yes')}</option>
          <option value="false">{t('data.no')}</option>
        </select>
      ) : (
        <input
          {...field}
          type={kind === 'date' || kind === 'time' ? 'date' : 'text'}
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          onChange={(event) => set(event.target.value)}
        />
      )}
    </>
  );
}
