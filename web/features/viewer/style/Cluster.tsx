// Clusters: their colours, and how far apart they are.

import { CLUSTER_SIZES } from '../../../../src/geo/style/group.ts';
import type { ClusterColouring } from '../../../lib/group-style.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { SelectField } from '../../../ui/Field.tsx';
import { RampSelect } from './RampSelect.tsx';

export function Cluster({
  colouring,
  onChange,
}: {
  readonly colouring: ClusterColouring;
  readonly onChange: (next: ClusterColouring) => void;
}) {
  const t = useText();
  return (
    <>
      <div className="style-row">
        <RampSelect value={colouring.ramp} onChange={(ramp) => onChange({ ...colouring, ramp })} />
        <SelectField
          label={t('style.cell')}
          className="input small"
          value={colouring.size}
          onChange={(event) => onChange({ ...colouring, size: Number(event.target.value) })}
        >
          {CLUSTER_SIZES.map((size) => (
            <option key={size} value={size}>
              {t.number(size)}
            </option>
          ))}
        </SelectField>
      </div>
      <p className="soft small-text">{t('style.cluster-hint')}</p>
    </>
  );
}
