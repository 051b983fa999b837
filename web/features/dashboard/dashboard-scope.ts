// What the widgets of a dashboard share: the layers they are over, what is selected, and when rows have changed.

import { createContext, useContext } from 'react';
import type { AggregateConditions } from '../../api/aggregates.ts';
import type { Layer } from '../../api/types.ts';
import { dataColumns, hasPlaces } from '../../lib/dashboard/columns.ts';
import type { Widget } from '../../lib/dashboard/dashboard.ts';
import { conditionsOf, type Selection, type Selections, selectionsFor } from '../../lib/dashboard/selection.ts';

export type DashboardScope = {
  /** By id. Undefined: still on their way. One that is missing is gone, or not shared with the reader. */
  readonly layers: ReadonlyMap<number, Layer> | undefined;
  readonly selections: Selections;
  readonly select: (widget: Widget, selection: Selection | undefined) => void;
  /** By layer, what its rows have to pass anyhow, in CQL2. */
  readonly filters?: ReadonlyMap<number, unknown>;
  /** By layer, how often its rows were seen to change. */
  readonly changes: ReadonlyMap<number, number>;
};

const NO_SCOPE: DashboardScope = {
  layers: undefined,
  selections: new Map(),
  select: () => undefined,
  changes: new Map(),
};

export const DashboardContext: React.Context<DashboardScope> = createContext<DashboardScope>(NO_SCOPE);

export type WidgetScope = {
  readonly own: Selection | undefined;
  /** Of the other widgets, those that filter this one. */
  readonly others: readonly Selection[];
  readonly conditions: AggregateConditions;
  readonly select: (selection: Selection | undefined) => void;
  readonly changes: number;
};

export function useWidgetScope(widget: Widget, layer: Layer): WidgetScope {
  const { selections, select, changes, filters } = useContext(DashboardContext);
  const table = {
    pk: Number(layer.pk),
    columns: new Set(dataColumns(layer).map(({ name }) => name)),
    hasPlaces: hasPlaces(layer),
  };
  const others = selectionsFor(widget.id, table, selections);
  return {
    own: selections.get(widget.id)?.selection,
    others,
    conditions: withFilter(conditionsOf(others), filters?.get(table.pk)),
    select: (selection) => select(widget, selection),
    changes: changes.get(table.pk) ?? 0,
  };
}

function withFilter(conditions: AggregateConditions, filter: unknown): AggregateConditions {
  if (filter === undefined) return conditions;
  return {
    ...conditions,
    filter: conditions.filter === undefined ? filter : { op: 'and', args: [filter, conditions.filter] },
  };
}
