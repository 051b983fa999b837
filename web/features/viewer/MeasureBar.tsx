// Measuring on the map: what was clicked so far, and how long or large it is.

import type { FeatureCollection } from 'geojson';
import { useText } from '../../lib/i18n/text.ts';
import { areaOf, lengthOf, type Point, readableArea, readableLength } from '../../lib/measure.ts';
import { Button, IconButton } from '../../ui/Button.tsx';

export type MeasureKind = 'length' | 'area';

export function MeasureBar({
  kind,
  points,
  onClear,
  onClose,
}: {
  readonly kind: MeasureKind;
  readonly points: readonly Point[];
  readonly onClear: () => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { value, unit } = kind === 'length' ? readableLength(lengthOf(points)) : readableArea(areaOf(points));
  return (
    <section className="measure-bar" aria-label={t(`measure.${kind}`)}>
      <output>
        {points.length < (kind === 'length' ? 2 : 3)
          ? t('measure.hint')
          : `${t.number(value, { maximumSignificantDigits: 4 })} ${unit}`}
      </output>
      <Button small disabled={points.length === 0} onClick={onClear}>
        {t('action.clear')}
      </Button>
      <IconButton small icon="close" name={t('action.close')} onClick={onClose} />
    </section>
  );
}

export function measureShapes(points: readonly Point[], kind: MeasureKind | undefined): FeatureCollection {
  const line = points.map(([lng, lat]) => [lng, lat]);
  const feature = (
    geometry: FeatureCollection['features'][number]['geometry'],
  ): FeatureCollection['features'][number] => ({ type: 'Feature', properties: {}, geometry });
  return {
    type: 'FeatureCollection',
    features: [
      ...(kind === 'area' && points.length > 2
        ? [feature({ type: 'Polygon', coordinates: [[...line, line[0] ?? [0, 0]]] })]
        : []),
      ...(points.length > 1 ? [feature({ type: 'LineString', coordinates: line })] : []),
      ...line.map((at) => feature({ type: 'Point', coordinates: at })),
    ],
  };
}
