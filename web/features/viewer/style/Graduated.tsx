// A colour per class of a number: how many classes, where they end, and from which colours.

import { useEffect, useState } from 'react';
import { NO_VALUE } from '../../../../src/geo/style/no-value.ts';
import { CLASS_METHODS, type ClassMethod, isColumnStatistics, statisticsPath } from '../../../api/statistics.ts';
import { useFreshFor } from '../../../api/use-loaded.ts';
import { RAMPS, rampColours } from '../../../lib/colour-classes.ts';
import { dataNumber } from '../../../lib/data-number.ts';
import { bounded, hex } from '../../../lib/form-values.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { InputField, SelectField } from '../../../ui/Field.tsx';
import { AttributeSelect } from './AttributeSelect.tsx';
import { type ColouringProps, shownRowsOf } from './attribute-choice.ts';
import { Count } from './Count.tsx';
import { NoValue } from './NoValue.tsx';
import { StatisticsNote } from './StatisticsNote.tsx';

/** Classes as they were saved: nobody knows any more how they were made. */
const OWN = 'own';

export function Graduated({ one, colouring, onChange }: ColouringProps<'graduated'>) {
  const t = useText();
  const { attribute, breaks, colours, none } = colouring;
  const [classes, setClasses] = useState(colours.length > 1 ? colours.length : 5);
  const [method, setMethod] = useState<ClassMethod>('quantile');
  const [ramp, setRamp] = useState('green');
  const [isTouched, setTouched] = useState(colours.length === 0);
  const [loaded] = useFreshFor(
    isColumnStatistics,
    attribute === '' || !isTouched ? undefined : statisticsPath(shownRowsOf(one), attribute, { method, classes }),
  );
  const found = loaded.kind === 'loaded' ? loaded.value : undefined;
  const missing = found === undefined ? undefined : found.rows - found.values;
  // biome-ignore lint/correctness/useExhaustiveDependencies: made anew when one of these changes, not when the result does.
  useEffect(() => {
    if (found === undefined || !isTouched) return;
    onChange({
      ...colouring,
      breaks: found.breaks,
      colours: rampColours(RAMPS[ramp] ?? ['#ffffff', '#888888', '#000000'], found.breaks.length + 1),
    });
  }, [found, ramp, isTouched]);
  // Counts of other classes than these would be wrong ones.
  const counts = found !== undefined && String(found.breaks) === String(breaks) ? found.counts : [];
  /** Limits stay in their order: one that passes its neighbour is not taken. */
  const moveBreak = (i: number, to: number): void => {
    const [below = Number.NEGATIVE_INFINITY, above = Number.POSITIVE_INFINITY] = [breaks[i - 1], breaks[i + 1]];
    if (to > below && to < above) onChange({ ...colouring, breaks: breaks.map((limit, j) => (i === j ? to : limit)) });
  };
  const shown = (limit: number): string => dataNumber(t, limit, attribute, 3);
  const touch =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      setTouched(true);
      set(value);
    };
  return (
    <div className="stack tight">
      <AttributeSelect
        one={one}
        value={attribute}
        numeric
        onChange={(next) => {
          setTouched(true);
          onChange({ ...colouring, attribute: next, breaks: [], colours: [] });
        }}
      />
      <div className="style-row">
        <InputField
          label={t('style.classes')}
          type="number"
          className="input small"
          min="2"
          max="9"
          value={classes}
          onChange={(event) => touch(setClasses)(bounded(event.target.value, 2, 9))}
        />
        <SelectField
          label={t('style.method')}
          className="input small"
          value={isTouched ? method : OWN}
          onChange={(event) =>
            touch(setMethod)(CLASS_METHODS.find((name) => name === event.target.value) ?? 'quantile')
          }
        >
          {!isTouched && <option value={OWN}>{t('style.own')}</option>}
          {CLASS_METHODS.map((name) => (
            <option key={name} value={name}>
              {t(`style.${name}`)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('style.ramp')}
          className="input small"
          value={isTouched ? ramp : OWN}
          onChange={(event) => touch(setRamp)(event.target.value)}
        >
          {!isTouched && <option value={OWN}>{t('style.own')}</option>}
          {Object.keys(RAMPS).map((name) => (
            <option key={name} value={name}>
              {t.entry('ramp', name)}
            </option>
          ))}
        </SelectField>
      </div>
      {isTouched && <StatisticsNote loaded={loaded} isFiltered={one.filter !== undefined} />}
      <ul className="category-list">
        {colours.map((colour, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a class stays the same one while its limit is typed.
          <li key={`${found === undefined ? '' : String(found.breaks)} ${i}`}>
            <input
              type="color"
              className="input"
              aria-label={t('style.colour-of', { name: `${i + 1}` })}
              value={hex(colour)}
              onChange={(event) =>
                onChange({ ...colouring, colours: colours.map((now, j) => (i === j ? event.target.value : now)) })
              }
            />
            <span className="number grow">
              {i === 0
                ? `< ${shown(breaks[0] ?? 0)}`
                : i === colours.length - 1
                  ? `≥ ${shown(breaks[i - 1] ?? 0)}`
                  : `${shown(breaks[i - 1] ?? 0)} – ${shown(breaks[i] ?? 0)}`}
            </span>
            <Count n={counts[i]} />
            {i > 0 && (
              <input
                type="number"
                step="any"
                className="input small break-value"
                aria-label={t('style.break-of', { n: i + 1 })}
                defaultValue={breaks[i - 1]}
                onChange={(event) => moveBreak(i - 1, event.target.valueAsNumber)}
              />
            )}
          </li>
        ))}
        {colours.length > 0 && (missing !== 0 || none !== NO_VALUE) && (
          <li>
            <NoValue
              none={none}
              count={missing}
              onChange={(next) => onChange({ ...colouring, none: next ?? NO_VALUE })}
            />
          </li>
        )}
      </ul>
    </div>
  );
}
