// A heatmap: its colours, how far a point reaches, how warm it gets, and what points count.

import { useEffect } from 'react';
import { isColumnStatistics, statisticsPath } from '../../../api/statistics.ts';
import { useFreshFor } from '../../../api/use-loaded.ts';
import { bounded } from '../../../lib/form-values.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { meanOf } from '../../../lib/statistics-mean.ts';
import { InputField, SelectField } from '../../../ui/Field.tsx';
import { attributesOf, type ColouringProps, isNumeric, shownRowsOf } from './attribute-choice.ts';
import { RampSelect } from './RampSelect.tsx';
import { StatisticsNote } from './StatisticsNote.tsx';

const STRENGTH = { min: 0.25, max: 4, step: 0.25 };

export function Heat({ one, colouring, onChange }: ColouringProps<'heat'>) {
  const t = useText();
  const { weight, strength = 1, isEven: _, ...rest } = colouring;
  const numeric = attributesOf(one).filter(isNumeric);
  const attribute = weight?.attribute;
  const [loaded] = useFreshFor(
    isColumnStatistics,
    attribute === undefined ? undefined : statisticsPath(shownRowsOf(one), attribute, {}),
  );
  const mean = loaded.kind === 'loaded' ? meanOf(loaded.value.histogram) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is known.
  useEffect(() => {
    if (attribute !== undefined && mean !== undefined && weight?.mean === 1 && mean !== 1)
      onChange({ ...colouring, weight: { attribute, mean } });
  }, [attribute, mean]);
  const warmer = strength === 1 ? {} : { strength };
  const weighed = weight === undefined ? {} : { weight };
  return (
    <>
      <div className="style-row">
        <RampSelect value={colouring.ramp} onChange={(ramp) => onChange({ ...rest, ...warmer, ...weighed, ramp })} />
        <InputField
          label={t('style.reach')}
          type="number"
          className="input small"
          min="2"
          max="100"
          value={colouring.reach}
          onChange={(event) => onChange({ ...rest, ...warmer, ...weighed, reach: bounded(event.target.value, 2, 100) })}
        />
      </div>
      <InputField
        label={t('style.strength')}
        type="range"
        {...STRENGTH}
        value={strength}
        aria-valuetext={t.number(strength)}
        onChange={({ target }) => {
          const next = Number(target.value);
          onChange({ ...rest, ...weighed, ...(next === 1 ? {} : { strength: next }) });
        }}
      />
      {numeric.length > 0 && (
        <SelectField
          label={t('style.weight')}
          value={attribute ?? ''}
          onChange={({ target }) =>
            onChange({
              ...rest,
              ...warmer,
              ...(target.value === '' ? {} : { weight: { attribute: target.value, mean: 1 } }),
            })
          }
        >
          <option value="">{t('style.weight-none')}</option>
          {numeric.map((column) => (
            <option key={column.attribute} value={column.attribute}>
              {column.attribute_label || column.attribute}
            </option>
          ))}
        </SelectField>
      )}
      {attribute !== undefined && <StatisticsNote loaded={loaded} isFiltered={one.filter !== undefined} />}
    </>
  );
}
