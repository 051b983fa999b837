// A heatmap: its colours, and how far a point reaches.

import { bounded } from '../../../lib/form-values.ts';
import { useText } from '../../../lib/i18n/text.ts';
import type { Colouring } from '../../../lib/simple-style.ts';
import { Field } from '../../../ui/Field.tsx';
import { RampSelect } from './RampSelect.tsx';

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
      <RampSelect value={colouring.ramp} onChange={(ramp) => onChange({ ...colouring, ramp })} />
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
