// Making or changing a widget: its kind, its layer, its columns; with how it will look beside it.

import { useDeferredValue, useState } from 'react';
import type { Layer } from '../../api/types.ts';
import { dataColumns } from '../../lib/dashboard/columns.ts';
import { isComplete, newWidget, WIDGET_KINDS, type Widget, type WidgetKind } from '../../lib/dashboard/dashboard.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { InputField, TextField } from '../../ui/Field.tsx';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { useDashboardScope } from './DashboardView.tsx';
import { DashboardContext } from './dashboard-scope.ts';
import { WidgetBody } from './WidgetBody.tsx';
import { COLUMN_KINDS, ColumnFields, LayerField } from './WidgetFields.tsx';

const ICONS: Readonly<Record<WidgetKind, IconName>> = {
  map: 'map',
  bar: 'sort',
  line: 'line',
  pie: 'auto',
  histogram: 'chart',
  scatter: 'several',
  counter: 'info',
  table: 'table',
  text: 'document',
  choice: 'list',
  range: 'ruler',
  date: 'history',
  search: 'search',
};

export function WidgetDialog({
  widget,
  isNew,
  onDone,
  onClose,
}: {
  readonly widget: Widget;
  readonly isNew: boolean;
  readonly onDone: (widget: Widget) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const [draft, setDraft] = useState(widget);
  const change = (to: Partial<Widget>): void => setDraft((now) => ({ ...now, ...to }));
  const scope = useDashboardScope(draft.layer === undefined ? [] : [draft.layer], false);
  const layer = scope.layers?.get(draft.layer ?? 0);
  const isReady = isComplete(draft);
  const seen = useDeferredValue(draft);
  const choose = (kind: WidgetKind): void => {
    const fresh = newWidget(kind, draft.id, draft.layer ?? widget.layer);
    setDraft({ ...withColumns(fresh, layer), title: draft.title });
  };
  const done = (): void =>
    onDone(draft.title === '' && draft.kind !== 'text' ? { ...draft, title: titleOf(draft, layer) } : draft);
  return (
    <Dialog
      wide
      title={t(isNew ? 'dash.add-widget' : 'dash.edit-widget')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" disabled={!isReady} onClick={done}>
            {t(isNew ? 'action.add' : 'dash.apply')}
          </Button>
        </>
      }
    >
      <div className="widget-form">
        <div className="stack">
          <fieldset className="widget-kinds">
            <legend>{t('dash.kind')}</legend>
            {WIDGET_KINDS.map((kind) => (
              <label key={kind} className={draft.kind === kind ? 'chosen' : ''}>
                <input
                  type="radio"
                  className="visually-hidden"
                  name="widget-kind"
                  checked={draft.kind === kind}
                  onChange={() => choose(kind)}
                />
                <Icon name={ICONS[kind]} />
                {t(`widget.${kind}`)}
              </label>
            ))}
          </fieldset>
          {draft.kind !== 'text' && (
            <LayerField
              kind={draft.kind}
              chosen={layer}
              onChoose={(next) =>
                setDraft(withColumns({ ...newWidget(draft.kind, draft.id, Number(next.pk)), title: draft.title }, next))
              }
            />
          )}
          {layer !== undefined && draft.kind !== 'text' && <ColumnFields draft={draft} layer={layer} change={change} />}
          {draft.kind === 'text' && (
            <TextField
              label={t('story.text')}
              hint={t('story.text-hint')}
              rows={6}
              maxLength={20_000}
              value={draft.text ?? ''}
              onChange={(event) => change({ text: event.target.value })}
            />
          )}
          <InputField
            label={t('dash.title')}
            maxLength={255}
            placeholder={titleOf(draft, layer)}
            value={draft.title}
            onChange={(event) => change({ title: event.target.value })}
          />
        </div>
        <section className={`widget widget-preview kind-${seen.kind}`} aria-label={t('dash.preview')}>
          <div className="widget-body">
            <DashboardContext value={scope}>
              <WidgetBody widget={seen} />
            </DashboardContext>
          </div>
        </section>
      </div>
    </Dialog>
  );
}

/** With the first columns that fit, so that there is something to see at once. */
function withColumns(widget: Widget, layer: Layer | undefined): Widget {
  const kinds = COLUMN_KINDS[widget.kind];
  if (layer === undefined || kinds === undefined) return widget;
  const columns = dataColumns(layer).filter(({ kind }) => kinds.includes(kind));
  // Words before numbers, and numbers that are no ids before those that may be.
  const [first, second] = [...columns].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  return { ...widget, column: first?.name, across: widget.kind === 'scatter' ? (second ?? first)?.name : undefined };
}

function titleOf({ kind, column }: Widget, layer: Layer | undefined): string {
  if (layer === undefined) return '';
  const label = dataColumns(layer).find(({ name }) => name === column)?.label;
  return label === undefined || kind === 'map' || kind === 'table' ? layer.title : label;
}
