// The page of an app: what it holds, what is known of it.

import type { WrittenRecord as AppRecord } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { appContent } from '../../lib/app-content.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button } from '../../ui/Button.tsx';
import { WhenLoaded } from '../../ui/States.tsx';
import { About, FactsPanel } from '../resource/About.tsx';
import { EditLink } from '../resource/EditLink.tsx';
import { LinksTab } from '../resource/LinksTab.tsx';
import { ResourceHead } from '../resource/ResourceHead.tsx';
import { Comments } from '../social/Comments.tsx';
import { AppContentView } from './AppContentView.tsx';

export function GeoappPage({ id, embedded }: { readonly id: number; readonly embedded: boolean }) {
  const [loaded, again] = useLoaded(`/api/v2/geoapps/${id}/?include[]=data&include[]=sharing&include[]=favorite`);
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ geoapp }) => (embedded ? <EmbeddedApp record={geoapp} /> : <GeoappView record={geoapp} onChanged={again} />)}
    </WhenLoaded>
  );
}

function EmbeddedApp({ record }: { readonly record: AppRecord }) {
  usePageTitle(record.title);
  return (
    <div className="app-embed">
      <h1 className="visually-hidden">{record.title}</h1>
      <AppContentView data={record.data} title={record.title} isPage />
    </div>
  );
}

function GeoappView({ record, onChanged }: { readonly record: AppRecord; readonly onChanged: () => void }) {
  const t = useText();
  const isDashboard = appContent(record.data).kind === 'dashboard';
  usePageTitle(record.title);
  if (isDashboard) {
    return (
      <article className="stack">
        <ResourceHead item={record} onChanged={onChanged}>
          <EditLink item={record} to={`/apps/${record.pk}/edit`} label={t('dash.edit')} />
          <Button icon="print" onClick={() => window.print()}>
            {t('dash.print')}
          </Button>
        </ResourceHead>
        <AppContentView data={record.data} title={record.title} isPage />
        <div className="resource-body story-foot">
          <div className="stack">
            <About item={record} />
            <LinksTab item={record} />
            <Comments item={record} />
          </div>
          <aside className="side">
            <FactsPanel item={record} />
          </aside>
        </div>
      </article>
    );
  }
  return (
    <article>
      <ResourceHead item={record} onChanged={onChanged}>
        <EditLink item={record} to={`/apps/${record.pk}/edit`} label={t('dash.edit')} />
      </ResourceHead>
      <div className="resource-body">
        <div className="stack">
          <AppContentView data={record.data} title={record.title} isPage />
          <About item={record} />
          <LinksTab item={record} />
          <Comments item={record} />
        </div>
        <aside className="side">
          <FactsPanel item={record} />
        </aside>
      </div>
    </article>
  );
}
