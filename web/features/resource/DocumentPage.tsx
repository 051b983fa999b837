// The page of a document. Pictures, PDF and plain text are shown; nothing of a document is ever run: bytes are shown as the type
// that the catalogue found by looking at them.

import { useEffect, useState } from 'react';
import type { Document } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { pathOfResource } from '../../lib/route.ts';
import { withLink } from '../../lib/share-link.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Empty, Waiting, WhenLoaded } from '../../ui/States.tsx';
import { Comments } from '../social/Comments.tsx';
import { About, FactsPanel } from './About.tsx';
import { LinksTab } from './LinksTab.tsx';
import { ResourceHead } from './ResourceHead.tsx';

export function DocumentPage({ id }: { readonly id: number }) {
  const [loaded, again] = useLoaded(`/api/v2/documents/${id}/?include[]=sharing&include[]=favorite`);
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ document: item }) => <DocumentView item={item} onChanged={again} />}
    </WhenLoaded>
  );
}

function DocumentView({ item, onChanged }: { readonly item: Document; readonly onChanged: () => void }) {
  const t = useText();
  const own = ownPath(item.href);
  return (
    <article>
      <ResourceHead item={item} onChanged={onChanged}>
        {own !== undefined && (
          <a className="button primary" href={withLink(own)} download>
            <Icon name="download" />
            {t('resource.download')}
          </a>
        )}
      </ResourceHead>
      <div className="resource-body">
        <div className="stack">
          <Preview item={item} path={own} />
          <About item={item} />
          <LinksTab item={item} />
          <Comments item={item} />
        </div>
        <aside className="side">
          <FactsPanel item={item} />
          <LinkedTo id={item.pk} />
        </aside>
      </div>
    </article>
  );
}

function ownPath(href: string | null): string | undefined {
  if (href === null) return undefined;
  const address = new URL(href, window.location.href);
  return /^\/documents\/\d+\/download\/?$/.test(address.pathname) ? address.pathname : undefined;
}

/** Types that the browser shows without running anything; SVG as a picture runs nothing either, but is left to be downloaded. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp|bmp|avif)$/;

function Preview({ item, path }: { readonly item: Document; readonly path: string | undefined }) {
  const t = useText();
  if (item.href !== null && path === undefined) {
    return (
      <Empty title={t('resource.external')} icon="external">
        <a href={/^https?:/.test(item.href) ? item.href : '#'} rel="noopener noreferrer" target="_blank">
          {item.href}
        </a>
      </Empty>
    );
  }
  const type = item.mime_type ?? '';
  if (PICTURES.test(type)) {
    return (
      <div className="document-preview">
        <img src={withLink(`/documents/${item.pk}/view`)} alt={item.title} />
      </div>
    );
  }
  if (path === undefined) return <Empty title={t('resource.not-downloadable')} icon="lock" />;
  if (type === 'application/pdf' || type === 'text/plain' || type === 'text/csv')
    return <BytesPreview path={path} type={type} title={item.title} />;
  return <Empty title={t('resource.no-preview')} icon="document" />;
}

const MAX_TEXT = 200_000;

function BytesPreview({ path, type, title }: { readonly path: string; readonly type: string; readonly title: string }) {
  const t = useText();
  const [shown, setShown] = useState<{ readonly url?: string; readonly text?: string; readonly failed?: true }>({});
  useEffect(() => {
    let url: string | undefined;
    const gone = new AbortController();
    fetch(withLink(path), { signal: gone.signal })
      .then(async (reply) => {
        if (!reply.ok) return setShown({ failed: true });
        const bytes = await reply.arrayBuffer();
        if (type === 'application/pdf') {
          url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
          setShown({ url });
        } else setShown({ text: new TextDecoder().decode(bytes.slice(0, MAX_TEXT)) });
      })
      .catch(() => undefined);
    return () => {
      gone.abort();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [path, type]);
  if (shown.failed) return <Empty title={t('resource.no-preview')} icon="document" />;
  if (shown.text !== undefined) {
    return (
      <div className="document-preview">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <pre tabIndex={0}>{shown.text}</pre>
      </div>
    );
  }
  return (
    <div className="document-preview">
      {shown.url === undefined ? <Waiting /> : <iframe src={`${shown.url}#navpanes=0`} title={title} />}
    </div>
  );
}

function LinkedTo({ id }: { readonly id: string }) {
  const t = useText();
  const [linked] = useLoaded(`/api/v2/documents/${id}/linked_resources/`);
  if (linked.kind !== 'loaded' || linked.value.resources.length === 0) return null;
  return (
    <section className="panel">
      <h2>{t('document.linked')}</h2>
      <ul className="map-layers">
        {linked.value.resources.map((item) => (
          <li key={item.pk}>
            <Link to={pathOfResource(item)}>{item.title}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
