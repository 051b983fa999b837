// The session ended while there is unsaved work: the page stays open, and one signs in beside it.

import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';

export function SessionLostDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  return (
    <Dialog
      title={t('session-lost.title')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.back')}</Button>
          <a className="button primary" href="/account/login?next=/account" target="_blank" rel="noopener">
            <Icon name="external" />
            {t('account.sign-in')}
          </a>
        </>
      }
    >
      <p>{t('session-lost.text')}</p>
    </Dialog>
  );
}
