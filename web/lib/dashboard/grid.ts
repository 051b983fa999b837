// The grid of a dashboard, and where among widgets a new one goes: into the first hole of the grid that it fits, so that the others stay where they are; otherwise behind them. The grid
// is that of CSS, whose rows are filled in the order of the widgets. Pure.

export const COLUMNS = 12;

type Size = { readonly width: number; readonly height: number };

export function freePlace(widgets: readonly Size[], made: Size): number {
  const before = cellsOf(widgets);
  for (let place = 0; place < widgets.length; place += 1) {
    const cells = cellsOf(widgets.toSpliced(place, 0, made)).toSpliced(place, 1);
    if (cells.every((cell, i) => cell === before[i])) return place;
  }
  return widgets.length;
}

/** The first cell of each. As `grid-auto-flow: row` has it, none stands before the one that it follows. */
function cellsOf(widgets: readonly Size[]): readonly number[] {
  const taken = new Set<number>();
  const cellsAt = (from: number, { width, height }: Size): readonly number[] =>
    Array.from({ length: width * height }, (_, i) => from + Math.floor(i / width) * COLUMNS + (i % width));
  let from = 0;
  return widgets.map((widget) => {
    while ((from % COLUMNS) + widget.width > COLUMNS || cellsAt(from, widget).some((cell) => taken.has(cell)))
      from += 1;
    for (const cell of cellsAt(from, widget)) taken.add(cell);
    return from;
  });
}
