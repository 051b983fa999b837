// Choosing the colours of classes by the name of their ramp.

import { RAMPS } from '../../../lib/colour-classes.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { SelectField } from '../../../ui/Field.tsx';

export function RampSelect({ value, onChange }: { readonly value: string; readonly onChange: (ramp: string) => void }) {
  const t = useText();
  return (
    <SelectField
      label={t('style.ramp')}
      className="input small"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {Object.keys(RAMPS).map((name) => (
        <option key={name} value={name}>
          {t.entry('ramp', name)}
        </option>
      ))}
    </SelectField>
  );
}
