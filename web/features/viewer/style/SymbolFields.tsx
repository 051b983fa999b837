// What all features of a layer have in common: outline, width, size, opacity, label.

import { bounded, hex } from '../../../lib/form-values.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { AUTOMATIC, type GeometryKind, isGrouped, type SimpleStyle } from '../../../lib/simple-style.ts';
import { InputField, SelectField } from '../../../ui/Field.tsx';
import type { ViewerLayer } from '../viewer-state.ts';
import { attributesOf } from './attribute-choice.ts';
import { ShapeFields } from './ShapeFields.tsx';

/** Where nobody knows how dense a layer is. */
const USUAL_CROWD = 10;

export function SymbolFields({
  one,
  geometry,
  style,
  crowd,
  onChange,
}: {
  readonly one: ViewerLayer;
  readonly geometry: GeometryKind;
  readonly style: SimpleStyle;
  /** Of the layer: the zoom from which on its features stand apart. */
  readonly crowd: number | undefined;
  readonly onChange: (next: SimpleStyle) => void;
}) {
  const t = useText();
  const isAutomatic = style.outline === AUTOMATIC;
  const isHeat = style.colour.kind === 'heat';
  // Groups have symbols of their own: an outline and an opacity is all that can be chosen of them.
  const isPlain = !isHeat && !isGrouped(style.colour);
  const isHexagon = style.colour.kind === 'hexagon';
  return (
    <>
      <div className="style-row">
        {geometry !== 'line' && !isHeat && (
          <SelectField
            label={t('style.outline')}
            className="input small"
            value={isAutomatic ? AUTOMATIC : 'own'}
            onChange={(event) =>
              onChange({ ...style, outline: event.target.value === AUTOMATIC ? AUTOMATIC : '#333333' })
            }
          >
            <option value={AUTOMATIC}>{t('style.outline-auto')}</option>
            <option value="own">{t('style.outline-own')}</option>
          </SelectField>
        )}
        {geometry !== 'line' && !isHeat && !isAutomatic && (
          <InputField
            label={t('style.outline-colour')}
            type="color"
            value={hex(style.outline)}
            onChange={(event) => onChange({ ...style, outline: event.target.value })}
          />
        )}
        {!isHeat && !isHexagon && (
          <InputField
            label={t('style.width')}
            type="number"
            className="input small"
            min="0"
            max="20"
            step="0.5"
            value={style.width}
            onChange={(event) => onChange({ ...style, width: bounded(event.target.value, 0, 20) })}
          />
        )}
        {(geometry === 'point' || geometry === 'mixed') && isPlain && (
          <InputField
            label={t('style.radius')}
            type="number"
            className="input small"
            min="1"
            max="40"
            step="1"
            value={style.radius}
            onChange={(event) => onChange({ ...style, radius: bounded(event.target.value, 1, 40) })}
          />
        )}
      </div>
      {!isPlain ? null : <ShapeFields one={one} geometry={geometry} style={style} onChange={onChange} />}
      {!isGrouped(style.colour) && (
        <label className="check">
          <input
            type="checkbox"
            checked={style.crowd !== undefined}
            onChange={(event) =>
              onChange({ ...style, crowd: event.target.checked ? (crowd ?? USUAL_CROWD) : undefined })
            }
          />
          {t('style.by-zoom')}
        </label>
      )}
      {geometry !== 'line' && (
        <InputField
          label={`${t('style.opacity')} (${Math.round(style.opacity * 100)} %)`}
          type="range"
          min="0"
          max="100"
          value={Math.round(style.opacity * 100)}
          onChange={(event) => onChange({ ...style, opacity: Number(event.target.value) / 100 })}
        />
      )}
      {isPlain && (
        <SelectField
          label={t('style.label')}
          value={style.label}
          onChange={(event) => onChange({ ...style, label: event.target.value })}
        >
          <option value="">{t('meta.none')}</option>
          {attributesOf(one).map(({ attribute, attribute_label }) => (
            <option key={attribute} value={attribute}>
              {attribute_label ?? attribute}
            </option>
          ))}
        </SelectField>
      )}
    </>
  );
}
