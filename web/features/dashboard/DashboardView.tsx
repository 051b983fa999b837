// A dashboard as it is looked at: widgets in a grid, linked with each other. What is selected stands above them as chips.

import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Layer } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { type Dashboard, layersIn, type Widget } from '../../lib/dashboard/dashboard.ts';
import type { Selection, Selections } from '../../lib/dashboard/selection.ts';
import { parseSelections, selectionsText } from '../../lib/dashboard/selections-text.ts';
import { useText } from '../../lib/i18n/text.ts';
import { rename } from '../../lib/navigation.ts';
import { useLiveLayers } from '../../lib/use-live-layers.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { selectionText } from './chart-words.ts';
import { DashboardContext, type DashboardScope } from './dashboard-scope.ts';
import { useColumnWords } from './use-column-words.ts';
import { WidgetBody } from './WidgetBody.tsx';
import './dashboard.css';

const MAX_LAYERS = 100;

/** The layers of the widgets, by id; undefined: on their way. */
function useDashboardLayers(ids: readonly number[]): ReadonlyMap<number, Layer> | undefined {
  const asked = ids.slice(0, MAX_LAYERS);
  const [found] = useLoaded(
    asked.length === 0
      ? undefined
      : `/api/v2/layers/?${asked.map((id) => `filter{pk.in}=${id}`).join('&')}&page_size=${MAX_LAYERS}`,
  );
  return useMemo(
    () =>
      found.kind === 'loaded'
        ? new Map(found.value.layers.map((layer) => [Number(layer.pk), layer]))
        : found.kind === 'failed'
          ? new Map()
          : undefined,
    [found],
  );
}

/** `isLive`: changes of rows are followed. */
export function useDashboardScope(
  ids: readonly number[],
  isLive = true,
  /** What is selected at first. */
  start: () => Selections = () => new Map(),
): DashboardScope {
  const layers = useDashboardLayers(ids);
  const changes = useLiveLayers(isLive ? ids : [], 'dashboard');
  const [selections, setSelections] = useState<Selections>(start);
  return useMemo(
    () => ({
      layers,
      changes,
      selections,
      select: ({ id, layer }: Widget, selection: Selection | undefined) =>
        setSelections((all) => {
          const next = new Map(all);
          if (selection === undefined || layer === undefined) next.delete(id);
          else next.set(id, { layer, selection });
          return next;
        }),
    }),
    [layers, changes, selections],
  );
}

export function DashboardView({
  dashboard,
  isPage = false,
}: {
  readonly dashboard: Dashboard;
  /** The page shows it alone: the address has what is selected. */
  readonly isPage?: boolean;
}) {
  const t = useText();
  const scope = useDashboardScope(layersIn(dashboard), true, () =>
    isPage
      ? parseSelections(new URLSearchParams(window.location.search).get('selected'), dashboard.widgets)
      : new Map(),
  );
  const selected = selectionsText(scope.selections);
  useEffect(() => {
    if (!isPage) return;
    const { pathname, search, hash } = window.location;
    const query = new URLSearchParams(search);
    if (selected === '') query.delete('selected');
    else query.set('selected', selected);
    const asked = query.size === 0 ? '' : `?${query}`;
    if (asked !== search) rename(pathname + asked + hash);
  }, [isPage, selected]);
  if (dashboard.widgets.length === 0) return <p className="soft">{t('dash.empty')}</p>;
  return (
    <DashboardContext value={scope}>
      <Chips widgets={dashboard.widgets} scope={scope} />
      <div className="dashboard">
        {dashboard.widgets.map((widget) => (
          <WidgetFrame key={widget.id} widget={widget} />
        ))}
      </div>
    </DashboardContext>
  );
}

export function Chips({
  widgets,
  scope: { selections, select, layers },
}: {
  readonly widgets: readonly Widget[];
  readonly scope: DashboardScope;
}) {
  const t = useText();
  const chips = widgets.flatMap((widget) => {
    const selected = selections.get(widget.id);
    return selected === undefined ? [] : [{ widget, ...selected }];
  });
  const clear = (): void => {
    for (const { widget } of chips) select(widget, undefined);
  };
  return (
    <div className="dash-chips" role="status">
      {chips.map(({ widget, layer, selection }) => (
        <Chip
          key={widget.id}
          layer={layers?.get(layer)}
          selection={selection}
          onRemove={() => select(widget, undefined)}
        />
      ))}
      {chips.length > 1 && (
        <Button small look="quiet" onClick={clear}>
          {t('dash.clear-filters')}
        </Button>
      )}
    </div>
  );
}

function Chip({
  layer,
  selection,
  onRemove,
}: {
  readonly layer: Layer | undefined;
  readonly selection: Selection;
  readonly onRemove: () => void;
}) {
  const t = useText();
  const text = selectionText(t, useColumnWords(layer), selection);
  return (
    <button type="button" className="chip" aria-label={t('dash.remove-filter', { name: text })} onClick={onRemove}>
      {text}
      <Icon name="close" />
    </button>
  );
}

export function WidgetFrame({
  widget,
  children,
  className = '',
}: {
  readonly widget: Widget;
  /** Beside the title. */
  readonly children?: ReactNode;
  readonly className?: string;
}) {
  const t = useText();
  const { id, kind, title, width, height } = widget;
  const name = title === '' ? t(`widget.${kind}`) : title;
  return (
    <section
      className={`widget kind-${kind} ${className}`}
      data-widget={id}
      aria-label={name}
      style={{ '--width': width, '--height': height } as React.CSSProperties}
    >
      {(title !== '' || children !== undefined) && (
        <header>
          <h2>{title}</h2>
          {children}
        </header>
      )}
      <div className="widget-body">
        <WidgetBody widget={widget} />
      </div>
    </section>
  );
}
