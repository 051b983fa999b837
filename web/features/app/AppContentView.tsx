// What an app holds, as its readers see it: a dashboard, a map, a story, or whatever it is in a form that can be read.

import { useMemo } from 'react';
import type { Layer } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { appContent } from '../../lib/app-content.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { MapConfig } from '../../lib/map-config.ts';
import { WhenLoaded } from '../../ui/States.tsx';
import { DashboardView } from '../dashboard/DashboardView.tsx';
import { StoryView } from '../story/StoryView.tsx';
import { StateMap } from '../viewer/StateMap.tsx';
import { openMap } from '../viewer/viewer-state.ts';
import { JsonView } from './JsonView.tsx';
import './app.css';

const MAX_LAYERS = 100;

export function AppContentView({
  data,
  title,
  isPage = false,
}: {
  readonly data: unknown;
  readonly title: string;
  /** The page shows it alone. */
  readonly isPage?: boolean;
}) {
  const t = useText();
  const content = useMemo(() => appContent(data), [data]);
  switch (content.kind) {
    case 'empty':
      return <p className="soft">{t('app.empty')}</p>;
    case 'dashboard':
      return <DashboardView dashboard={content.dashboard} isPage={isPage} />;
    case 'story':
      return <StoryView story={content.story} title={title} />;
    case 'map':
      return <AppMap config={content.config} title={title} />;
    case 'other':
      return <JsonView data={content.data} />;
  }
}

function AppMap({ config, title }: { readonly config: MapConfig; readonly title: string }) {
  const names = [...new Set(config.layers.flatMap((one) => ('alternate' in one ? [one.alternate] : [])))].slice(
    0,
    MAX_LAYERS,
  );
  const filter = names.map((name) => `filter{alternate.in}=${encodeURIComponent(name)}`).join('&');
  const [found, again] = useLoaded(
    names.length === 0 ? undefined : `/api/v2/layers/?${filter}&page_size=${MAX_LAYERS}`,
  );
  if (names.length === 0) return <DrawnApp config={config} layers={[]} title={title} />;
  return (
    <WhenLoaded loaded={found} onRetry={again}>
      {({ layers }) => <DrawnApp config={config} layers={layers} title={title} />}
    </WhenLoaded>
  );
}

function DrawnApp({
  config,
  layers,
  title,
}: {
  readonly config: MapConfig;
  readonly layers: readonly Layer[];
  readonly title: string;
}) {
  const t = useText();
  const state = openMap(config, layers);
  const missing = config.layers.length - state.layers.length;
  return (
    <>
      <div className="app-map">
        <StateMap
          key={JSON.stringify(config)}
          state={state}
          start={{ center: config.center, zoom: config.zoom }}
          title={title}
        />
      </div>
      {missing > 0 && <p className="notice warm">{t.count('app.layers-missing', missing)}</p>}
    </>
  );
}
