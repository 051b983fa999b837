// A story as it is read: sections one below the other, their pictures and maps beside or behind them. A map is drawn once its
// section comes into view.

import { useEffect, useRef, useState } from 'react';
import { useLoaded } from '../../api/use-loaded.ts';
import { extentOf } from '../../lib/bbox.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { Media, Section, Story } from '../../lib/story.ts';
import type { View } from '../../lib/view-hash.ts';
import { Markup } from '../../ui/Markup.tsx';
import { StateMap } from '../viewer/StateMap.tsx';
import { useMapRecord } from '../viewer/use-map-record.ts';
import { changeViewer, EMPTY, openMap } from '../viewer/viewer-state.ts';
import './story.css';

export function StoryView({ story, title }: { readonly story: Story; readonly title: string }) {
  const t = useText();
  const named = story.sections.filter((section) => section.title !== '');
  return (
    <div className="story">
      {named.length > 2 && (
        <nav className="story-nav" aria-label={t('story.sections')}>
          {named.map((section) => (
            <a key={section.id} href={`#${section.id}`}>
              {section.title}
            </a>
          ))}
        </nav>
      )}
      {story.sections.map((section) => (
        <SectionView key={section.id} section={section} storyTitle={title} />
      ))}
    </div>
  );
}

export function SectionView({ section, storyTitle }: { readonly section: Section; readonly storyTitle: string }) {
  const { id, title, text, layout, media } = section;
  const hasMedia = media.kind !== 'none';
  return (
    <section
      id={id}
      className={`story-section layout-${layout} ${hasMedia ? '' : 'plain'}`}
      aria-label={title === '' ? storyTitle : title}
    >
      {hasMedia && (
        <div className="story-media">
          <MediaView media={media} title={title === '' ? storyTitle : title} />
        </div>
      )}
      <div className="story-text">
        {title !== '' && <h2>{title}</h2>}
        <Markup source={text} />
      </div>
    </section>
  );
}

function MediaView({ media, title }: { readonly media: Media; readonly title: string }) {
  switch (media.kind) {
    case 'none':
      return null;
    case 'image':
      return <img src={`/documents/${media.document}/download`} alt={media.alt} loading="lazy" />;
    case 'map':
      return <WhenSeen>{() => <MapMedia id={media.map} view={media.view} title={title} />}</WhenSeen>;
    case 'layer':
      return <WhenSeen>{() => <LayerMedia id={media.layer} view={media.view} title={title} />}</WhenSeen>;
  }
}

function WhenSeen({ children }: { readonly children: () => React.ReactNode }) {
  const [isSeen, setSeen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: '200px' },
    );
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return (
    <div className="story-map" ref={box}>
      {isSeen ? children() : null}
    </div>
  );
}

function MapMedia({
  id,
  view,
  title,
}: {
  readonly id: number;
  readonly view: View | undefined;
  readonly title: string;
}) {
  const t = useText();
  const opened = useMapRecord(id);
  if (opened.kind === 'loading') return <div className="skeleton story-wait" />;
  if (opened.kind === 'failed') return <p className="notice warm">{t('story.media-gone')}</p>;
  const { config, layers } = opened;
  return (
    <StateMap
      state={openMap(config, layers)}
      start={view ?? { center: config.center, zoom: config.zoom }}
      title={title}
    />
  );
}

function LayerMedia({
  id,
  view,
  title,
}: {
  readonly id: number;
  readonly view: View | undefined;
  readonly title: string;
}) {
  const t = useText();
  const [loaded] = useLoaded(`/api/v2/layers/${id}/`);
  if (loaded.kind === 'loading') return <div className="skeleton story-wait" />;
  if (loaded.kind === 'failed') return <p className="notice warm">{t('story.media-gone')}</p>;
  const { layer } = loaded.value;
  return (
    <StateMap
      state={changeViewer(EMPTY, { kind: 'add', layer })}
      start={view ?? extentOf(layer.ll_bbox_polygon)}
      title={title}
    />
  );
}
