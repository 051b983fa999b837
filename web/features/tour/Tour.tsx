// The tour through the pages: a card that says what one sees, leads from page to page, and points at the part it speaks of. It covers nothing
// that one needs and holds nobody: the page stays usable, and Escape or a button ends it.

import { useEffect, useId, useRef } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { navigate } from '../../lib/navigation.ts';
import { useSession } from '../../lib/session.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { endTour, goToStep } from './tour-state.ts';
import './tour.css';

const STEPS = [
  { name: 'search', path: '/', shows: '.search-box' },
  { name: 'facets', path: '/', shows: '.facets-toggle, .facets-body' },
  { name: 'viewer', path: '/viewer', shows: '.viewer-side' },
  { name: 'add', path: '/add', shows: '.drop-zone', isForAccounts: true },
  { name: 'api', path: '/console', shows: '.console-list' },
  { name: 'help', path: '/docs', shows: '.help-menu' },
] as const;

/** On the part that is spoken of. */
const MARK = 'data-tour';

export default function Tour({ step }: { readonly step: number }) {
  const t = useText();
  const title = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { user } = useSession();
  const account = user?.pk;
  const steps = STEPS.filter((one) => !('isForAccounts' in one) || account !== undefined);
  const at = Math.min(step, steps.length - 1);
  const now = steps[at] ?? STEPS[0];
  const end = (): void => endTour(account);
  const go = (to: number): void => {
    const next = steps[to];
    if (next === undefined) end();
    else {
      goToStep(to);
      navigate(next.path);
    }
  };
  // A tour that is started on another page begins on its own.
  useEffect(() => {
    if (step === 0 && window.location.pathname !== STEPS[0].path) navigate(STEPS[0].path);
  }, [step]);
  useEffect(() => {
    if (at >= 0) heading.current?.focus({ preventScroll: true });
  }, [at]);
  useEffect(() => markWhenThere(now.shows), [now]);
  return (
    <aside
      className="tour"
      aria-labelledby={title}
      onKeyDown={(event) => {
        if (event.key === 'Escape') end();
      }}
    >
      <header className="row apart">
        <span className="soft small-text">{t('tour.step', { n: at + 1, of: steps.length })}</span>
        <IconButton icon="close" small name={t('tour.end')} onClick={end} />
      </header>
      <h2 id={title} ref={heading} tabIndex={-1}>
        {t(`tour.${now.name}.title`)}
      </h2>
      <p>{t(`tour.${now.name}.text`)}</p>
      <div className="row apart">
        <Button disabled={at === 0} onClick={() => go(at - 1)}>
          {t('action.back')}
        </Button>
        <Button look="primary" onClick={() => go(at + 1)}>
          {at === steps.length - 1 ? t('action.done') : t('tour.next')}
        </Button>
      </div>
    </aside>
  );
}

/** Marks the first of these parts that is seen, as soon as the page has it. */
function markWhenThere(shows: string): () => void {
  let marked: Element | undefined;
  const look = (): void => {
    if (marked?.isConnected === true) return;
    marked = [...document.querySelectorAll(shows)].find((part) => part.getClientRects().length > 0);
    marked?.setAttribute(MARK, '');
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return () => {
    observer.disconnect();
    for (const part of document.querySelectorAll(`[${MARK}]`)) part.removeAttribute(MARK);
  };
}
