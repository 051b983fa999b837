// A colour per value of an attribute; the most frequent values get one to begin with.

import { useEffect } from 'react';
import { hex } from '../../../lib/form-values.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { PALETTE } from '../../../lib/simple-style.ts';
import { AttributeSelect } from './AttributeSelect.tsx';
import type { ColouringProps } from './attribute-choice.ts';
import { useValues } from './use-values.ts';

const MAX_CATEGORIES = 30;

export function Categories({ one, colouring, onChange }: ColouringProps<'categories'>) {
  const t = useText();
  const { attribute, entries, other } = colouring;
  const values = useValues(one, attribute);
  // biome-ignore lint/correctness/useExhaustiveDependencies: made once the values are known, and not again while they are edited.
  useEffect(() => {
    if (values === undefined || entries.length > 0) return;
    const counts = new Map<string, number>();
    for (const value of values)
      if (value !== null && value !== '') counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
    const found = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MAX_CATEGORIES);
    if (found.length > 0)
      onChange({
        ...colouring,
        entries: found.map(([value], i) => ({ value, colour: PALETTE[i % PALETTE.length] ?? '#888888' })),
      });
  }, [values, entries.length]);
  return (
    <div className="stack tight">
      <AttributeSelect
        one={one}
        value={attribute}
        numeric={false}
        onChange={(next) => onChange({ ...colouring, attribute: next, entries: [] })}
      />
      <ul className="category-list">
        {entries.map(({ value, colour }, i) => (
          <li key={String(value)}>
            <input
              type="color"
              className="input"
              aria-label={t('style.colour-of', { name: String(value) })}
              value={hex(colour)}
              onChange={(event) =>
                onChange({
                  ...colouring,
                  entries: entries.map((entry, j) => (i === j ? { ...entry, colour: event.target.value } : entry)),
                })
              }
            />
            <span>{String(value)}</span>
          </li>
        ))}
        <li>
          <input
            type="color"
            className="input"
            aria-label={t('style.colour-of', { name: t('attributes.other') })}
            value={hex(other)}
            onChange={(event) => onChange({ ...colouring, other: event.target.value })}
          />
          <span className="soft">{t('attributes.other')}</span>
        </li>
      </ul>
    </div>
  );
}
