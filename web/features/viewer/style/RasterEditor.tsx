// How a raster is drawn: which band, between which numbers, in grey or by a ramp of colours. The map shows it once it is saved: its
// pictures are drawn by the server.

import { useState } from 'react';
import type { RasterSummary } from '../../../api/raster.ts';
import type { Layer } from '../../../api/types.ts';
import { RAMPS } from '../../../lib/colour-classes.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { type RasterStyle, rasterLayers, rasterStyleOf } from '../../../lib/raster-look.ts';
import { useUnsaved } from '../../../lib/unsaved.ts';
import { type LayerSource, legendEntries } from '../../../map/layer-source.ts';
import { Button } from '../../../ui/Button.tsx';
import { InputField, SelectField } from '../../../ui/Field.tsx';
import { Legend } from '../../resource/Legend.tsx';
import { SaveStyle } from './SaveStyle.tsx';

const GREY = 'grey';

export function RasterEditor({
  layer,
  source,
  name,
  onSaved,
}: {
  readonly layer: Layer;
  readonly source: LayerSource;
  readonly name: string;
  readonly onSaved: (layer: Layer, style: string | undefined) => void;
}) {
  const t = useText();
  const { raster: summary } = source;
  const [style, setStyle] = useState<RasterStyle>();
  const start = summary === undefined ? undefined : rasterStyleOf(source.layers, summary);
  const shown = style ?? start;
  const draft = style === undefined ? undefined : rasterLayers(style);
  useUnsaved(style !== undefined && layer.perms.includes('change_layer_style'));
  if (summary === undefined) return <p className="notice warm">{t('viewer.layer-failed')}</p>;
  const [first] = summary.bands;
  return (
    <div className="stack">
      <Legend entries={legendEntries(source, draft)} title={layer.title} />
      {shown === undefined ? (
        <div>
          <Button
            icon="style"
            onClick={() => setStyle({ band: 1, ramp: undefined, low: first?.min ?? 0, high: first?.max ?? 255 })}
          >
            {t('style.simplify')}
          </Button>
        </div>
      ) : (
        <RasterFields summary={summary} style={shown} onChange={setStyle} />
      )}
      <p className="soft small-text">{t('raster.when-saved')}</p>
      <SaveStyle
        layer={layer}
        name={name}
        layers={style !== undefined && style.high > style.low ? draft : undefined}
        onSaved={(next, saved) => {
          setStyle(undefined);
          onSaved(next, saved);
        }}
      />
    </div>
  );
}

function RasterFields({
  summary,
  style,
  onChange,
}: {
  readonly summary: RasterSummary;
  readonly style: RasterStyle;
  readonly onChange: (style: RasterStyle) => void;
}) {
  const t = useText();
  const limit = (which: 'low' | 'high') => (
    <InputField
      label={t(`raster.${which}`)}
      type="number"
      step="any"
      className="input small"
      value={Number.isFinite(style[which]) ? style[which] : ''}
      aria-invalid={!(style.high > style.low)}
      onChange={(event) =>
        onChange({ ...style, [which]: event.target.value === '' ? Number.NaN : Number(event.target.value) })
      }
    />
  );
  return (
    <div className="stack tight">
      {summary.bands.length >= 3 && (
        <label className="check">
          <input
            type="checkbox"
            checked={style.colours !== undefined}
            onChange={(event) => onChange({ ...style, colours: event.target.checked ? [1, 2, 3] : undefined })}
          />
          {t('raster.as-colours')}
        </label>
      )}
      {style.colours !== undefined && (
        <div className="style-row">
          {(['red', 'green', 'blue'] as const).map((name, i) => (
            <SelectField
              key={name}
              label={t(`raster.${name}`)}
              className="input small"
              value={style.colours?.[i]}
              onChange={(event) => {
                const [red = 1, green = 2, blue = 3] = (style.colours ?? []).map((band, j) =>
                  i === j ? Number(event.target.value) : band,
                );
                onChange({ ...style, colours: [red, green, blue] });
              }}
            >
              {summary.bands.map(({ band }) => (
                <option key={band} value={band}>
                  {t('raster.band-n', { n: band })}
                </option>
              ))}
            </SelectField>
          ))}
        </div>
      )}
      {summary.bands.length > 1 && style.colours === undefined && (
        <SelectField
          label={t('raster.band')}
          value={style.band}
          onChange={(event) => {
            const band = Number(event.target.value);
            const found = summary.bands.find((one) => one.band === band);
            onChange({ ...style, band, low: found?.min ?? style.low, high: found?.max ?? style.high });
          }}
        >
          {summary.bands.map(({ band }) => (
            <option key={band} value={band}>
              {t('raster.band-n', { n: band })}
            </option>
          ))}
        </SelectField>
      )}
      {style.colours === undefined && (
        <SelectField
          label={t('style.ramp')}
          value={style.ramp ?? GREY}
          onChange={(event) =>
            onChange({ ...style, ramp: event.target.value === GREY ? undefined : event.target.value })
          }
        >
          <option value={GREY}>{t('raster.grey')}</option>
          {Object.keys(RAMPS).map((ramp) => (
            <option key={ramp} value={ramp}>
              {t.entry('ramp', ramp)}
            </option>
          ))}
        </SelectField>
      )}
      {style.colours === undefined && (
        <label className="check">
          <input
            type="checkbox"
            checked={style.shade !== undefined}
            onChange={(event) => onChange({ ...style, shade: event.target.checked ? 1 : undefined })}
          />
          {t('raster.hillshade')}
        </label>
      )}
      <div className="style-row">
        {limit('low')}
        {limit('high')}
      </div>
      <div>
        <Button
          small
          onClick={() => {
            const found = summary.bands.find(({ band }) => band === style.band);
            if (found !== undefined) onChange({ ...style, low: found.min, high: found.max });
          }}
        >
          {t('raster.stretch')}
        </Button>
      </div>
    </div>
  );
}
