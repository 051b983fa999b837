// What a search in the documentation found. The text that is searched is loaded with the first search.

import { loadSections } from 'virtual:docs';
import { useEffect, useMemo, useState } from 'react';
import type { DocSection } from '../../lib/docs/doc-page.ts';
import { exampleAddress } from '../../lib/docs/example-address.ts';
import { inLanguage, searchDocs } from '../../lib/docs/search-docs.ts';
import { type Language, useText } from '../../lib/i18n/text.ts';
import { Link } from '../../ui/Link.tsx';
import { MarkedText } from '../../ui/MarkedText.tsx';
import { Empty, Failed, Waiting } from '../../ui/States.tsx';

async function sectionsIn(language: Language): Promise<readonly DocSection[]> {
  const [english, own] = await Promise.all([loadSections('en'), language === 'en' ? [] : loadSections(language)]);
  return inLanguage(english, own).map((section) => ({
    ...section,
    text: exampleAddress(section.page, window.location.origin)(section.text),
  }));
}

export function DocResults({ asked }: { readonly asked: string }) {
  const t = useText();
  const [sections, setSections] = useState<readonly DocSection[] | 'failed'>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isGone = turn < 0;
    sectionsIn(t.language).then(
      (all) => !isGone && setSections(all),
      () => !isGone && setSections('failed'),
    );
    return () => {
      isGone = true;
    };
  }, [turn, t.language]);
  // Wherever on the page one was when one began to type.
  useEffect(() => {
    // Newer browsers answer with a promise, which is no way to clean up.
    void window.scrollTo(0, 0);
  }, []);
  const hits = useMemo(() => (Array.isArray(sections) ? searchDocs(sections, asked) : []), [sections, asked]);
  if (sections === undefined) return <Waiting />;
  if (sections === 'failed') return <Failed failure={{ kind: 'offline' }} onRetry={() => setTurn(turn + 1)} />;
  return (
    <section className="doc-results" aria-label={t('docs.results')}>
      <h1>{t('docs.results')}</h1>
      <p role="status" className="soft">
        {t.count('docs.found', hits.length)}
      </p>
      {hits.length === 0 && (
        <Empty title={t('docs.none-found')} icon="search">
          <p>{t('docs.none-found-text')}</p>
        </Empty>
      )}
      <ol>
        {hits.map(({ section: { page, heading, language }, label, excerpt }) => (
          <li key={`${page}#${heading?.id ?? ''}`} lang={language}>
            <Link className="doc-hit" to={`/docs/${page}${heading === undefined ? '' : `#${heading.id}`}`}>
              <MarkedText parts={label} />
            </Link>
            <p>
              <MarkedText parts={excerpt} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
