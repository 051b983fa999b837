// The documentation: table of contents, search over all pages, and the page that the address names.

import { entries, loadPage } from 'virtual:docs';
import { useEffect, useState } from 'react';
import { CHAPTERS, type Chapter, FIRST_PAGE } from '../../lib/docs/chapters.ts';
import type { DocEntry, DocPage } from '../../lib/docs/doc-page.ts';
import { useText } from '../../lib/i18n/text.ts';
import { navigate, usePlace } from '../../lib/navigation.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Empty, Failed, Waiting } from '../../ui/States.tsx';
import { startTour } from '../tour/tour-state.ts';
import { DocBlocks } from './DocBlocks.tsx';
import { DocResults } from './DocResults.tsx';
import './docs.css';

type Loaded = { readonly name: string; readonly page: DocPage | 'failed' };

const byName: ReadonlyMap<string, DocEntry> = new Map(entries.map((entry) => [entry.name, entry]));

export function DocsPage({ name = FIRST_PAGE }: { readonly name: string | undefined }) {
  const t = useText();
  const { path, search, hash } = usePlace();
  const asked = new URLSearchParams(search).get('q')?.slice(0, 200) ?? '';
  const entry = byName.get(name);
  const [loaded, setLoaded] = useState<Loaded>();
  const [turn, setTurn] = useState(0);
  usePageTitle(entry === undefined ? t('docs.title') : `${entry.title} · ${t('docs.title')}`);
  useEffect(() => {
    if (entry === undefined || turn < 0) return;
    let isGone = false;
    loadPage(entry.name).then(
      (page) => !isGone && setLoaded({ name: entry.name, page }),
      () => !isGone && setLoaded({ name: entry.name, page: 'failed' }),
    );
    return () => {
      isGone = true;
    };
  }, [entry, turn]);
  const page = loaded?.name === name ? loaded.page : undefined;
  // The place that a link from another page names is there once the page is.
  useEffect(() => {
    if (hash !== '' && typeof page === 'object' && asked === '') document.getElementById(hash)?.scrollIntoView();
  }, [hash, page, asked]);
  const look = (q: string): void => navigate(q === '' ? path : `${path}?q=${encodeURIComponent(q)}`, { replace: true });
  return (
    <div className="docs">
      <DocsMenu name={name} asked={asked} onSearch={look} />
      {asked.trim() !== '' ? (
        <DocResults asked={asked} />
      ) : entry === undefined ? (
        <Empty title={t('lost.title')}>
          <p>{t('lost.text')}</p>
          <Link className="button" to="/docs">
            {t('docs.title')}
          </Link>
        </Empty>
      ) : page === undefined ? (
        <Waiting />
      ) : page === 'failed' ? (
        <Failed failure={{ kind: 'offline' }} onRetry={() => setTurn(turn + 1)} />
      ) : (
        // The documentation itself is written in English.
        <article className="doc" lang="en">
          <h1>{page.title}</h1>
          {name === FIRST_PAGE && (
            <p lang={t.language}>
              <Button icon="right" onClick={startTour}>
                {t('tour.start')}
              </Button>
            </p>
          )}
          <DocBlocks blocks={page.blocks} />
          <NextPage name={name} />
        </article>
      )}
    </div>
  );
}

function DocsMenu({
  name,
  asked,
  onSearch,
}: {
  readonly name: string;
  readonly asked: string;
  readonly onSearch: (q: string) => void;
}) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="docs-menu">
      <search className="docs-search">
        <Icon name="search" />
        <input
          type="search"
          className={asked === '' ? 'input' : 'input clearable'}
          aria-label={t('docs.search')}
          placeholder={t('docs.search')}
          value={asked}
          maxLength={200}
          onChange={(event) => onSearch(event.target.value)}
        />
        {asked !== '' && <IconButton icon="close" small name={t('action.clear')} onClick={() => onSearch('')} />}
      </search>
      <Button
        className="docs-toggle"
        icon={isOpen ? 'up' : 'down'}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t('docs.contents')}
      </Button>
      <nav className={isOpen ? 'docs-contents open' : 'docs-contents'} aria-label={t('docs.contents')}>
        {(Object.keys(CHAPTERS) as Chapter[]).map((chapter) => (
          <section key={chapter} aria-labelledby={`chapter-${chapter}`}>
            <h2 id={`chapter-${chapter}`}>{t(`docs.chapter.${chapter}`)}</h2>
            <ul lang="en">
              {CHAPTERS[chapter].map((page) => (
                <ContentsEntry key={page} entry={byName.get(page)} isHere={page === name && asked === ''} />
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  );
}

function ContentsEntry({ entry, isHere }: { readonly entry: DocEntry | undefined; readonly isHere: boolean }) {
  if (entry === undefined) return null;
  return (
    <li>
      <Link to={`/docs/${entry.name}`} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
        {entry.title}
      </Link>
      {isHere && entry.headings.length > 0 && (
        <ul>
          {entry.headings.map(({ id, text }) => (
            <li key={id}>
              <a href={`#${id}`}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function NextPage({ name }: { readonly name: string }) {
  const t = useText();
  const order: readonly string[] = Object.values(CHAPTERS).flat();
  const next = byName.get(order[order.indexOf(name) + 1] ?? '');
  if (next === undefined || !order.includes(name)) return null;
  return (
    <p className="doc-next">
      <span lang={t.language}>{t('docs.next')}</span> <Link to={`/docs/${next.name}`}>{next.title}</Link>
    </p>
  );
}
