// The columns of a staged table → rows of the catalogue's attributes, as JSON. Pure.

import type { StagedColumn, StagedPlainTable, StagedTable } from '../../../layer-ports/staged.ts';
import { cutText } from './cut-text.ts';

/** `$2` as rows. */
export const ATTRIBUTE_ROWS = `jsonb_to_recordset($2::jsonb) as a(attribute text, attribute_label text, attribute_type text,
  display_order integer, count integer, min text, max text, average text, median text, stddev text, sum text, unique_values text)`;

export function attributeRows(layer: StagedTable | StagedPlainTable): string {
  const shape =
    layer.kind === 'table'
      ? []
      : [
          {
            attribute: layer.geometry.column,
            attribute_type: layer.geometry.xsd,
            display_order: layer.columns.length + 1,
            count: layer.rows,
          },
        ];
  return JSON.stringify([...layer.columns.map((column, i) => attributeRow(column, i + 1)), ...shape]);
}

function attributeRow({ name, label, xsd, statistics }: StagedColumn, order: number): Record<string, unknown> {
  const { values, ...numbers } = statistics;
  const short = Object.fromEntries(
    Object.entries(numbers).map(([key, value]) => [key, typeof value === 'string' ? cutText(value, 255) : value]),
  );
  return {
    ...short,
    attribute: name,
    ...(label === name ? {} : { attribute_label: cutText(label.replaceAll('\0', ''), 255) }),
    attribute_type: xsd,
    display_order: order,
    ...(values === undefined ? {} : { unique_values: values.join(',') }),
  };
}
