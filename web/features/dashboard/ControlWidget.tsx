// Filter controls: choices, a range of numbers, a span of days, words. What is set filters the other widgets.

import { useEffect, useState } from 'react';
import { aggregatesPath } from '../../api/aggregates.ts';
import type { Layer } from '../../api/types.ts';
import type { Widget } from '../../lib/dashboard/dashboard.ts';
import { type Selection, toggled } from '../../lib/dashboard/selection.ts';
import { typedNumber } from '../../lib/exact-json.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { InputField } from '../../ui/Field.tsx';
import { numberText } from './chart-words.ts';
import { useWidgetScope } from './dashboard-scope.ts';
import { useAggregates } from './use-aggregates.ts';
import { useColumnWords } from './use-column-words.ts';

type Props = { readonly widget: Widget; readonly layer: Layer };
const MAX_CHOICES = 50;
const TYPING_MS = 300;

export function ChoiceWidget({ widget, layer }: Props) {
  const t = useText();
  const { own, conditions, select, changes } = useWidgetScope(widget, layer);
  const words = useColumnWords(layer);
  const { column = '', groups = MAX_CHOICES } = widget;
  const query = { group: column, limit: groups, sortby: 'measure' } as const;
  const { value, failure } = useAggregates(aggregatesPath(layer.name, query, conditions), changes);
  if (failure !== undefined) return <p className="notice warm">{failureText(t, failure)}</p>;
  if (value === undefined) return <div className="widget-wait skeleton" />;
  const chosen = own?.kind === 'values' ? own.values : [];
  const listed = value.groups.map((group) => group.value ?? null);
  // What was chosen stays in sight, though the other filters leave nothing of it.
  const all = [
    ...value.groups,
    ...chosen.filter((one) => !listed.includes(one)).map((one) => ({ value: one, count: 0 })),
  ];
  return (
    <fieldset className="choices">
      <legend className="visually-hidden">{widget.title}</legend>
      {all.map((group) => (
        <label key={String(group.value)} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(group.value ?? null)}
            onChange={() => select(toggled(own, column, group.value ?? null))}
          />
          <span className="grow">{words.value(column, group.value)}</span>
          <span className="soft number small-text">{t.number(group.count)}</span>
        </label>
      ))}
      {value.others !== null && <p className="soft small-text">{t.count('dash.others', value.others.groups)}</p>}
    </fieldset>
  );
}

/** Told when somebody has stopped typing. */
function useTyped(given: string, onTyped: (text: string) => void): readonly [string, (text: string) => void] {
  const [text, setText] = useState(given);
  const [told, setTold] = useState(given);
  // Cleared elsewhere, by its chip.
  useEffect(() => {
    setText(given);
    setTold(given);
  }, [given]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is told with belongs to the moment of telling.
  useEffect(() => {
    if (text === told) return;
    const later = window.setTimeout(() => {
      setTold(text);
      onTyped(text);
    }, TYPING_MS);
    return () => window.clearTimeout(later);
  }, [text, told]);
  return [text, setText];
}

export function RangeWidget({ widget, layer }: Props) {
  const t = useText();
  const { own, conditions, select, changes } = useWidgetScope(widget, layer);
  const { column = '' } = widget;
  const { value, failure } = useAggregates(aggregatesPath(layer.name, { group: column, bins: 1 }, conditions), changes);
  const span = own?.kind === 'span' ? own : undefined;
  const set = (ends: Record<'from' | 'to', number | string | undefined>): void =>
    select(
      ends.from === undefined && ends.to === undefined ? undefined : { kind: 'span', column, ...ends, isOpen: false },
    );
  const [from, setFrom] = useTyped(String(span?.from ?? ''), (text) => set({ from: typedNumber(text), to: span?.to }));
  const [to, setTo] = useTyped(String(span?.to ?? ''), (text) => set({ from: span?.from, to: typedNumber(text) }));
  if (failure !== undefined) return <p className="notice warm">{failureText(t, failure)}</p>;
  const shown = (end: string | number | null | undefined): string =>
    typeof end === 'number' ? numberText(t, end) : '';
  return (
    <div className="control-pair">
      <InputField
        label={t('dash.from')}
        className="input small"
        type="number"
        step="any"
        placeholder={shown(value?.low)}
        value={from}
        onChange={(event) => setFrom(event.target.value)}
      />
      <InputField
        label={t('dash.to')}
        className="input small"
        type="number"
        step="any"
        placeholder={shown(value?.high)}
        value={to}
        onChange={(event) => setTo(event.target.value)}
      />
    </div>
  );
}

export function DateWidget({ widget, layer }: Props) {
  const t = useText();
  const { own, select } = useWidgetScope(widget, layer);
  const { column = '' } = widget;
  const dates = own?.kind === 'dates' ? own : undefined;
  const set = (ends: Partial<Record<'from' | 'to', string>>): void => {
    const next = { from: dates?.from, to: dates?.to, ...ends };
    const [from, to] = [next.from || undefined, next.to || undefined];
    select(from === undefined && to === undefined ? undefined : { kind: 'dates', column, from, to });
  };
  return (
    <div className="control-pair">
      {(['from', 'to'] as const).map((end) => (
        <InputField
          key={end}
          label={t(end === 'from' ? 'dash.from' : 'dash.to')}
          className="input small"
          type="date"
          value={dates?.[end] ?? ''}
          {...(end === 'from' ? { max: dates?.to } : { min: dates?.from })}
          onChange={(event) => set({ [end]: event.target.value })}
        />
      ))}
    </div>
  );
}

export function SearchWidget({ widget, layer }: Props) {
  const t = useText();
  const { own, select } = useWidgetScope(widget, layer);
  const { column = '' } = widget;
  const found = (text: string): Selection | undefined =>
    text.trim() === '' ? undefined : { kind: 'text', column, text: text.trim() };
  const [text, setText] = useTyped(own?.kind === 'text' ? own.text : '', (typed) => select(found(typed)));
  return (
    <InputField
      label={t('dash.contains')}
      className="input small"
      type="search"
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
