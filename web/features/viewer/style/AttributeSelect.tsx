// Choosing an attribute of the layer.

import { useText } from '../../../lib/i18n/text.ts';
import { SelectField } from '../../../ui/Field.tsx';
import type { ViewerLayer } from '../viewer-state.ts';
import { attributesOf, isNumeric } from './attribute-choice.ts';

export function AttributeSelect({
  one,
  value,
  numeric,
  onChange,
}: {
  readonly one: ViewerLayer;
  readonly value: string;
  readonly numeric: boolean;
  readonly onChange: (attribute: string) => void;
}) {
  const t = useText();
  const attributes = attributesOf(one).filter((attribute) => !numeric || isNumeric(attribute));
  return (
    <SelectField label={t('style.attribute')} value={value} onChange={(event) => onChange(event.target.value)}>
      {attributes.map(({ attribute, attribute_label }) => (
        <option key={attribute} value={attribute}>
          {attribute_label ?? attribute}
        </option>
      ))}
    </SelectField>
  );
}
