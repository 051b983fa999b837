// Follows columns of views down to the tables they come from: where each view's columns come from → the table and column at
// the bottom, through views over views. Each column of each view is followed once, whoever asks. A view can show itself, by
// itself or through others (`create or replace view v as table v`); such a circle has no bottom, and is told.

import type { Stage } from '../../kernel/in-slices.ts';
import { getOrMake } from './name-map.ts';
import type { ViewColumn } from './view-columns.ts';

type Origin = { readonly relation: number; readonly column: number };

export type TracedColumns = {
  /** The table's column under a view's; undefined where a view makes it up, or the way goes round in a circle. */
  readonly baseOf: (view: number, column: number) => Origin | undefined;
  /** Oids of the views of each circle. */
  readonly circles: readonly (readonly number[])[];
};

/** Null: there is no bottom. */
type Bases = Map<number, Origin | null>;

export function* traceColumns(views: ReadonlyMap<number, readonly ViewColumn[]>): Stage<TracedColumns> {
  const origins = new Map<number, ReadonlyMap<number, ViewColumn>>();
  for (const [view, columns] of views) {
    origins.set(view, new Map(columns.map((entry) => [entry.column, entry])));
    yield;
  }
  const bases = new Map<number, Bases>();
  const basesOf = (view: number): Bases => getOrMake(bases, view, () => new Map());
  const circles = new Map<string, readonly number[]>();
  for (const [view, columns] of views) {
    for (const { column } of columns) {
      let at: Origin = { relation: view, column };
      const way: Origin[] = [];
      const steps = new Map<string, number>();
      let base: Origin | null | undefined;
      while (base === undefined) {
        yield;
        const known = views.has(at.relation) ? basesOf(at.relation).get(at.column) : at;
        const before = steps.get(`${at.relation}.${at.column}`);
        if (known !== undefined) base = known;
        else if (before !== undefined) {
          const circle = [...new Set(way.slice(before).map(({ relation }) => relation))].sort((a, b) => a - b);
          circles.set(circle.join(), circle);
          base = null;
        } else {
          steps.set(`${at.relation}.${at.column}`, way.length);
          way.push(at);
          const entry = origins.get(at.relation)?.get(at.column);
          if (entry === undefined) base = null;
          else at = { relation: entry.origin, column: entry.originColumn };
        }
      }
      for (const { relation, column: passed } of way) basesOf(relation).set(passed, base);
    }
  }
  return { baseOf: (view, column) => bases.get(view)?.get(column) ?? undefined, circles: [...circles.values()] };
}
