// What is known of one feature, beside the map it was clicked on.

import type { ReactNode } from 'react';
import { fillText } from '../../../src/geo/presentation/fill-template.ts';
import type { Layer } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import { popupOf, readerWords, shownColumn } from '../../lib/presentation.ts';
import type { Picked } from '../../map/MapView.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { PopupBody } from './PopupBody.tsx';
import { isNumeric } from './style/attribute-choice.ts';
import { useLayerSchema } from './table/use-layer-schema.ts';
import './feature-card.css';

export function FeatureCard({
  feature,
  layer,
  title,
  onClose,
  children,
}: {
  readonly feature: Picked;
  readonly layer: Layer;
  readonly title?: string;
  readonly onClose: () => void;
  /** Below its name. */
  readonly children?: ReactNode;
}) {
  const row = useWholeFeature(feature, layer);
  return (
    <PopupCard layer={layer} row={row} title={title} onClose={onClose}>
      {children}
    </PopupCard>
  );
}

export function PopupCard({
  layer,
  row,
  title,
  onClose,
  children,
}: {
  readonly layer: Layer;
  readonly row: Picked['properties'];
  readonly title?: string | undefined;
  /** Undefined: it stays. */
  readonly onClose?: () => void;
  readonly children?: ReactNode;
}) {
  const t = useText();
  const popup = popupOf(layer);
  const columns = layer.attribute_set.map(shownColumn);
  const name = fillText(popup.title, row, columns, readerWords(t)).trim() || (title ?? t('identify.title'));
  return (
    <section className="feature-card" aria-label={t('identify.title')}>
      <header>
        <h2>{name}</h2>
        {onClose !== undefined && <IconButton icon="close" small name={t('action.close')} onClick={onClose} />}
      </header>
      {children}
      <PopupBody layer={layer} popup={popup} row={row} nameOf={(column) => bandName(column, layer, t)} />
    </section>
  );
}

/** The same for what is known by its values alone: a service of somebody else told of it. */
export function PlainCard({
  title,
  properties,
  onClose,
  children,
}: {
  readonly title: string;
  readonly properties: Picked['properties'];
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) {
  const t = useText();
  const shown = Object.entries(properties).filter(([, value]) => value !== null && value !== '');
  return (
    <section className="feature-card" aria-label={t('identify.title')}>
      <header>
        <h2>{title}</h2>
        <IconButton icon="close" small name={t('action.close')} onClick={onClose} />
      </header>
      {children}
      {shown.length === 0 ? (
        <p className="soft">{t('identify.nothing')}</p>
      ) : (
        <dl className="facts">
          {shown.map(([name, value]) => (
            <div className="fact" key={name}>
              <dt>{name === '' ? t('external.text') : name}</dt>
              <dd className="plain-value">{String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** What is said of a place where no feature can be told of. */
export function NoteCard({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const t = useText();
  return (
    <section className="feature-card" aria-label={t('identify.title')}>
      <header>
        <h2>{title}</h2>
        <IconButton icon="close" small name={t('action.close')} onClick={onClose} />
      </header>
      {children}
    </section>
  );
}

/** The numbers of a raster are `band_1` and so on. */
function bandName(name: string, layer: Layer, t: ReturnType<typeof useText>): string {
  const band = layer.storeType === 'coverageStore' ? /^band_(\d+)$/.exec(name)?.[1] : undefined;
  return band === undefined ? name : t('raster.band-n', { n: band });
}

/** A number that names a feature is no attribute of it on the map; where the catalogue has it as one, it is shown. */
function useWholeFeature({ id, properties }: Picked, layer: Layer): Picked['properties'] {
  const isMissing = (name: string): boolean => !Object.hasOwn(properties, name);
  const mayBeKey = id !== undefined && layer.attribute_set.some((one) => isNumeric(one) && isMissing(one.attribute));
  const schema = useLayerSchema(mayBeKey ? layer.name : undefined);
  const key = schema.isKnown ? schema.key : undefined;
  if (key === undefined || !isMissing(key) || !layer.attribute_set.some(({ attribute }) => attribute === key))
    return properties;
  return { [key]: id, ...properties };
}
