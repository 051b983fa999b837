// The questions of a process: a control for each of its inputs.

import { useDeferredValue, useState } from 'react';
import { isRasterSummary } from '../../api/raster.ts';
import type { Attribute } from '../../api/types.ts';
import { useLoaded, useLoadedFor } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { FormInput, FormValue, FormValues } from '../../lib/process-form.ts';
import { Field } from '../../ui/Field.tsx';

type Change = (name: string, value: FormValue | undefined) => void;

export function ProcessFields({
  inputs,
  values,
  onChange,
}: {
  readonly inputs: readonly FormInput[];
  readonly values: FormValues;
  readonly onChange: Change;
}) {
  return inputs.map((input) => <InputField key={input.name} input={input} values={values} onChange={onChange} />);
}

function InputField({
  input,
  values,
  onChange,
}: {
  readonly input: FormInput;
  readonly values: FormValues;
  readonly onChange: Change;
}) {
  const t = useText();
  const { name, kind, isOptional } = input;
  const label = t.find(`process-input.${name}`) ?? input.title;
  const value = values[name];
  const text = typeof value === 'string' ? value : '';
  switch (kind) {
    case 'layer':
    case 'layers':
    case 'raster':
      return <LayerField input={input} label={label} value={value} onChange={onChange} />;
    case 'column':
      return <ColumnField input={input} label={label} layer={values[input.of]} value={text} onChange={onChange} />;
    case 'band':
      return <BandField label={label} name={name} raster={values[input.of]} value={text} onChange={onChange} />;
    case 'flag':
      return (
        <label className="check">
          <input type="checkbox" checked={value === true} onChange={(event) => onChange(name, event.target.checked)} />
          {label}
        </label>
      );
    case 'choice':
      return (
        <Field label={label}>
          {(wired) => (
            <select {...wired} className="input" value={text} onChange={(event) => onChange(name, event.target.value)}>
              {input.choices.map((choice) => (
                <option key={choice} value={choice}>
                  {t.entry('process-choice', choice)}
                </option>
              ))}
            </select>
          )}
        </Field>
      );
    case 'number':
      return (
        <Field label={label}>
          {(wired) => (
            <input
              {...wired}
              className="input"
              type="number"
              step="any"
              required={!isOptional}
              min={input.minimum}
              max={input.maximum}
              value={text}
              onChange={(event) => onChange(name, event.target.value)}
            />
          )}
        </Field>
      );
    case 'filter':
      return (
        <Field label={label} hint={t('process.filter-hint')}>
          {(wired) => (
            <input
              {...wired}
              className="input"
              required={!isOptional}
              spellCheck={false}
              value={text}
              onChange={(event) => onChange(name, event.target.value)}
            />
          )}
        </Field>
      );
  }
}

/** A page of the catalogue; who has more finds theirs by the search. */
const MAX_LAYERS = 50;

/** One layer, or several. */
function LayerField({
  input,
  label,
  value,
  onChange,
}: {
  readonly input: FormInput;
  readonly label: string;
  readonly value: FormValue | undefined;
  readonly onChange: Change;
}) {
  const t = useText();
  const { name, kind } = input;
  const isRaster = kind === 'raster';
  const of = isRaster
    ? 'filter{subtype}=raster&'
    : input.kind === 'layer' && input.orTable
      ? ''
      : 'filter{-subtype}=tabular&';
  const [q, setQ] = useState('');
  const asked = useDeferredValue(q.trim());
  const search = asked === '' ? '' : `&search=${encodeURIComponent(asked)}`;
  const [found] = useLoaded(`/api/v2/layers/?${of}page_size=${MAX_LAYERS}&sort[]=title${search}`);
  const chosen = Array.isArray(value) ? value : typeof value === 'string' && value !== '' ? [value] : [];
  const listed = found.kind === 'loaded' ? found.value.layers : [];
  const [only = ''] = chosen;
  const [known] = useLoaded(only === '' ? undefined : `/api/v2/layers/${only}/`);
  const first = known.kind === 'loaded' ? [known.value.layer] : [];
  const layers = [...first, ...listed.filter(({ pk }) => pk !== only)].filter(
    ({ storeType, remote }) => (storeType === 'coverageStore') === isRaster && remote === null,
  );
  const find = (
    <Field label={t('viewer.find-layer')}>
      {(wired) => (
        <input {...wired} className="input" type="search" value={q} onChange={(event) => setQ(event.target.value)} />
      )}
    </Field>
  );
  if (kind === 'layers')
    return (
      <fieldset className="join-columns">
        <legend>{label}</legend>
        {find}
        {layers.map(({ pk, title }) => (
          <label key={pk} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(pk)}
              onChange={(event) =>
                onChange(name, event.target.checked ? [...chosen, pk] : chosen.filter((one) => one !== pk))
              }
            />
            {title}
          </label>
        ))}
      </fieldset>
    );
  return (
    <div className="control-pair">
      {find}
      <Field label={label}>
        {(wired) => (
          <select
            {...wired}
            className="input"
            required
            value={only}
            onChange={(event) => onChange(name, event.target.value)}
          >
            <option value="">{t('sharing.choose')}</option>
            {layers.map(({ pk, title }) => (
              <option key={pk} value={pk}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}

/** Which of several bands; of one, there is nothing to choose. */
function BandField({
  name,
  label,
  raster,
  value,
  onChange,
}: {
  readonly name: string;
  readonly label: string;
  readonly raster: FormValue | undefined;
  readonly value: string;
  readonly onChange: Change;
}) {
  const pk = typeof raster === 'string' ? raster : '';
  const [loaded] = useLoadedFor(isRasterSummary, pk === '' ? undefined : `/styles/${pk}/statistics.json`);
  const bands = loaded.kind === 'loaded' ? loaded.value.bands : [];
  if (bands.length < 2) return null;
  return (
    <Field label={label}>
      {(wired) => (
        <select {...wired} className="input" value={value} onChange={(event) => onChange(name, event.target.value)}>
          {bands.map(({ band }) => (
            <option key={band} value={band === 1 ? '' : band}>
              {band}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

const NUMBERS: ReadonlySet<string> = new Set(
  ['short', 'int', 'long', 'float', 'double', 'decimal'].map((type) => `xsd:${type}`),
);

function ColumnField({
  input: { name, isNumber, isOptional },
  label,
  layer,
  value,
  onChange,
}: {
  readonly input: Extract<FormInput, { kind: 'column' }>;
  readonly label: string;
  readonly layer: FormValue | undefined;
  readonly value: string;
  readonly onChange: Change;
}) {
  const t = useText();
  const pk = typeof layer === 'string' ? layer : '';
  const [loaded] = useLoaded(pk === '' ? undefined : `/api/v2/layers/${pk}/`);
  const fits = ({ attribute_type: type }: Attribute): boolean =>
    isNumber ? NUMBERS.has(type) : !type.startsWith('gml:');
  const columns = loaded.kind === 'loaded' ? loaded.value.layer.attribute_set.filter(fits) : [];
  return (
    <Field label={label}>
      {(wired) => (
        <select
          {...wired}
          className="input"
          required={!isOptional}
          value={value}
          onChange={(event) => onChange(name, event.target.value)}
        >
          <option value="">{t(isOptional ? 'process.no-column' : 'sharing.choose')}</option>
          {columns.map(({ attribute, attribute_label: title }) => (
            <option key={attribute} value={attribute}>
              {title ?? attribute}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
