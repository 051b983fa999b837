// How a layer is drawn: choosing one of its styles, or making one. The map shows it at once; it is kept when it is saved. A style with
// more in it than the editor can show stays as it is until somebody decides to replace it.

import { useMemo, useState } from 'react';
import type { Layer } from '../../../api/types.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { fromLayers, type GeometryKind, PLAIN, type SimpleStyle, toLayers } from '../../../lib/simple-style.ts';
import { styleLosses } from '../../../lib/style-losses.ts';
import { useUnsaved } from '../../../lib/unsaved.ts';
import type { StyleLayer } from '../../../map/drawn.ts';
import { legendEntries } from '../../../map/layer-source.ts';
import { keyOf, type LoadedSources } from '../../../map/use-layer-sources.ts';
import { Button } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/Field.tsx';
import { Waiting } from '../../../ui/States.tsx';
import { attributeNames, Legend } from '../../resource/Legend.tsx';
import { refOf } from '../drawn-layers.ts';
import type { ViewerLayer } from '../viewer-state.ts';
import { ColouringEditor } from './ColouringEditor.tsx';
import { RasterEditor } from './RasterEditor.tsx';
import { SaveStyle } from './SaveStyle.tsx';
import { SymbolFields } from './SymbolFields.tsx';

export function StylePanel({
  one,
  source,
  onDraft,
  onStyle,
  onOwn,
  onSaved,
  onClose,
}: {
  readonly one: ViewerLayer;
  readonly source: LoadedSources;
  readonly onDraft: (layers: readonly StyleLayer[] | undefined) => void;
  readonly onStyle: (style: string | undefined) => void;
  /** A style for this map alone; undefined: the layer's again. */
  readonly onOwn: (layers: readonly StyleLayer[] | undefined) => void;
  /** The layer as it is now, and the style that was saved. */
  readonly onSaved: (layer: Layer, style: string | undefined) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { layer } = one;
  const loaded = source.get(keyOf(refOf(one)));
  const found = loaded?.ok === true ? loaded.value : undefined;
  const current = useMemo(
    () => (found === undefined || one.own === undefined ? found : { ...found, layers: one.own }),
    [found, one.own],
  );
  const currentName = one.style ?? layer.default_style?.name ?? '';
  const [style, setStyle] = useState<SimpleStyle>();
  const [saved, setSaved] = useState<SimpleStyle>();
  const geometry: GeometryKind = current?.geometry ?? 'mixed';
  const losses = useMemo(
    () => (current === undefined ? [] : styleLosses(current.layers, geometry)),
    [current, geometry],
  );
  const start = useMemo(
    () => (current === undefined ? undefined : (fromLayers(current.layers) ?? { ...PLAIN, crowd: current.crowd })),
    [current],
  );
  const isForeign = losses.length > 0 && style === undefined;
  const shown = style ?? start;
  const edit = (next: SimpleStyle): void => {
    setStyle(next);
    onDraft(toLayers(next, geometry));
  };
  const drop = (): void => {
    setStyle(undefined);
    onDraft(undefined);
  };
  const keepForMap = (layers: readonly StyleLayer[] | undefined): void => {
    setStyle(undefined);
    onOwn(layers);
  };
  // What is changed while it is being saved is not saved.
  const isDirty = style !== undefined && style !== saved;
  useUnsaved(isDirty && layer.perms.includes('change_layer_style'));
  return (
    <div className="stack">
      <div className="row apart side-head">
        <h2>{t('style.title', { title: layer.title })}</h2>
        <Button small onClick={onClose} icon="left">
          {isDirty ? t('style.discard') : t('action.back')}
        </Button>
      </div>
      {layer.styles.length > 0 && (
        <SelectField
          label={t('style.pick')}
          value={currentName}
          onChange={(event) => {
            drop();
            onStyle(event.target.value === layer.default_style?.name ? undefined : event.target.value);
          }}
        >
          {layer.styles.map(({ pk, name, sld_title }) => (
            <option key={pk} value={name}>
              {sld_title ?? name}
            </option>
          ))}
        </SelectField>
      )}
      {current === undefined || shown === undefined ? (
        <Waiting />
      ) : current.kind === 'raster' ? (
        <RasterEditor key={currentName} layer={layer} source={current} name={currentName} onSaved={onSaved} />
      ) : isForeign ? (
        <div className="stack" role="note">
          <p className="notice">
            <span>{t('style.foreign', { parts: losses.join(', ') })}</span>
          </p>
          <Legend entries={legendEntries(current)} layer={layer.pk} title={layer.title} names={attributeNames(layer)} />
          <div>
            <Button icon="style" onClick={() => edit(shown)}>
              {t('style.simplify')}
            </Button>
          </div>
        </div>
      ) : (
        <>
          {losses.length > 0 && isDirty && (
            <p className="notice warm">
              <span className="grow">{t('style.replaces')}</span>
              <Button small onClick={drop}>
                {t('style.keep-original')}
              </Button>
            </p>
          )}
          <ColouringEditor
            one={one}
            colouring={shown.colour}
            isPoint={geometry === 'point'}
            onChange={(colour) => edit({ ...shown, colour })}
          />
          <SymbolFields one={one} geometry={geometry} style={shown} crowd={current.crowd} onChange={edit} />
          <div className="row tight">
            <Button
              icon="save"
              disabled={!isDirty}
              onClick={() => style !== undefined && keepForMap(toLayers(style, geometry))}
            >
              {t('style.for-map')}
            </Button>
            {one.own !== undefined && <Button onClick={() => keepForMap(undefined)}>{t('style.of-layer')}</Button>}
          </div>
          {one.own !== undefined && <p className="soft small-text">{t('style.is-of-map')}</p>}
          <SaveStyle
            layer={layer}
            name={currentName}
            layers={isDirty ? toLayers(style, geometry) : undefined}
            onSaved={(next, name) => {
              setSaved(style);
              onSaved(next, name);
            }}
          />
        </>
      )}
    </div>
  );
}
