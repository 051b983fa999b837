// The page of a story.

import { useMemo } from 'react';
import type { WrittenRecord as StoryRecord } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { parseStory } from '../../lib/story.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { WhenLoaded } from '../../ui/States.tsx';
import { About, FactsPanel } from '../resource/About.tsx';
import { EditLink } from '../resource/EditLink.tsx';
import { ResourceHead } from '../resource/ResourceHead.tsx';
import { Comments } from '../social/Comments.tsx';
import { StoryView } from './StoryView.tsx';
import './story.css';

export function StoryPage({ id, embedded }: { readonly id: number; readonly embedded: boolean }) {
  const [loaded, again] = useLoaded(`/api/v2/geostories/${id}/?include[]=data&include[]=sharing&include[]=favorite`);
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ geostory }) => <StoryRecordView record={geostory} embedded={embedded} onChanged={again} />}
    </WhenLoaded>
  );
}

function StoryRecordView({
  record,
  embedded,
  onChanged,
}: {
  readonly record: StoryRecord;
  readonly embedded: boolean;
  readonly onChanged: () => void;
}) {
  const t = useText();
  usePageTitle(record.title);
  const story = useMemo(() => parseStory(record.data), [record.data]);
  const body =
    story === undefined ? (
      <p className="notice warm">{t('story.unknown')}</p>
    ) : story.sections.length === 0 ? (
      <p className="soft">{t('story.empty')}</p>
    ) : (
      <StoryView story={story} title={record.title} />
    );
  if (embedded) return <div className="story-embed">{body}</div>;
  return (
    <article className="stack">
      <ResourceHead item={record} onChanged={onChanged}>
        <EditLink item={record} to={`/stories/${record.pk}/edit`} label={t('story.edit')} />
      </ResourceHead>
      {body}
      <div className="resource-body story-foot">
        <div className="stack">
          <About item={record} />
          <Comments item={record} />
        </div>
        <aside className="side">
          <FactsPanel item={record} />
        </aside>
      </div>
    </article>
  );
}
