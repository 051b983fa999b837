// The class of a column: what it is to clients, whatever PostgreSQL calls its type. Pure.

export type ColumnClass = 'integer' | 'number' | 'boolean' | 'text' | 'json' | 'time' | 'date' | 'bytes';

/** What a column is to clients, from its type as format_type prints it. */
export function columnClass(type: string): ColumnClass {
  if (type.endsWith('[]') || type === 'json' || type === 'jsonb') return 'json';
  if (/^(?:smallint|integer|bigint)$/.test(type)) return 'integer';
  // The scale may be negative: numeric(5,-2) has hundreds.
  if (/^(?:real|double precision|numeric(?:\([\d,-]+\))?)$/.test(type)) return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'date') return 'date';
  if (/^timestamp(?:\(\d\))? with(?:out)? time zone$/.test(type)) return 'time';
  if (type === 'bytea') return 'bytes';
  return 'text';
}
