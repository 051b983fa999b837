// The operator's message at the top of every page, while the portal is read-only or being maintained.

import { useEffect, useState } from 'react';
import { get } from '../../api/client.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Icon } from '../../ui/Icon.tsx';

const EVERY_MS = 60_000;

export type Mode = { readonly mode: 'normal' | 'read-only' | 'maintenance'; readonly message: string };

/** Told by the page that sets the mode. */
export const MODE_CHANGED = 'survest:mode';

export function ModeBanner() {
  const t = useText();
  const [now, setNow] = useState<Mode>();
  useEffect(() => {
    const gone = new AbortController();
    const ask = (): void =>
      void get('/api/v2/mode/', gone.signal).then(
        (reply) => reply.ok && setNow(reply.value),
        () => undefined,
      );
    const whenSeen = (): void => {
      if (document.visibilityState === 'visible') ask();
    };
    ask();
    const timer = setInterval(whenSeen, EVERY_MS);
    document.addEventListener('visibilitychange', whenSeen);
    document.addEventListener(MODE_CHANGED, ask);
    return () => {
      gone.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', whenSeen);
      document.removeEventListener(MODE_CHANGED, ask);
    };
  }, []);
  if (now === undefined || now.mode === 'normal') return null;
  return (
    <div className="mode-banner" role="status">
      <Icon name="warning" />
      <span>
        <strong>{t(`mode.${now.mode}`)}</strong> {now.message}
      </span>
    </div>
  );
}
