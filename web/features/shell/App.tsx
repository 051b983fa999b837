// The frame of every page: language, who is signed in, header, the page of this address, messages.

import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { get, send } from '../../api/client.ts';
import { keepChosenLanguage } from '../../lib/chosen-language.ts';
import { type Language, LanguageContext, loadLanguage, makeText } from '../../lib/i18n/text.ts';
import { usePlace } from '../../lib/navigation.ts';
import { routeOf } from '../../lib/route.ts';
import { SessionContext } from '../../lib/session.ts';
import { chooseTheme } from '../../lib/theme.ts';
import { complain, Toasts } from '../../ui/toast.tsx';
import { UnsavedDialog } from '../../ui/UnsavedDialog.tsx';
import { useTourStep } from '../tour/tour-state.ts';
import { FactorBanner } from './FactorBanner.tsx';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { ModeBanner } from './ModeBanner.tsx';
import { PageOf } from './PageOf.tsx';
import { SessionLostDialog } from './SessionLostDialog.tsx';
import { SkipLink } from './SkipLink.tsx';
import { useOwnSession } from './use-own-session.ts';

const Tour = lazy(() => import('../tour/Tour.tsx'));

const BARE: ReadonlySet<string> = new Set(['layer-embed', 'map-embed', 'app-embed']);
const WHOLE_SCREEN: ReadonlySet<string> = new Set(['viewer']);

/** `first`: the language that the page begins with; its words are loaded. */
export function App({ first }: { readonly first: Language }) {
  const [language, setLanguage] = useState<Language>(first);
  const { path, n, visit } = usePlace();
  const route = useMemo(() => routeOf(path), [path]);
  const session = useOwnSession(route.page);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  // Once the page is drawn: a new one at its top, one that was left where it was left.
  useEffect(() => {
    if (visit.scroll !== undefined) window.scrollTo(0, visit.scroll);
  }, [visit]);
  const choose = async (next: Language): Promise<void> => {
    if (!(await loadLanguage(next))) return complain(makeText(language)('failure.offline.text'));
    keepChosenLanguage(next);
    setLanguage(next);
  };
  // What the account prefers, on whatever device it was chosen.
  const account = session.user?.pk;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each account; what is chosen later is told by whoever chose.
  useEffect(() => {
    if (account === undefined) return;
    const gone = new AbortController();
    get('/api/v2/preferences/', gone.signal).then(
      (reply) => {
        if (!reply.ok) return;
        const { theme, language: preferred } = reply.value.preferences;
        if (theme !== undefined) chooseTheme(theme);
        if (preferred !== undefined && preferred !== language) void choose(preferred);
      },
      () => undefined,
    );
    return () => gone.abort();
  }, [account]);
  const step = useTourStep();
  const isBare = BARE.has(route.page);
  return (
    <LanguageContext value={language}>
      <SessionContext value={session}>
        {!isBare && <SkipLink />}
        {!isBare && (
          <Header
            route={route}
            onLanguage={(next) => {
              void choose(next);
              if (account !== undefined) void send('PATCH', '/api/v2/preferences/', { body: { language: next } });
            }}
          />
        )}
        {!isBare && <ModeBanner />}
        {!isBare && <FactorBanner />}
        <main id="main" tabIndex={-1} className={isBare || WHOLE_SCREEN.has(route.page) ? 'whole' : 'page'}>
          <PageOf key={n} route={route} isFirst={n === 0} />
        </main>
        {!isBare && !WHOLE_SCREEN.has(route.page) && <Footer />}
        {step !== undefined && !isBare && (
          <Suspense fallback={null}>
            <Tour step={step} />
          </Suspense>
        )}
        <Toasts />
        <UnsavedDialog />
        {session.isLost && <SessionLostDialog onClose={session.forgetLost} />}
      </SessionContext>
    </LanguageContext>
  );
}
