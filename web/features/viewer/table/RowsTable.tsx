// The rows themselves, with columns to sort by, a box for each to choose it, and a button to see it on the map.

import { useText } from '../../../lib/i18n/text.ts';
import { shownValue } from '../../../lib/presentation.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { ShownValue } from '../../../ui/ShownValue.tsx';
import { isNumeric } from '../style/attribute-choice.ts';
import { EditableCell } from './EditableCell.tsx';
import type { GridColumn } from './grid-column.ts';
import type { CellEdit } from './use-cell-edit.ts';
import type { TableSort } from './use-table-rows.ts';

export function RowsTable({
  columns,
  rows,
  keyColumn,
  sort,
  onSort,
  chosen,
  onChoose,
  edit,
  ticked,
  onTick,
}: {
  readonly columns: readonly GridColumn[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Undefined: rows have no name, and none can be chosen. */
  readonly keyColumn: string | undefined;
  readonly sort: TableSort | undefined;
  readonly onSort: (sort: TableSort | undefined) => void;
  readonly chosen: string | number | undefined;
  /** Undefined: rows are not on a map. */
  readonly onChoose?: (name: string | number | undefined) => void;
  /** Undefined: who looks may not write. */
  readonly edit?: CellEdit | undefined;
  /** Rows that something is to be done with, by name; undefined: nothing can be. */
  readonly ticked?: ReadonlySet<string | number> | undefined;
  readonly onTick?: (names: readonly (string | number)[], isTicked: boolean) => void;
}) {
  const t = useText();
  const hasMap = keyColumn !== undefined && onChoose !== undefined;
  const names = rows.map((row, i) => (keyColumn === undefined ? i : (row[keyColumn] as string | number)));
  const allTicked = ticked !== undefined && names.length > 0 && names.every((name) => ticked.has(name));
  const firstEditable = columns.findIndex(({ attribute }) => edit?.fields.has(attribute) === true);
  return (
    <table className="data-table" role={edit === undefined ? undefined : 'grid'}>
      <thead>
        <tr>
          {ticked !== undefined && (
            <th scope="col">
              <input
                type="checkbox"
                aria-label={t('table.tick-all')}
                checked={allTicked}
                disabled={names.length === 0}
                onChange={(event) => onTick?.(names, event.target.checked)}
              />
            </th>
          )}
          {hasMap && (
            <th scope="col">
              <span className="visually-hidden">{t('table.on-map')}</span>
            </th>
          )}
          {columns.map((column) => {
            const { attribute, attribute_label } = column;
            const isSorted = sort?.column === attribute;
            return (
              <th
                key={attribute}
                scope="col"
                className={isNumeric(column) ? 'right' : ''}
                aria-sort={isSorted ? (sort.down ? 'descending' : 'ascending') : 'none'}
              >
                <button
                  type="button"
                  className="sort-button"
                  onClick={() => onSort(isSorted && sort.down ? undefined : { column: attribute, down: isSorted })}
                >
                  {attribute_label || attribute}
                  <Icon name={isSorted ? (sort.down ? 'down' : 'up') : 'sort'} />
                </button>
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => {
          const name = names[i] ?? i;
          const isChosen = keyColumn !== undefined && chosen !== undefined && String(chosen) === String(name);
          return (
            <tr key={String(name)} className={isChosen ? 'chosen' : ''}>
              {ticked !== undefined && (
                <td>
                  <input
                    type="checkbox"
                    aria-label={t('table.tick', { n: String(name) })}
                    checked={ticked.has(name)}
                    onChange={(event) => onTick?.([name], event.target.checked)}
                  />
                </td>
              )}
              {hasMap && (
                <td>
                  <Button
                    small
                    look="quiet"
                    icon="target"
                    className="icon"
                    aria-pressed={isChosen}
                    aria-label={t('table.show-row', { n: String(name) })}
                    onClick={() => onChoose?.(isChosen ? undefined : name)}
                  />
                </td>
              )}
              {columns.map(({ attribute, format = null }, column) => {
                const field = keyColumn === undefined ? undefined : edit?.fields.get(attribute);
                // One that is too long for a number is text here.
                const className = typeof row[attribute] === 'number' || field?.kind === 'number' ? 'right' : '';
                return edit === undefined || field === undefined ? (
                  <td key={attribute} className={className}>
                    <ShownValue shown={shownValue(t, row[attribute], { attribute, format })} />
                  </td>
                ) : (
                  <EditableCell
                    key={attribute}
                    place={{ id: name, field: attribute }}
                    field={field}
                    edit={edit}
                    shown={<ShownValue shown={shownValue(t, row[attribute], { attribute, format })} />}
                    className={className}
                    isFirst={i === 0 && column === firstEditable}
                  />
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
