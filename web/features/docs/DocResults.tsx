// What a search in the documentation found. The text that is searched is loaded with the first search.

import { loadSections } from 'virtual:docs';
import { useEffect, useMemo, useState } from 'react';
import type { DocSection } from '../../lib/docs/doc-page.ts';
import { searchDocs } from '../../lib/docs/search-docs.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Link } from '../../ui/Link.tsx';
import { MarkedText } from '../../ui/MarkedText.tsx';
import { Empty, Failed, Waiting } from '../../ui/States.tsx';

export function DocResults({ asked }: { readonly asked: string }) {
  const t = useText();
  const [sections, setSections] = useState<readonly DocSection[] | 'failed'>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isGone = turn < 0;
    loadSections().then(
      (all) => !isGone && setSections(all),
      () => !isGone && setSections('failed'),
    );
    return () => {
      isGone = true;
    };
  }, [turn]);
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
      <ol lang="en">
        {hits.map(({ section: { page, heading }, label, excerpt }) => (
          <li key={`${page}#${heading?.id ?? ''}`}>
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
