// The map viewer: a new map, a map with the layers that the address names, or one from the catalogue.

import { useMemo } from 'react';
import { useCountView } from '../../api/use-count-view.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { extentOf, union } from '../../lib/bbox.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePlace } from '../../lib/navigation.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { parseView } from '../../lib/view-hash.ts';
import { Failed, Waiting, WhenLoaded } from '../../ui/States.tsx';
import { useMapRecord } from './use-map-record.ts';
import { Viewer } from './Viewer.tsx';
import { changeViewer, EMPTY, openMap } from './viewer-state.ts';

const MAX_LAYERS = 20;

export function ViewerPage({ id }: { readonly id: number | undefined }) {
  return id === undefined ? <NewMap /> : <SavedMap id={id} />;
}

function NewMap() {
  const t = useText();
  const { search, hash } = usePlace();
  usePageTitle(t('nav.viewer'));
  const ids = useMemo(
    () =>
      [
        ...new Set(
          new URLSearchParams(search)
            .getAll('layer')
            .flatMap((text) => text.split(','))
            .filter((one) => /^\d{1,9}$/.test(one)),
        ),
      ].slice(0, MAX_LAYERS),
    [search],
  );
  const [found, again] = useLoaded(
    ids.length === 0
      ? undefined
      : `/api/v2/layers/?${ids.map((one) => `filter{pk.in}=${one}`).join('&')}&page_size=${MAX_LAYERS}`,
  );
  const start = useMemo(() => parseView(hash), [hash]);
  if (ids.length === 0) return <Viewer record={undefined} initial={EMPTY} start={start} />;
  return (
    <WhenLoaded loaded={found} onRetry={again}>
      {({ layers }) => {
        // In the order of the address, the first on top.
        const ordered = ids.flatMap((one) => layers.find(({ pk }) => pk === one) ?? []);
        const initial = [...ordered]
          .reverse()
          .reduce((state, layer) => changeViewer(state, { kind: 'add', layer }), EMPTY);
        const extent = union(
          ordered.flatMap((layer) => extentOf(layer.ll_bbox_polygon) ?? []).length === 0
            ? []
            : ordered.flatMap((layer) => [extentOf(layer.ll_bbox_polygon)].filter((one) => one !== undefined)),
        );
        return <Viewer key={ids.join(',')} record={undefined} initial={initial} start={start ?? extent} />;
      }}
    </WhenLoaded>
  );
}

function SavedMap({ id }: { readonly id: number }) {
  const opened = useMapRecord(id);
  const { hash } = usePlace();
  const isLoaded = opened.kind === 'loaded';
  usePageTitle(isLoaded ? opened.record.title : '');
  useCountView(isLoaded ? opened.record.pk : undefined);
  switch (opened.kind) {
    case 'loading':
      return <Waiting />;
    case 'failed':
      return <Failed failure={opened.failure} onRetry={opened.again} />;
    case 'loaded': {
      const { record, config, layers, isStale } = opened;
      // What is changed here is saved as a whole: it has to begin with what is there now.
      if (isStale) return <Waiting />;
      return (
        <Viewer
          key={record.pk}
          record={record}
          initial={openMap(config, layers)}
          start={parseView(hash) ?? { center: config.center, zoom: config.zoom }}
        />
      );
    }
  }
}
