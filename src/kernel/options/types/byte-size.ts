// Sizes: a number of bytes, or a number with a unit. MB counts in thousands, MiB in 1024s, as the units' standard has it.

import { err, ok } from '../../result.ts';
import type { OptionType } from '../option.ts';

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 1e3],
  ['mb', 1e6],
  ['gb', 1e9],
  ['kib', 1024],
  ['mib', 1024 ** 2],
  ['gib', 1024 ** 3],
]);

export type ByteSizeForm = { readonly min: number; readonly max: number; readonly note?: string };

export function byteSize(form: ByteSizeForm): OptionType<number> {
  return {
    accepts: `a size such as 1048576, 64MB or 64MiB${form.note === undefined ? '' : `; ${form.note}`}`,
    parse(raw) {
      const written = raw.kind === 'text' || raw.kind === 'number' ? raw.text.trim() : '';
      const [, digits, unit] = /^(\d{1,15}(?:\.\d{1,3})?)\s*([a-z]*)$/i.exec(written) ?? [];
      const factor = unit === undefined ? undefined : UNITS.get(unit.toLowerCase());
      if (digits === undefined || factor === undefined) return err('is not a size');
      const bytes = Number(digits) * factor;
      if (!Number.isSafeInteger(bytes)) return err('is not a whole number of bytes');
      return bytes < form.min || bytes > form.max ? err('is out of range') : ok(bytes);
    },
    print: String,
  };
}
