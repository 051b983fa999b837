// How features without a value are drawn: in a colour of their own, not at all, or, of categories, as the others.

import { HIDDEN, NO_VALUE } from '../../../../src/geo/style/no-value.ts';
import { hex } from '../../../lib/form-values.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { Count } from './Count.tsx';

const COLOUR = 'colour';
const OTHERS = 'others';

export function NoValue({
  none,
  count,
  hasOthers = false,
  hasColour = true,
  onChange,
}: {
  /** A colour, or HIDDEN; undefined: as the others. */
  readonly none: string | undefined;
  /** How many features have no value; undefined: nobody knows. */
  readonly count?: number | undefined;
  readonly hasOthers?: boolean;
  /** Not where another choice decides on the colour. */
  readonly hasColour?: boolean;
  readonly onChange: (none: string | undefined) => void;
}) {
  const t = useText();
  const way = none === undefined ? OTHERS : none === HIDDEN ? HIDDEN : COLOUR;
  return (
    <div className="no-value">
      {way === COLOUR && hasColour && (
        <input
          type="color"
          className="input"
          aria-label={t('style.colour-of', { name: t('legend.no-value') })}
          value={hex(none ?? NO_VALUE)}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <span className="soft grow">{t('legend.no-value')}</span>
      <Count n={count} />
      <select
        className="input small"
        aria-label={t('style.no-value')}
        value={way}
        onChange={({ target: { value } }) =>
          onChange(value === HIDDEN ? HIDDEN : value === OTHERS ? undefined : NO_VALUE)
        }
      >
        <option value={COLOUR}>{t('style.no-value-shown')}</option>
        {hasOthers && <option value={OTHERS}>{t('style.no-value-others')}</option>}
        <option value={HIDDEN}>{t('style.no-value-hidden')}</option>
      </select>
    </div>
  );
}
