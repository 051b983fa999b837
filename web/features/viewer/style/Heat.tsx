// A heatmap: its colours, and how far a point reaches.

import { RAMPS } from '../../../lib/colour-classes.ts';
import { bounded } from '../../../lib/form-values.ts';
import { useText } from '../../../lib/i18n/text.ts';
import type { Colouring } from '../../../lib/simple-style.ts';
import { Field } from '../../../ui/Field.tsx';

type HeatColouring = Extract<Colouring, { kind: 'heat' }>;

export function Heat({
  colouring,
  onChange,
}: {
  readonly colouring: HeatColouring;
  readonly onChange: (next: HeatColouring) => void;
}) {
  const t = useText();
  return (
    <div className="style-row">
      <Field label={t('style.ramp')}>
        {(wired) => (
          <select
            {...wired}
            className="input small"
            value={colouring.ramp}
            onChange={(event) => onChange({ ...colouring, ramp: event.target.value })}
          >
            {Object.keys(RAMPS).map((name) => (
              <option key={name} value={name}>
                {t.entry('ramp', name)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t('style.reach')}>
        {(wired) => (
          <input
            {...wired}
            type="number"
            className="input small"
            min="2"
            max="100"
            value={colouring.reach}
            onChange={(event) => onChange({ ...colouring, reach: bounded(event.target.value, 2, 100) })}
          />
        )}
      </Field>
    </div>
  );
}
