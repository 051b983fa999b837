// A colour per class of a number: how many classes, where they end, and from which colours.

import { useEffect, useState } from 'react';
import { equalBreaks, quantileBreaks, RAMPS, rampColours } from '../../../lib/colour-classes.ts';
import { bounded, hex } from '../../../lib/form-values.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { Field } from '../../../ui/Field.tsx';
import { AttributeSelect } from './AttributeSelect.tsx';
import type { ColouringProps } from './attribute-choice.ts';
import { useValues } from './use-values.ts';

/** Classes as they were saved: nobody knows any more how they were made. */
const OWN = 'own';

export function Graduated({ one, colouring, onChange }: ColouringProps<'graduated'>) {
  const t = useText();
  const { attribute, breaks, colours } = colouring;
  const values = useValues(one, attribute);
  const [classes, setClasses] = useState(colours.length > 1 ? colours.length : 5);
  const [method, setMethod] = useState<'quantile' | 'equal'>('quantile');
  const [ramp, setRamp] = useState('green');
  const [isTouched, setTouched] = useState(colours.length === 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: made anew when one of these changes, not when the result does.
  useEffect(() => {
    if (values === undefined || !isTouched) return;
    const numbers = values.filter((value) => typeof value === 'number');
    const limits =
      method === 'quantile'
        ? quantileBreaks(numbers, classes)
        : equalBreaks(Math.min(...numbers), Math.max(...numbers), classes);
    onChange({
      ...colouring,
      breaks: limits,
      colours: rampColours(RAMPS[ramp] ?? ['#ffffff', '#888888', '#000000'], limits.length + 1),
    });
  }, [values, classes, method, ramp, isTouched]);
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
        <Field label={t('style.classes')}>
          {(wired) => (
            <input
              {...wired}
              type="number"
              className="input small"
              min="2"
              max="9"
              value={classes}
              onChange={(event) => touch(setClasses)(bounded(event.target.value, 2, 9))}
            />
          )}
        </Field>
        <Field label={t('style.method')}>
          {(wired) => (
            <select
              {...wired}
              className="input small"
              value={isTouched ? method : OWN}
              onChange={(event) => touch(setMethod)(event.target.value === 'equal' ? 'equal' : 'quantile')}
            >
              {!isTouched && <option value={OWN}>{t('style.own')}</option>}
              <option value="quantile">{t('style.quantile')}</option>
              <option value="equal">{t('style.equal')}</option>
            </select>
          )}
        </Field>
        <Field label={t('style.ramp')}>
          {(wired) => (
            <select
              {...wired}
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
            </select>
          )}
        </Field>
      </div>
      <ul className="category-list">
        {colours.map((colour, i) => (
          <li key={breaks[i - 1] ?? 'first'}>
            <input
              type="color"
              className="input"
              aria-label={t('style.colour-of', { name: `${i + 1}` })}
              value={hex(colour)}
              onChange={(event) =>
                onChange({ ...colouring, colours: colours.map((now, j) => (i === j ? event.target.value : now)) })
              }
            />
            <span className="number">
              {i === 0
                ? `< ${t.number(breaks[0] ?? 0)}`
                : i === colours.length - 1
                  ? `≥ ${t.number(breaks[i - 1] ?? 0)}`
                  : `${t.number(breaks[i - 1] ?? 0)} – ${t.number(breaks[i] ?? 0)}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
