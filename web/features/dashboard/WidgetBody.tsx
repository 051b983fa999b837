// What a widget shows: by its kind, or why it shows nothing.

import { useContext } from 'react';
import type { Layer } from '../../api/types.ts';
import { isComplete, type Widget } from '../../lib/dashboard/dashboard.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Markup } from '../../ui/Markup.tsx';
import { ChartWidget } from './ChartWidget.tsx';
import { ChoiceWidget, DateWidget, RangeWidget, SearchWidget } from './ControlWidget.tsx';
import { CounterWidget } from './CounterWidget.tsx';
import { DashboardContext } from './dashboard-scope.ts';
import { MapWidget } from './MapWidget.tsx';
import { TableWidget } from './TableWidget.tsx';

export function WidgetBody({ widget }: { readonly widget: Widget }) {
  const t = useText();
  const { layers } = useContext(DashboardContext);
  if (widget.kind === 'text') return <Markup source={widget.text ?? ''} />;
  if (!isComplete(widget)) return <p className="soft">{t('dash.incomplete')}</p>;
  if (layers === undefined)
    return <div className="widget-wait skeleton" role="status" aria-label={t('state.loading')} />;
  const layer = layers.get(widget.layer ?? 0);
  if (layer === undefined)
    return (
      <p className="widget-gone soft">
        <Icon name="lock" />
        {t('dash.layer-gone')}
      </p>
    );
  return <OfLayer key={widget.kind} widget={widget} layer={layer} />;
}

function OfLayer({ widget, layer }: { readonly widget: Widget; readonly layer: Layer }) {
  const props = { widget, layer };
  switch (widget.kind) {
    case 'map':
      return <MapWidget {...props} />;
    case 'counter':
      return <CounterWidget {...props} />;
    case 'table':
      return <TableWidget {...props} />;
    case 'choice':
      return <ChoiceWidget {...props} />;
    case 'range':
      return <RangeWidget {...props} />;
    case 'date':
      return <DateWidget {...props} />;
    case 'search':
      return <SearchWidget {...props} />;
    case 'text':
      return null;
    default:
      return <ChartWidget {...props} kind={widget.kind} />;
  }
}
