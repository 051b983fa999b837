// How a layer is drawn: choosing one of its styles, or making one. The map shows it at once; it is kept when it is saved.

import { useEffect, useMemo, useState } from 'react';
import type { Failure } from '../../api/failure.ts';
import { restName, restRows } from '../../api/rest.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import {
  type Colouring,
  equalBreaks,
  fromLayers,
  type GeometryKind,
  PALETTE,
  PLAIN,
  quantileBreaks,
  RAMPS,
  rampColours,
  type SimpleStyle,
  toLayers,
} from '../../lib/simple-style.ts';
import type { StyleLayer } from '../../map/drawn.ts';
import { saveStyle } from '../../map/layer-source.ts';
import { keyOf, type LoadedSources } from '../../map/use-layer-sources.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Waiting, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { refOf } from './drawn-layers.ts';
import type { ViewerLayer } from './viewer-state.ts';

const NUMERIC = /^xsd:(?:int|integer|long|short|byte|double|float|decimal)$/;
const SAMPLE = 5000;
const MAX_CATEGORIES = 30;

export function StylePanel({
  one,
  source,
  onDraft,
  onStyle,
  onSaved,
  onClose,
}: {
  readonly one: ViewerLayer;
  readonly source: LoadedSources;
  readonly onDraft: (layers: readonly StyleLayer[]) => void;
  readonly onStyle: (style: string | undefined) => void;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { layer } = one;
  const loaded = source.get(keyOf(refOf(one)));
  const may = layer.perms.includes('change_layer_style');
  const current = loaded?.ok === true ? loaded.value : undefined;
  const currentName = one.style ?? layer.default_style?.name ?? '';
  const [style, setStyle] = useState<SimpleStyle>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const start = useMemo(() => (current === undefined ? undefined : (fromLayers(current.layers) ?? PLAIN)), [current]);
  const shown = style ?? start;
  const geometry: GeometryKind = current?.geometry ?? 'mixed';
  const edit = (next: SimpleStyle): void => {
    setStyle(next);
    onDraft(toLayers(next, geometry));
  };
  const save = async (name: string): Promise<void> => {
    if (shown === undefined) return;
    setBusy(true);
    const reply = await saveStyle(layer.pk, name, toLayers(shown, geometry));
    setBusy(false);
    if (!reply.ok) return setFailure(reply.error);
    say(t('style.saved'));
    onSaved();
  };
  return (
    <div className="stack">
      <div className="row apart side-head">
        <h2>{t('style.title', { title: layer.title })}</h2>
        <Button small onClick={onClose} icon="left">
          {t('action.back')}
        </Button>
      </div>
      {layer.styles.length > 0 && (
        <Field label={t('style.pick')}>
          {(wired) => (
            <select
              {...wired}
              className="input"
              value={currentName}
              onChange={(event) => {
                setStyle(undefined);
                onStyle(event.target.value === layer.default_style?.name ? undefined : event.target.value);
              }}
            >
              {layer.styles.map(({ pk, name, sld_title }) => (
                <option key={pk} value={name}>
                  {sld_title ?? name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {shown === undefined ? (
        <Waiting />
      ) : (
        <>
          <ColouringEditor one={one} colouring={shown.colour} onChange={(colour) => edit({ ...shown, colour })} />
          <div className="style-row">
            {geometry !== 'line' && (
              <Field label={t('style.outline')}>
                {(wired) => (
                  <input
                    {...wired}
                    type="color"
                    className="input"
                    value={hex(shown.outline)}
                    onChange={(event) => edit({ ...shown, outline: event.target.value })}
                  />
                )}
              </Field>
            )}
            <Field label={t('style.width')}>
              {(wired) => (
                <input
                  {...wired}
                  type="number"
                  className="input small"
                  min="0"
                  max="20"
                  step="0.5"
                  value={shown.width}
                  onChange={(event) => edit({ ...shown, width: bounded(event.target.value, 0, 20) })}
                />
              )}
            </Field>
            {(geometry === 'point' || geometry === 'mixed') && (
              <Field label={t('style.radius')}>
                {(wired) => (
                  <input
                    {...wired}
                    type="number"
                    className="input small"
                    min="1"
                    max="40"
                    step="1"
                    value={shown.radius}
                    onChange={(event) => edit({ ...shown, radius: bounded(event.target.value, 1, 40) })}
                  />
                )}
              </Field>
            )}
          </div>
          {geometry !== 'line' && (
            <Field label={`${t('style.opacity')} (${Math.round(shown.opacity * 100)} %)`}>
              {(wired) => (
                <input
                  {...wired}
                  type="range"
                  min="0"
                  max="100"
                  value={Math.round(shown.opacity * 100)}
                  onChange={(event) => edit({ ...shown, opacity: Number(event.target.value) / 100 })}
                />
              )}
            </Field>
          )}
          <Field label={t('style.label')}>
            {(wired) => (
              <select
                {...wired}
                className="input"
                value={shown.label}
                onChange={(event) => edit({ ...shown, label: event.target.value })}
              >
                <option value="">{t('meta.none')}</option>
                {attributesOf(one).map(({ attribute, attribute_label }) => (
                  <option key={attribute} value={attribute}>
                    {attribute_label ?? attribute}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Wrong failure={failure} />
          {may ? (
            <div className="row">
              <Button
                look="primary"
                icon="save"
                disabled={isBusy || style === undefined}
                onClick={() => void save(currentName === '' ? 'default' : currentName)}
              >
                {isBusy ? t('action.saving') : t('style.save')}
              </Button>
            </div>
          ) : (
            <p className="soft small-text">{t('style.not-yours')}</p>
          )}
        </>
      )}
    </div>
  );
}

const attributesOf = ({ layer }: ViewerLayer) =>
  layer.attribute_set.filter(({ attribute_type }) => !attribute_type.startsWith('gml:'));

function hex(colour: string): string {
  if (/^#[0-9a-f]{6}$/i.test(colour)) return colour;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(colour);
  return short === null
    ? '#888888'
    : `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`;
}

function bounded(text: string, min: number, max: number): number {
  const n = Number(text);
  return Number.isFinite(n) ? Math.min(max, Math.max(min, n)) : min;
}

function ColouringEditor({
  one,
  colouring,
  onChange,
}: {
  readonly one: ViewerLayer;
  readonly colouring: Colouring;
  readonly onChange: (next: Colouring) => void;
}) {
  const t = useText();
  const attributes = attributesOf(one);
  const numeric = attributes.filter(({ attribute_type }) => NUMERIC.test(attribute_type));
  const kinds = [
    'single',
    ...(attributes.length > 0 ? ['categories' as const] : []),
    ...(numeric.length > 0 ? ['graduated' as const] : []),
  ] as const;
  const first = (kind: string): string =>
    (kind === 'graduated' ? numeric[0]?.attribute : attributes[0]?.attribute) ?? '';
  return (
    <fieldset className="style-colours">
      <legend>{t('style.colour')}</legend>
      <div className="row tight">
        {kinds.map((kind) => (
          <label className="check" key={kind}>
            <input
              type="radio"
              name="colouring"
              checked={colouring.kind === kind}
              onChange={() =>
                onChange(
                  kind === 'single'
                    ? { kind, colour: PLAIN.colour.kind === 'single' ? PLAIN.colour.colour : '#0b877d' }
                    : kind === 'categories'
                      ? { kind, attribute: first(kind), entries: [], other: '#b0b0b0' }
                      : { kind, attribute: first(kind), breaks: [], colours: [] },
                )
              }
            />
            {t(`style.${kind}`)}
          </label>
        ))}
      </div>
      {colouring.kind === 'single' && (
        <input
          type="color"
          className="input"
          aria-label={t('style.colour')}
          value={hex(colouring.colour)}
          onChange={(event) => onChange({ kind: 'single', colour: event.target.value })}
        />
      )}
      {colouring.kind === 'categories' && <Categories one={one} colouring={colouring} onChange={onChange} />}
      {colouring.kind === 'graduated' && <Graduated one={one} colouring={colouring} onChange={onChange} />}
    </fieldset>
  );
}

type Of<Kind extends Colouring['kind']> = {
  readonly one: ViewerLayer;
  readonly colouring: Extract<Colouring, { kind: Kind }>;
  readonly onChange: (next: Colouring) => void;
};

function useValues(one: ViewerLayer, attribute: string): readonly unknown[] | undefined {
  const { user } = useSession();
  const [values, setValues] = useState<{ readonly of: string; readonly values: readonly unknown[] }>();
  const table = one.layer.name;
  useEffect(() => {
    if (user === undefined || attribute === '') return;
    const gone = new AbortController();
    restRows(
      `${encodeURIComponent(table)}?select=value:${encodeURIComponent(restName(attribute))}&limit=${SAMPLE}`,
      user !== null,
      gone.signal,
    ).then(
      (reply) => setValues({ of: attribute, values: reply.ok ? reply.value.rows.map((row) => row['value']) : [] }),
      () => undefined,
    );
    return () => gone.abort();
  }, [table, attribute, user]);
  return values?.of === attribute ? values.values : undefined;
}

function Categories({ one, colouring, onChange }: Of<'categories'>) {
  const t = useText();
  const { attribute, entries, other } = colouring;
  const values = useValues(one, attribute);
  // biome-ignore lint/correctness/useExhaustiveDependencies: made once the values are known, and not again while they are edited.
  useEffect(() => {
    if (values === undefined || entries.length > 0) return;
    const counts = new Map<string, number>();
    for (const value of values)
      if (value !== null && value !== '') counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
    const found = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MAX_CATEGORIES);
    if (found.length > 0)
      onChange({
        ...colouring,
        entries: found.map(([value], i) => ({ value, colour: PALETTE[i % PALETTE.length] ?? '#888888' })),
      });
  }, [values, entries.length]);
  return (
    <div className="stack tight">
      <AttributeSelect
        one={one}
        value={attribute}
        numeric={false}
        onChange={(next) => onChange({ ...colouring, attribute: next, entries: [] })}
      />
      <ul className="category-list">
        {entries.map(({ value, colour }, i) => (
          <li key={String(value)}>
            <input
              type="color"
              className="input"
              aria-label={t('style.colour-of', { name: String(value) })}
              value={hex(colour)}
              onChange={(event) =>
                onChange({
                  ...colouring,
                  entries: entries.map((entry, j) => (i === j ? { ...entry, colour: event.target.value } : entry)),
                })
              }
            />
            <span>{String(value)}</span>
          </li>
        ))}
        <li>
          <input
            type="color"
            className="input"
            aria-label={t('style.colour-of', { name: t('attributes.other') })}
            value={hex(other)}
            onChange={(event) => onChange({ ...colouring, other: event.target.value })}
          />
          <span className="soft">{t('attributes.other')}</span>
        </li>
      </ul>
    </div>
  );
}

function Graduated({ one, colouring, onChange }: Of<'graduated'>) {
  const t = useText();
  const { attribute, breaks, colours } = colouring;
  const values = useValues(one, attribute);
  const [classes, setClasses] = useState(colours.length > 1 ? colours.length : 5);
  const [method, setMethod] = useState<'quantile' | 'equal'>('quantile');
  const [ramp, setRamp] = useState('green');
  const [isTouched, setTouched] = useState(colours.length === 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: made anew when one of these changes, not when the result does.
  useEffect(() => {
    if (values === undefined || !isTouched) return;
    const numbers = values.filter((value) => typeof value === 'number');
    const limits =
      method === 'quantile'
        ? quantileBreaks(numbers, classes)
        : equalBreaks(Math.min(...numbers), Math.max(...numbers), classes);
    onChange({
      ...colouring,
      breaks: limits,
      colours: rampColours(RAMPS[ramp] ?? ['#ffffff', '#888888', '#000000'], limits.length + 1),
    });
  }, [values, classes, method, ramp, isTouched]);
  const touch =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      setTouched(true);
      set(value);
    };
  return (
    <div className="stack tight">
      <AttributeSelect
        one={one}
        value={attribute}
        numeric
        onChange={(next) => {
          setTouched(true);
          onChange({ ...colouring, attribute: next, breaks: [], colours: [] });
        }}
      />
      <div className="style-row">
        <Field label={t('style.classes')}>
          {(wired) => (
            <input
              {...wired}
              type="number"
              className="input small"
              min="2"
              max="9"
              value={classes}
              onChange={(event) => touch(setClasses)(bounded(event.target.value, 2, 9))}
            />
          )}
        </Field>
        <Field label={t('style.method')}>
          {(wired) => (
            <select
              {...wired}
              className="input small"
              value={method}
              onChange={(event) => touch(setMethod)(event.target.value === 'equal' ? 'equal' : 'quantile')}
            >
              <option value="quantile">{t('style.quantile')}</option>
              <option value="equal">{t('style.equal')}</option>
            </select>
          )}
        </Field>
        <Field label={t('style.ramp')}>
          {(wired) => (
            <select
              {...wired}
              className="input small"
              value={ramp}
              onChange={(event) => touch(setRamp)(event.target.value)}
            >
              {Object.keys(RAMPS).map((name) => (
                <option key={name} value={name}>
                  {t.entry('ramp', name)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <ul className="category-list">
        {colours.map((colour, i) => (
          <li key={breaks[i - 1] ?? 'first'}>
            <input
              type="color"
              className="input"
              aria-label={t('style.colour-of', { name: `${i + 1}` })}
              value={hex(colour)}
              onChange={(event) =>
                onChange({ ...colouring, colours: colours.map((now, j) => (i === j ? event.target.value : now)) })
              }
            />
            <span className="number">
              {i === 0
                ? `< ${t.number(breaks[0] ?? 0)}`
                : i === colours.length - 1
                  ? `≥ ${t.number(breaks[i - 1] ?? 0)}`
                  : `${t.number(breaks[i - 1] ?? 0)} – ${t.number(breaks[i] ?? 0)}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function AttributeSelect({
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
  const attributes = attributesOf(one).filter(({ attribute_type }) => !numeric || NUMERIC.test(attribute_type));
  return (
    <Field label={t('style.attribute')}>
      {(wired) => (
        <select {...wired} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
          {attributes.map(({ attribute, attribute_label }) => (
            <option key={attribute} value={attribute}>
              {attribute_label ?? attribute}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
