// The offer of a tour, on the first page, to accounts that have neither taken nor refused it.

import { useEffect, useState } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { Button } from '../../ui/Button.tsx';
import { endTour, isTourWanted, startTour, useTourStep } from './tour-state.ts';
import './tour.css';

export function TourInvitation() {
  const t = useText();
  const { user } = useSession();
  const account = user?.pk;
  const step = useTourStep();
  const [wanting, setWanting] = useState<number>();
  useEffect(() => {
    if (account === undefined) return;
    const gone = new AbortController();
    void isTourWanted(account, gone.signal).then(
      (isWanted) => isWanted && !gone.signal.aborted && setWanting(account),
      () => undefined,
    );
    return () => gone.abort();
  }, [account]);
  if (account === undefined || wanting !== account || step !== undefined) return null;
  const refuse = (): void => {
    setWanting(undefined);
    endTour(account);
  };
  return (
    <aside className="tour-invitation" aria-label={t('tour.title')}>
      <p className="grow">
        <strong>{t('tour.invitation')}</strong> {t('tour.invitation-text')}
      </p>
      <div className="row tight">
        <Button
          look="primary"
          onClick={() => {
            setWanting(undefined);
            startTour();
          }}
        >
          {t('tour.start')}
        </Button>
        <Button onClick={refuse}>{t('tour.refuse')}</Button>
      </div>
    </aside>
  );
}
