// Hexagons: their size, what they are coloured by (a count, or the sum or mean of an attribute), and the limits of the classes.

import { useEffect, useState } from 'react';
import { HEXAGON_SIZES } from '../../../../src/geo/style/group.ts';
import { isColumnStatistics, statisticsPath } from '../../../api/statistics.ts';
import { useFreshFor } from '../../../api/use-loaded.ts';
import { bounded } from '../../../lib/form-values.ts';
import { COUNT_BREAKS, type HexagonColouring, parseBreaks } from '../../../lib/group-style.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { InputField, SelectField } from '../../../ui/Field.tsx';
import { AttributeSelect } from './AttributeSelect.tsx';
import { attributesOf, type ColouringProps, isNumeric, shownRowsOf } from './attribute-choice.ts';
import { RampSelect } from './RampSelect.tsx';

const CLASSES = 6;
const KINDS = ['count', 'sum', 'mean'] as const;

export function Hexagons({ one, colouring, onChange }: ColouringProps<'hexagon'>) {
  const t = useText();
  const { of, attribute, breaks } = colouring;
  const [first] = attributesOf(one).filter(isNumeric);
  const [text, setText] = useState(breaks.join(', '));
  // Limits of a sum or mean are proposed by what the attribute is; somebody may write others.
  const [wanted, setWanted] = useState<HexagonColouring>();
  const [loaded] = useFreshFor(
    isColumnStatistics,
    wanted === undefined
      ? undefined
      : statisticsPath(shownRowsOf(one), wanted.attribute, { method: 'quantile', classes: CLASSES }),
  );
  const choose = (next: HexagonColouring): void => {
    setText(next.breaks.join(', '));
    onChange(next);
  };
  const found = loaded.kind === 'loaded' ? loaded.value.breaks : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the limits have come.
  useEffect(() => {
    if (wanted === undefined || found === undefined) return;
    setWanted(undefined);
    // Of a sum: what so many of the middle ones would have together.
    const middle = Math.abs(found[Math.floor(found.length / 2)] ?? 1) || 1;
    const limits = wanted.of === 'mean' ? found : COUNT_BREAKS.map((n) => Number((n * middle).toPrecision(2)));
    choose({ ...wanted, breaks: limits });
  }, [wanted, found]);
  const change = (kind: HexagonColouring['of'], name: string): void => {
    if (kind === 'count') choose({ ...colouring, of: kind, attribute: '', breaks: COUNT_BREAKS });
    else {
      const next = { ...colouring, of: kind, attribute: name };
      onChange(next);
      setWanted(next);
    }
  };
  const isWrong = parseBreaks(text) === undefined;
  return (
    <div className="stack tight">
      <div className="style-row">
        <SelectField
          label={t('style.hexagon-of')}
          className="input small"
          value={of}
          onChange={(event) =>
            change(
              KINDS.find((kind) => kind === event.target.value) ?? 'count',
              attribute === '' ? (first?.attribute ?? '') : attribute,
            )
          }
        >
          {KINDS.filter((kind) => kind === 'count' || first !== undefined).map((kind) => (
            <option key={kind} value={kind}>
              {t(`style.hexagon-${kind}`)}
            </option>
          ))}
        </SelectField>
        <RampSelect value={colouring.ramp} onChange={(ramp) => onChange({ ...colouring, ramp })} />
        <InputField
          label={t('style.cell')}
          type="number"
          className="input small"
          min={HEXAGON_SIZES.least}
          max={HEXAGON_SIZES.most}
          value={colouring.size}
          onChange={(event) =>
            onChange({
              ...colouring,
              size: Math.round(bounded(event.target.value, HEXAGON_SIZES.least, HEXAGON_SIZES.most)),
            })
          }
        />
      </div>
      {of !== 'count' && <AttributeSelect one={one} value={attribute} numeric onChange={(name) => change(of, name)} />}
      <InputField
        label={t('style.breaks')}
        wrong={isWrong ? t('style.breaks-wrong') : undefined}
        inputMode="decimal"
        maxLength={200}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          const limits = parseBreaks(event.target.value);
          if (limits !== undefined) onChange({ ...colouring, breaks: limits });
        }}
      />
      <p className="soft small-text">{t('style.hexagon-hint')}</p>
    </div>
  );
}
