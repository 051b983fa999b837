// What the author of a map lets its readers choose from: values, a range, a span of days, words. The widgets are those of dashboards; what is chosen
// filters the layer on the map, and what the other controls of the layer offer.

import { useMemo, useState } from 'react';
import { newWidget, type Widget } from '../../lib/dashboard/dashboard.ts';
import { conditionsOf, mapConditions, type Selections } from '../../lib/dashboard/selection.ts';
import { useText } from '../../lib/i18n/text.ts';
import { filterCql } from '../../lib/layer-filter.ts';
import type { FeatureFilter } from '../../map/drawn.ts';
import { Button } from '../../ui/Button.tsx';
import { ChoiceWidget, DateWidget, RangeWidget, SearchWidget } from '../dashboard/ControlWidget.tsx';
import { DashboardContext, type DashboardScope } from '../dashboard/dashboard-scope.ts';
import { attributeNames } from '../resource/Legend.tsx';
import type { ViewerLayer } from './viewer-state.ts';
import './filter.css';

const WIDGETS = { choice: ChoiceWidget, range: RangeWidget, date: DateWidget, search: SearchWidget } as const;
const NO_SELECTIONS: Selections = new Map();

export function MapControls({
  one,
  onPassing,
}: {
  readonly one: ViewerLayer;
  readonly onPassing: (passing: FeatureFilter | undefined) => void;
}) {
  const t = useText();
  const { layer, controls, filter } = one;
  const [selections, setSelections] = useState<Selections>(NO_SELECTIONS);
  const set = (next: Selections): void => {
    setSelections(next);
    const chosen = [...next.values()].map(({ selection }) => selection);
    const map = mapConditions(chosen);
    onPassing(map === undefined ? undefined : { map, cql: conditionsOf(chosen).filter });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is told of a choice is told when it is made.
  const scope = useMemo<DashboardScope>(() => {
    const pk = Number(layer.pk);
    return {
      layers: new Map([[pk, layer]]),
      selections,
      filters: new Map([[pk, filterCql(filter)]]),
      select: (widget, selection) => {
        const next = new Map(selections);
        if (selection === undefined) next.delete(widget.id);
        else next.set(widget.id, { layer: pk, selection });
        set(next);
      },
      changes: new Map(),
    };
  }, [layer, selections, filter]);
  if (controls.length === 0) return null;
  const names = attributeNames(layer);
  return (
    <DashboardContext.Provider value={scope}>
      <section className="map-controls" aria-label={t('filter.controls-of', { title: layer.title })}>
        {controls.map(({ column, kind }) => {
          const title = names.get(column) ?? column;
          const widget: Widget = { ...newWidget(kind, column, Number(layer.pk)), column, title };
          const Control = WIDGETS[kind];
          return (
            <div key={column} className="map-control">
              <h3>{title}</h3>
              <Control widget={widget} layer={layer} />
            </div>
          );
        })}
        {selections.size > 0 && (
          <Button small onClick={() => set(NO_SELECTIONS)}>
            {t('filter.reset')}
          </Button>
        )}
      </section>
    </DashboardContext.Provider>
  );
}
