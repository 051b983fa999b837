// One number: how many rows there are, or what they measure together.

import { aggregatesPath } from '../../api/aggregates.ts';
import type { Layer } from '../../api/types.ts';
import type { Widget } from '../../lib/dashboard/dashboard.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { measureText } from './chart-words.ts';
import { useWidgetScope } from './dashboard-scope.ts';
import { useAggregates } from './use-aggregates.ts';

export function CounterWidget({ widget, layer }: { readonly widget: Widget; readonly layer: Layer }) {
  const t = useText();
  const { conditions, changes } = useWidgetScope(widget, layer);
  const { measure, of } = widget;
  const query = measure === 'count' ? {} : { measure, of };
  const { value, failure, isWaiting } = useAggregates(aggregatesPath(layer.name, query, conditions), changes);
  if (failure !== undefined) return <p className="notice warm">{failureText(t, failure)}</p>;
  return (
    <p className="counter number" role="status" aria-busy={isWaiting}>
      {value === undefined ? '…' : measureText(t, value.measure, widget, layer)}
    </p>
  );
}
