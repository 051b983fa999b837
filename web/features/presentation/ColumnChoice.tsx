// Some of the columns, in an order of their own: the chosen ones first.

import type { ColumnLook } from '../../../src/geo/presentation/presentation.ts';
import { useText } from '../../lib/i18n/text.ts';
import { stepped } from '../../lib/ordered.ts';
import { IconButton } from '../../ui/Button.tsx';

export function ColumnChoice({
  label,
  columns,
  chosen,
  onChange,
}: {
  readonly label: string;
  readonly columns: readonly ColumnLook[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const t = useText();
  const byName = new Map(columns.map((look) => [look.column, look]));
  const others = columns.filter(({ column }) => !chosen.includes(column));
  const nameOf = (column: string): string => byName.get(column)?.label || column;
  const tick = (column: string, isChosen: boolean): void =>
    onChange(isChosen ? [...chosen, column] : chosen.filter((one) => one !== column));
  return (
    <ul className="look-choice" aria-label={label}>
      {[...chosen.filter((column) => byName.has(column)), ...others.map(({ column }) => column)].map((column) => {
        const at = chosen.indexOf(column);
        return (
          <li key={column}>
            <label className="check grow">
              <input type="checkbox" checked={at >= 0} onChange={(event) => tick(column, event.target.checked)} />
              {nameOf(column)}
            </label>
            {at >= 0 && chosen.length > 1 && (
              <span className="row tight nowrap">
                <IconButton
                  small
                  icon="up"
                  name={t('look.up', { name: nameOf(column) })}
                  disabled={at === 0}
                  onClick={() => onChange(stepped(chosen, at, -1))}
                />
                <IconButton
                  small
                  icon="down"
                  name={t('look.down', { name: nameOf(column) })}
                  disabled={at === chosen.length - 1}
                  onClick={() => onChange(stepped(chosen, at, 1))}
                />
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
