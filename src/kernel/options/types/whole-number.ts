// Whole numbers within bounds: `10`, `"10"`, `1e3`.

import { err, ok } from '../../result.ts';
import type { OptionType } from '../option.ts';
import type { RawValue } from '../raw-value.ts';

export type WholeNumberForm = {
  readonly min: number;
  readonly max?: number;
  /** `seconds`, `rows`: said in the documentation only. */
  readonly unit?: string;
};

export function wholeNumber(form: WholeNumberForm): OptionType<number> {
  const max = form.max ?? Number.MAX_SAFE_INTEGER;
  const range = form.max === undefined ? `from ${form.min} up` : `from ${form.min} to ${form.max}`;
  return {
    accepts: `a whole number ${range}${form.unit === undefined ? '' : ` (${form.unit})`}`,
    parse(raw) {
      const value = readNumber(raw);
      if (value === undefined) return err('is not a whole number');
      if (value < form.min || value > max) return err('is out of range');
      return ok(value);
    },
    print: String,
  };
}

function readNumber(raw: RawValue): number | undefined {
  if (raw.kind === 'number') return Number.isInteger(raw.value) ? raw.value : undefined;
  if (raw.kind !== 'text') return undefined;
  const trimmed = raw.text.trim();
  return /^[+-]?\d{1,20}$/.test(trimmed) ? Number(trimmed) : undefined;
}
