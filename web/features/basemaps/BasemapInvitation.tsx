// The offer of a basemap, once, to administrators of a portal that has none but the packaged one. Nothing is asked of the net before somebody switches one on.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Basemaps } from './Basemaps.tsx';

export default function BasemapInvitation() {
  const t = useText();
  const { user } = useSession();
  const isAdmin = user?.is_superuser === true;
  const [preferences] = useLoaded(isAdmin ? '/api/v2/preferences/' : undefined);
  const [listed] = useLoaded(isAdmin ? '/api/v2/basemaps/' : undefined);
  const [isRefused, setRefused] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  if (preferences.kind !== 'loaded' || listed.kind !== 'loaded' || isRefused) return null;
  const { tour, basemaps } = preferences.value.preferences;
  // One offer at a time: the tour comes first.
  if (tour !== 'done' || basemaps === 'done' || listed.value.basemaps.length > 0) return null;
  const refuse = (): void => {
    setRefused(true);
    void send('PATCH', '/api/v2/preferences/', { body: { basemaps: 'done' } });
  };
  return (
    <aside className="tour-invitation" aria-label={t('admin.basemaps')}>
      <p className="grow">
        <strong>{t('basemaps.invitation')}</strong> {t('basemaps.invitation-text')}
      </p>
      <div className="row tight">
        <Button look="primary" onClick={() => setChoosing(true)}>
          {t('basemaps.choose')}
        </Button>
        <Button onClick={refuse}>{t('tour.refuse')}</Button>
      </div>
      {isChoosing && (
        <Dialog title={t('admin.basemaps')} wide onClose={() => setChoosing(false)}>
          <Basemaps />
        </Dialog>
      )}
    </aside>
  );
}
