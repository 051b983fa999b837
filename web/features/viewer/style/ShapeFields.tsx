// What points and lines look like besides colour and width: shape, size by a number, pattern.

import { useEffect, useState } from 'react';
import { ICON_NAMES } from '../../../../src/geo/style/icons.ts';
import { NO_VALUE } from '../../../../src/geo/style/no-value.ts';
import { isColumnStatistics, statisticsPath } from '../../../api/statistics.ts';
import { useFreshFor } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { DASH_NAMES, type GeometryKind, SHAPES, type SimpleStyle } from '../../../lib/simple-style.ts';
import { SelectField } from '../../../ui/Field.tsx';
import type { ViewerLayer } from '../viewer-state.ts';
import { attributesOf, isNumeric, shownRowsOf } from './attribute-choice.ts';
import { NoValue } from './NoValue.tsx';

const SOLID = 'solid';
/** Radius of a point from which on an icon is known for what it is. */
const ICON_SIZE = 9;

export function ShapeFields({
  one,
  geometry,
  style,
  onChange,
}: {
  readonly one: ViewerLayer;
  readonly geometry: GeometryKind;
  readonly style: SimpleStyle;
  readonly onChange: (next: SimpleStyle) => void;
}) {
  const t = useText();
  const numeric = attributesOf(one).filter(isNumeric);
  // The largest number has the size that is chosen; how large it is, the server says.
  const [wanted, setWanted] = useState<string>();
  const [loaded] = useFreshFor(
    isColumnStatistics,
    wanted === undefined ? undefined : statisticsPath(shownRowsOf(one), wanted, {}),
  );
  const most = loaded.kind === 'loaded' ? Number(loaded.value.max) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the number has come.
  useEffect(() => {
    if (wanted === undefined || most === undefined || !(most > 0)) return;
    onChange({ ...style, sizeBy: { attribute: wanted, most, none: NO_VALUE }, radius: Math.max(style.radius, 20) });
    setWanted(undefined);
  }, [wanted, most]);
  const { sizeBy } = style;
  return (
    <div className="style-row">
      {geometry === 'point' && (
        <SelectField
          label={t('style.mark')}
          className="input small"
          value={style.mark ?? 'circle'}
          onChange={(event) => {
            const icon = ICON_NAMES.find((name) => name === event.target.value);
            const mark = icon ?? SHAPES.find((name) => name === event.target.value);
            // An icon is told from others by its parts, which have to be seen.
            onChange({
              ...style,
              mark,
              radius: icon === undefined ? style.radius : Math.max(style.radius, ICON_SIZE),
            });
          }}
        >
          <optgroup label={t('mark.shapes')}>
            {SHAPES.map((name) => (
              <option key={name} value={name}>
                {t(`mark.${name}`)}
              </option>
            ))}
          </optgroup>
          <optgroup label={t('mark.icons')}>
            {ICON_NAMES.map((name) => [name, t(`mark.${name}`)] as const)
              .sort(([, a], [, b]) => a.localeCompare(b, t.language))
              .map(([name, words]) => (
                <option key={name} value={name}>
                  {words}
                </option>
              ))}
          </optgroup>
        </SelectField>
      )}
      {geometry === 'point' && numeric.length > 0 && (
        <SelectField
          label={t('style.size-by')}
          className="input small"
          value={wanted ?? style.sizeBy?.attribute ?? ''}
          onChange={(event) => {
            if (event.target.value === '') onChange({ ...style, sizeBy: undefined, radius: 5 });
            else setWanted(event.target.value);
          }}
        >
          <option value="">{t('style.size-same')}</option>
          {numeric.map(({ attribute, attribute_label }) => (
            <option key={attribute} value={attribute}>
              {attribute_label ?? attribute}
            </option>
          ))}
        </SelectField>
      )}
      {geometry === 'point' && sizeBy !== undefined && (
        <NoValue
          none={sizeBy.none}
          hasColour={style.colour.kind === 'single'}
          onChange={(none) => onChange({ ...style, sizeBy: { ...sizeBy, none: none ?? NO_VALUE } })}
        />
      )}
      {geometry === 'line' && (
        <SelectField
          label={t('style.dash')}
          className="input small"
          value={style.dash ?? SOLID}
          onChange={(event) => onChange({ ...style, dash: DASH_NAMES.find((name) => name === event.target.value) })}
        >
          <option value={SOLID}>{t('dash.solid')}</option>
          {DASH_NAMES.map((name) => (
            <option key={name} value={name}>
              {t(`dash.${name}`)}
            </option>
          ))}
        </SelectField>
      )}
    </div>
  );
}
