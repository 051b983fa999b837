// A number out of somebody's data as people read it. Years, house numbers and keys are names made of digits: they have no separators.

import type { Text } from './i18n/text.ts';

/** What has no more than four digits reads as well without, and may be a year. */
const GROUPED_FROM = 10_000;

/** Words of names of columns whose numbers are counted by nobody: ids, years, codes, in the languages of the pages. */
const NAMING = new Set(
  'id ids fid gid oid uid pk key objectid ogc code nr no ref year years jahr jahrgang baujahr annee année ano año zip plz postcode postleitzahl'.split(
    ' ',
  ),
);

/** `column`: where the number is from; undefined: nobody knows. */
export function dataNumber(t: Pick<Text, 'number'>, value: number, column?: string, digits = 6): string {
  const useGrouping = Math.abs(value) >= GROUPED_FROM && !(column !== undefined && isNaming(column));
  return t.number(value, { maximumFractionDigits: digits, useGrouping });
}

/** `tree_id`, `treeId`, `ID`, `year built`, `Baujahr`. */
function isNaming(column: string): boolean {
  const words = column
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]/u);
  return words.some((word) => NAMING.has(word));
}
