// A story as it is read: sections one below the other, their pictures, videos, maps and charts beside or behind them. A map is drawn once its section comes
// into view; one that several sections share stays, and moves from view to view as one reads.

import { useEffect, useRef, useState } from 'react';
import { useLoaded } from '../../api/use-loaded.ts';
import { extentOf } from '../../lib/bbox.ts';
import type { Widget } from '../../lib/dashboard/dashboard.ts';
import { useText } from '../../lib/i18n/text.ts';
import { withLink } from '../../lib/share-link.ts';
import { hostOf, type Media, partsOf, type Section, type Story } from '../../lib/story.ts';
import { useDefaults } from '../../lib/use-defaults.ts';
import type { View } from '../../lib/view-hash.ts';
import { Markup } from '../../ui/Markup.tsx';
import { useDashboardScope, WidgetFrame } from '../dashboard/DashboardView.tsx';
import { DashboardContext } from '../dashboard/dashboard-scope.ts';
import { StateMap } from '../viewer/StateMap.tsx';
import { useMapRecord } from '../viewer/use-map-record.ts';
import { changeViewer, EMPTY, openMap } from '../viewer/viewer-state.ts';
import './story.css';
import './tour.css';

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
      {partsOf(story).map((part) =>
        part.kind === 'tour' ? (
          <Tour key={part.sections[0]?.id} sections={part.sections} storyTitle={title} />
        ) : (
          <SectionView key={part.section.id} section={part.section} storyTitle={title} />
        ),
      )}
    </div>
  );
}

/** The section in the middle of the window says where the map is. */
function Tour({ sections, storyTitle }: { readonly sections: readonly Section[]; readonly storyTitle: string }) {
  const [at, setAt] = useState(0);
  const texts = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const steps = [...(texts.current?.children ?? [])];
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) setAt(steps.indexOf(target));
      },
      { rootMargin: '-45% 0px -45% 0px' },
    );
    for (const step of steps) watch.observe(step);
    return () => watch.disconnect();
  }, []);
  const [first] = sections;
  const { media } = sections[at] ?? {};
  if (first === undefined || media === undefined) return null;
  return (
    <div className={`story-tour ${first.layout === 'left' ? 'map-left' : ''}`}>
      <div className="story-media">
        <MediaView media={media} title={first.title === '' ? storyTitle : first.title} isFlown />
      </div>
      <div className="tour-texts" ref={texts}>
        {sections.map(({ id, title, text }, i) => (
          <section
            key={id}
            id={id}
            className={i === at ? 'tour-step here' : 'tour-step'}
            aria-label={title === '' ? storyTitle : title}
          >
            <div className="story-text">
              {title !== '' && <h2>{title}</h2>}
              <Markup source={text} />
            </div>
          </section>
        ))}
      </div>
    </div>
  );
}

export function SectionView({
  section,
  storyTitle,
  onView,
}: {
  readonly section: Section;
  readonly storyTitle: string;
  /** Where its map is, for who writes it. */
  readonly onView?: (view: View) => void;
}) {
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
          <MediaView
            media={media}
            title={title === '' ? storyTitle : title}
            {...(onView === undefined ? {} : { onView })}
          />
        </div>
      )}
      <div className="story-text">
        {title !== '' && <h2>{title}</h2>}
        <Markup source={text} />
      </div>
    </section>
  );
}

type MediaProps = {
  readonly title: string;
  readonly isFlown?: boolean;
  readonly onView?: (view: View) => void;
};

function MediaView({ media, ...props }: MediaProps & { readonly media: Media }) {
  switch (media.kind) {
    case 'none':
      return null;
    case 'image':
      return <img src={withLink(`/documents/${media.document}/view`)} alt={media.alt} loading="lazy" />;
    case 'video':
      return (
        // biome-ignore lint/a11y/useMediaCaption: captions are part of the file, if it has any; the text beside it tells what is seen.
        <video src={withLink(`/documents/${media.document}/view`)} aria-label={media.alt} controls preload="metadata" />
      );
    case 'embed':
      return <EmbeddedSite url={media.url} title={media.alt === '' ? props.title : media.alt} />;
    case 'widget':
      return <WhenSeen>{() => <WidgetMedia widget={media.widget} />}</WhenSeen>;
    case 'map':
      return <WhenSeen>{() => <MapMedia id={media.map} view={media.view} {...props} />}</WhenSeen>;
    case 'layer':
      return <WhenSeen>{() => <LayerMedia id={media.layer} view={media.view} {...props} />}</WhenSeen>;
  }
}

/** Only of sites that the operator allows; the content policy holds the browser to it. */
function EmbeddedSite({ url, title }: { readonly url: string; readonly title: string }) {
  const t = useText();
  const defaults = useDefaults();
  const host = hostOf(url) ?? '';
  if (defaults === undefined) return <div className="skeleton story-wait" />;
  if (!defaults.embed_hosts.includes(host))
    return (
      <p className="notice">
        {t('story.embed-refused', { host })}{' '}
        <a href={url} rel="noopener noreferrer" target="_blank">
          {title}
        </a>
      </p>
    );
  return (
    <iframe
      className="story-frame"
      src={url}
      title={title}
      loading="lazy"
      sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"
      referrerPolicy="strict-origin"
      allow="fullscreen"
    />
  );
}

function WidgetMedia({ widget }: { readonly widget: Widget }) {
  const scope = useDashboardScope(widget.layer === undefined ? [] : [widget.layer]);
  return (
    <DashboardContext value={scope}>
      <WidgetFrame widget={widget} className="story-widget" />
    </DashboardContext>
  );
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
  isFlown = false,
  onView,
}: MediaProps & {
  readonly id: number;
  readonly view: View | undefined;
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
      isFlown={isFlown}
      {...(onView === undefined ? {} : { onMoved: onView })}
    />
  );
}

function LayerMedia({
  id,
  view,
  title,
  isFlown = false,
  onView,
}: MediaProps & {
  readonly id: number;
  readonly view: View | undefined;
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
      isFlown={isFlown}
      {...(onView === undefined ? {} : { onMoved: onView })}
    />
  );
}
