// Formats that are written column by column: their bodies are made here, whatever the number of rows.

import type { BodyFormat } from './plan.ts';

export type ColumnarFormat = Extract<BodyFormat, { kind: 'arrow' | 'parquet' }>;

export function isColumnar(format: BodyFormat): format is ColumnarFormat {
  return format.kind === 'arrow' || format.kind === 'parquet';
}
