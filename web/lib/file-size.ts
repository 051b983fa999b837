// A number of bytes as people read it.

import type { Text } from './i18n/text.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function fileSize(t: Pick<Text, 'number'>, bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)));
  const unit = UNITS[power] ?? 'byte';
  return t.number(bytes / 1024 ** power, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });
}
