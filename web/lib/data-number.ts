// A number out of somebody's data as people read it, where no format of its column is known.

import { plainNumberOptions } from '../../src/geo/presentation/show-value.ts';
import type { Text } from './i18n/text.ts';

/** `column`: where the number is from; undefined: nobody knows. */
export function dataNumber(t: Pick<Text, 'number'>, value: number, column?: string, digits = 6): string {
  return t.number(value, plainNumberOptions(value, column, digits));
}
