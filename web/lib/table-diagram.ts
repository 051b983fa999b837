// Tables and the keys between them → boxes and lines of a diagram: who is referred to stands left of who refers, in columns by the length of the way. Tables
// without a key to another stand below, in rows. Pure.

import type { Table } from './swagger.ts';

export type Box = {
  readonly table: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** The columns that are shown: keys, and some others. */
  readonly columns: readonly { readonly name: string; readonly isKey: boolean; readonly isForeign: boolean }[];
  /** Columns that are not shown. */
  readonly others: number;
};
type Line = {
  readonly from: string;
  readonly column: string;
  readonly to: string;
  /** Corners of a curve from the one that refers to the other. */
  readonly path: string;
};
export type Diagram = {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
};

export const BOX_WIDTH = 190;
const ROW_HEIGHT = 20;
const HEAD = 28;
const GAP_X = 90;
const GAP_Y = 26;
const MARGIN = 16;
const MAX_COLUMNS = 8;
/** Boxes of a row, where nothing is between them. */
const PER_ROW = 4;

export function layOutTables(tables: readonly Table[]): Diagram {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const references = (table: Table): readonly { readonly column: string; readonly to: string }[] =>
    table.columns.flatMap(({ name, refersTo }) =>
      refersTo !== undefined && byName.has(refersTo.table) ? [{ column: name, to: refersTo.table }] : [],
    );
  const related = new Set(tables.flatMap((table) => references(table).flatMap(({ to }) => [table.name, to])));
  const levels = levelsOf(
    tables.filter(({ name }) => related.has(name)),
    references,
  );
  const boxes: Box[] = [];
  let bottom = MARGIN;
  const place = (table: Table, x: number, y: number): Box => {
    const box = boxOf(table, x, y);
    boxes.push(box);
    bottom = Math.max(bottom, y + box.height + GAP_Y);
    return box;
  };
  for (const [level, members] of levels.entries()) {
    let y = MARGIN;
    for (const table of members) y += place(table, MARGIN + level * (BOX_WIDTH + GAP_X), y).height + GAP_Y;
  }
  let rowTop = bottom;
  for (const [i, table] of tables.filter(({ name }) => !related.has(name)).entries()) {
    if (i % PER_ROW === 0) rowTop = bottom;
    place(table, MARGIN + (i % PER_ROW) * (BOX_WIDTH + GAP_Y), rowTop);
  }
  const boxByName = new Map(boxes.map((box) => [box.table, box]));
  const lines = tables.flatMap((table) =>
    references(table).flatMap(({ column, to }): readonly Line[] => {
      const [from, target] = [boxByName.get(table.name), boxByName.get(to)];
      if (from === undefined || target === undefined) return [];
      return [{ from: table.name, column, to, path: pathBetween(from, column, target) }];
    }),
  );
  const width = Math.max(0, ...boxes.map(({ x }) => x + BOX_WIDTH)) + MARGIN;
  return { width, height: bottom, boxes, lines };
}

/** By the longest way to a table that refers to none. Ways that lead back to where they began count once. */
function levelsOf(
  tables: readonly Table[],
  references: (table: Table) => readonly { readonly to: string }[],
): readonly (readonly Table[])[] {
  const level = new Map(tables.map(({ name }) => [name, 0]));
  for (let round = 1; round < tables.length; round += 1) {
    let isChanged = false;
    for (const table of tables)
      for (const { to } of references(table)) {
        const next = (level.get(to) ?? 0) + 1;
        if (to === table.name || next > round || next <= (level.get(table.name) ?? 0)) continue;
        level.set(table.name, next);
        isChanged = true;
      }
    if (!isChanged) break;
  }
  const found: Table[][] = [];
  for (const table of tables) {
    const at = level.get(table.name) ?? 0;
    while (found.length <= at) found.push([]);
    found[at]?.push(table);
  }
  return found.filter((members) => members.length > 0);
}

function boxOf(table: Table, x: number, y: number): Box {
  const columns = table.columns.map(({ name, isKey, refersTo }) => ({
    name,
    isKey,
    isForeign: refersTo !== undefined,
  }));
  const keys = columns.filter(({ isKey, isForeign }) => isKey || isForeign);
  const plain = columns.filter(({ isKey, isForeign }) => !isKey && !isForeign);
  const shown = [...keys, ...plain.slice(0, Math.max(0, MAX_COLUMNS - keys.length))];
  const others = columns.length - shown.length;
  return {
    table: table.name,
    x,
    y,
    columns: shown,
    others,
    height: HEAD + (shown.length + (others > 0 ? 1 : 0)) * ROW_HEIGHT + 6,
  };
}

/** Where a column of a box stands. */
export function rowOf(box: Box, column: string): number {
  const at = Math.max(
    0,
    box.columns.findIndex(({ name }) => name === column),
  );
  return box.y + HEAD + at * ROW_HEIGHT + ROW_HEIGHT / 2;
}

function pathBetween(from: Box, column: string, to: Box): string {
  const y1 = rowOf(from, column);
  const y2 = to.y + HEAD / 2;
  if (from === to) {
    const right = from.x + BOX_WIDTH;
    return `M ${right} ${y1} C ${right + 40} ${y1}, ${right + 40} ${y2}, ${right} ${y2}`;
  }
  const isRight = from.x >= to.x + BOX_WIDTH;
  const x1 = isRight ? from.x : from.x + BOX_WIDTH;
  const x2 = isRight ? to.x + BOX_WIDTH : to.x;
  const pull = Math.max(30, Math.abs(x1 - x2) / 2);
  const sign = isRight ? -1 : 1;
  return `M ${x1} ${y1} C ${x1 + sign * pull} ${y1}, ${x2 - sign * pull} ${y2}, ${x2} ${y2}`;
}
