// What stands in JSON between two rows of several levels. It follows from the two levels alone: which objects and arrays end, which embeds were left
// out because they have no rows, and which begin.

import type { Level } from '../query/levels-sql.ts';

export type LevelTexts = {
  /** Before a row of `level` that stands behind one of `before`; -1: behind none. */
  between(before: number, level: number): string;
  /** Behind the last row, by its level; the first is that of no row at all. */
  readonly endings: readonly Buffer[];
};

/** As `json_agg` separates rows. */
const BETWEEN_ROWS = ', \n ';

/** A row's first key opens its object, and is not of these texts, unless it has none. Nor is the bracket before all rows. */
export function levelTexts(levels: readonly Level[]): LevelTexts {
  const at = (index: number): Level => {
    const level = levels[index];
    if (level === undefined) throw new Error(`there is no level ${index}`);
    return level;
  };
  const childrenOf = (index: number): readonly number[] =>
    levels.flatMap(({ parent }, i) => (parent === index ? [i] : []));

  /** The key of an embed, behind what its parent's row shows before it. */
  const key = (child: number): string => {
    const { name, parent = -1 } = at(child);
    const isFirst = at(parent).columns.length === 0 && childrenOf(parent)[0] === child;
    return `${isFirst ? '' : ','}${JSON.stringify(name)}:`;
  };
  const empties = (children: readonly number[]): string => children.map((child) => `${key(child)}[]`).join('');
  const opening = (level: number): string => (at(level).columns.length === 0 ? '{' : '');

  /** `begun`: the child whose rows were written last; undefined: none. `level`: whose row comes next; undefined: none. */
  const from = (index: number, begun: number | undefined, level: number | undefined): string => {
    const rest = childrenOf(index).filter((child) => begun === undefined || child > begun);
    const endOfChild = begun === undefined ? '' : ']';
    if (level !== undefined && rest.includes(level))
      return `${endOfChild}${empties(rest.filter((child) => child < level))}${key(level)}[${opening(level)}`;
    const closed = `${endOfChild}${empties(rest)}}`;
    if (level === index) return `${closed}${BETWEEN_ROWS}${opening(level)}`;
    const { parent } = at(index);
    return parent === undefined ? closed : `${closed}${from(parent, index, level)}`;
  };

  return {
    between: (before, level) => (before < 0 ? opening(level) : from(before, undefined, level)),
    endings: ['', ...levels.map((_, level) => from(level, undefined, undefined))].map((text) =>
      Buffer.from(`${text}]`),
    ),
  };
}
