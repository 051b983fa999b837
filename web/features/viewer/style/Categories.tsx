// A colour per value of an attribute; the most frequent values get one to begin with.

import { useEffect } from 'react';
import { NO_VALUE } from '../../../../src/geo/style/no-value.ts';
import { isColumnStatistics, statisticsPath } from '../../../api/statistics.ts';
import { useFreshFor } from '../../../api/use-loaded.ts';
import { hex } from '../../../lib/form-values.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { PALETTE } from '../../../lib/simple-style.ts';
import { AttributeSelect } from './AttributeSelect.tsx';
import { type ColouringProps, shownRowsOf } from './attribute-choice.ts';
import { Count } from './Count.tsx';
import { NoValue } from './NoValue.tsx';
import { StatisticsNote } from './StatisticsNote.tsx';

const MAX_CATEGORIES = 30;

export function Categories({ one, colouring, onChange }: ColouringProps<'categories'>) {
  const t = useText();
  const { attribute, entries, other, none } = colouring;
  const [loaded] = useFreshFor(
    isColumnStatistics,
    attribute === '' ? undefined : statisticsPath(shownRowsOf(one), attribute, { categories: MAX_CATEGORIES }),
  );
  const found = loaded.kind === 'loaded' ? loaded.value.categories : undefined;
  const missing = loaded.kind === 'loaded' ? loaded.value.rows - loaded.value.values : undefined;
  const counts = new Map(found?.map(({ value, count }) => [String(value), count]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: made once the values are known, and not again while they are edited.
  useEffect(() => {
    if (found === undefined || entries.length > 0) return;
    const named = found.map(({ value }) => String(value)).filter((value) => value !== '');
    if (named.length > 0)
      onChange({
        ...colouring,
        entries: named.map((value, i) => ({ value, colour: PALETTE[i % PALETTE.length] ?? '#888888' })),
      });
  }, [found, entries.length]);
  return (
    <div className="stack tight">
      <AttributeSelect
        one={one}
        value={attribute}
        numeric={false}
        onChange={(next) => onChange({ ...colouring, attribute: next, entries: [] })}
      />
      <StatisticsNote loaded={loaded} isFiltered={one.filter !== undefined} />
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
            <span className="grow">{String(value)}</span>
            <Count n={counts.get(String(value))} />
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
        {(missing !== 0 || none !== NO_VALUE) && (
          <li>
            <NoValue
              none={none}
              count={missing}
              hasOthers
              onChange={(next) => onChange({ ...colouring, none: next })}
            />
          </li>
        )}
      </ul>
    </div>
  );
}
