// What was found, on a map: the extents of the items, beside their names.

import { useMemo, useState } from 'react';
import type { Resource } from '../../api/types.ts';
import { extentOf, ringOf, union } from '../../lib/bbox.ts';
import type { Extent } from '../../lib/catalogue-state.ts';
import { useText } from '../../lib/i18n/text.ts';
import { navigate } from '../../lib/navigation.ts';
import { pathOfResource } from '../../lib/route.ts';
import type { Drawn } from '../../map/drawn.ts';
import { LazyMap } from '../../map/LazyMap.tsx';
import type { Moved } from '../../map/MapView.tsx';
import { Button } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';
import { TypeMark } from './ResourceCard.tsx';

export function ResultMap({
  items,
  extent,
  onExtent,
}: {
  readonly items: readonly Resource[];
  readonly extent: Extent | undefined;
  readonly onExtent: (extent: Extent) => void;
}) {
  const t = useText();
  const [hot, setHot] = useState<string>();
  const [view, setView] = useState<Moved>();
  const places = useMemo(
    () =>
      items.flatMap((item) => {
        const box = extentOf(item.ll_bbox_polygon);
        return box === undefined ? [] : [{ item, box }];
      }),
    [items],
  );
  const drawn = useMemo<readonly Drawn[]>(
    () => [
      {
        kind: 'shapes',
        id: 'extents',
        look: 'extents',
        data: {
          type: 'FeatureCollection',
          features: places.map(({ item, box }) => ({
            type: 'Feature',
            properties: { pk: item.pk, type: item.resource_type, hot: item.pk === hot },
            geometry: { type: 'Polygon', coordinates: [ringOf(box)] },
          })),
        },
      },
    ],
    [places, hot],
  );
  const open = (pk: unknown): void => {
    const found = items.find((item) => item.pk === String(pk));
    if (found !== undefined) navigate(pathOfResource(found));
  };
  return (
    <div className="result-map">
      <div className="result-map-view">
        <LazyMap
          label={t('catalogue.map')}
          drawn={drawn}
          start={extent ?? union(places.map(({ box }) => box))}
          onMoved={setView}
          onPick={(_at, features) => features[0] !== undefined && setHot(String(features[0].properties['pk']))}
        />
        <Button
          className="result-map-search"
          small
          disabled={view === undefined}
          onClick={() => view !== undefined && onExtent(view.extent)}
        >
          {t('catalogue.search-here')}
        </Button>
      </div>
      <ul className="result-map-list">
        {items.map((item) => (
          <li
            key={item.pk}
            className={item.pk === hot ? 'hot' : ''}
            onPointerEnter={() => setHot(item.pk)}
            onDoubleClick={() => open(item.pk)}
          >
            <TypeMark type={item.resource_type} subtype={item.subtype} />
            <Link to={pathOfResource(item)} onFocus={() => setHot(item.pk)}>
              {item.title}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
