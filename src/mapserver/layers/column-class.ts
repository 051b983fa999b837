// The class of a column: what it is to clients, whatever PostgreSQL calls its type. Pure.

export type ColumnClass = 'integer' | 'number' | 'boolean' | 'text' | 'json' | 'time' | 'date' | 'bytes';

/** What a column is to clients, from its type as format_type prints it. */
export function columnClass(type: string): ColumnClass {
  if (/^(?:smallint|integer|bigint)$/.test(type)) return 'integer';
  if (/^(?:real|double precision|numeric(?:\([\d,]+\))?)$/.test(type)) return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'date') return 'date';
  if (type.startsWith('timestamp')) return 'time';
  if (type === 'json' || type === 'jsonb' || type.endsWith('[]')) return 'json';
  if (type === 'bytea') return 'bytes';
  return 'text';
}
