// The documentation: table of contents, search over all pages, and the page that the address names.

import { entries, loadPage } from 'virtual:docs';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { CHAPTERS, type Chapter, FIRST_PAGE } from '../../lib/docs/chapters.ts';
import type { DocBlock, DocEntry, DocPage } from '../../lib/docs/doc-page.ts';
import { exampleAddress } from '../../lib/docs/example-address.ts';
import { type Language, useText } from '../../lib/i18n/text.ts';
import { navigate, usePlace } from '../../lib/navigation.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Empty, Failed, Waiting } from '../../ui/States.tsx';
import { startTour } from '../tour/tour-state.ts';
import { DocBlocks, ExampleAddress } from './DocBlocks.tsx';
import { DocResults } from './DocResults.tsx';
import './docs.css';

type Loaded = { readonly entry: DocEntry; readonly page: DocPage | 'failed' };

/** By the name of a page: in the language where it is translated, otherwise in English. */
type Entries = ReadonlyMap<string, DocEntry>;

const entriesIn = (language: Language): Entries =>
  new Map([...entries.en, ...entries[language]].map((entry) => [entry.name, entry]));

export function DocsPage({ name = FIRST_PAGE }: { readonly name: string | undefined }) {
  const t = useText();
  const { path, search, hash } = usePlace();
  const asked = new URLSearchParams(search).get('q')?.slice(0, 200) ?? '';
  const byName = useMemo(() => entriesIn(t.language), [t.language]);
  const entry = byName.get(name);
  const [loaded, setLoaded] = useState<Loaded>();
  const [turn, setTurn] = useState(0);
  usePageTitle(entry === undefined ? t('docs.title') : `${entry.title} · ${t('docs.title')}`);
  useEffect(() => {
    if (entry === undefined || turn < 0) return;
    let isGone = false;
    loadPage(entry.language, entry.name).then(
      (page) => !isGone && setLoaded({ entry, page }),
      () => !isGone && setLoaded({ entry, page: 'failed' }),
    );
    return () => {
      isGone = true;
    };
  }, [entry, turn]);
  const page = loaded?.entry === entry ? loaded?.page : undefined;
  // The place that a link from another page names is there once the page is.
  useEffect(() => {
    if (hash !== '' && typeof page === 'object' && asked === '') document.getElementById(hash)?.scrollIntoView();
  }, [hash, page, asked]);
  const look = (q: string): void => navigate(q === '' ? path : `${path}?q=${encodeURIComponent(q)}`, { replace: true });
  return (
    <div className="docs">
      <DocsMenu byName={byName} name={name} asked={asked} onSearch={look} />
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
        <article className="doc" lang={page.language}>
          <h1>{page.title}</h1>
          {name === FIRST_PAGE && (
            <p lang={t.language}>
              <Button icon="right" onClick={startTour}>
                {t('tour.start')}
              </Button>
            </p>
          )}
          {page.language !== t.language && <Note>{t('docs.page-in-english')}</Note>}
          <ExampleAddress value={exampleAddress(name, window.location.origin)}>
            <Parts page={page} />
          </ExampleAddress>
          <NextPage byName={byName} name={name} />
        </article>
      )}
    </div>
  );
}

function Parts({ page: { language, parts } }: { readonly page: DocPage }) {
  const t = useText();
  return parts.map((part) => (
    <div className="doc-part" key={firstId(part.blocks)} lang={part.language}>
      {part.language !== language && <Note>{t('docs.section-in-english')}</Note>}
      <DocBlocks blocks={part.blocks} />
    </div>
  ));
}

const firstId = (blocks: readonly DocBlock[]): string => blocks.find((block) => block.kind === 'heading')?.id ?? '';

/** That what follows is in English, in the reader's own language. */
function Note({ children }: { readonly children: ReactNode }) {
  const t = useText();
  return (
    <p className="doc-note" lang={t.language}>
      {children}
    </p>
  );
}

function DocsMenu({
  byName,
  name,
  asked,
  onSearch,
}: {
  readonly byName: Entries;
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
            <ul>
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
      <Link to={`/docs/${entry.name}`} lang={entry.language} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
        {entry.title}
      </Link>
      {isHere && entry.headings.length > 0 && (
        <ul>
          {entry.headings.map(({ id, text, language }) => (
            <li key={id} lang={language}>
              <a href={`#${id}`}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function NextPage({ byName, name }: { readonly byName: Entries; readonly name: string }) {
  const t = useText();
  const order: readonly string[] = Object.values(CHAPTERS).flat();
  const next = byName.get(order[order.indexOf(name) + 1] ?? '');
  if (next === undefined || !order.includes(name)) return null;
  return (
    <p className="doc-next">
      <span lang={t.language}>{t('docs.next')}</span>{' '}
      <Link to={`/docs/${next.name}`} lang={next.language}>
        {next.title}
      </Link>
    </p>
  );
}
