// Removing the second factor of somebody who has lost app and codes.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { User } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';

export function ResetFactorDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const reset = async (): Promise<void> => {
    const reply = await during(send('DELETE', `/api/v2/users/${user.pk}/second-factor/`));
    if (!reply.ok) return setFailure(reply.error);
    say(t('admin.reset-factor-done'));
    onClose();
  };
  return (
    <Dialog
      title={t('admin.reset-factor', { name: user.username })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="danger" disabled={isBusy} onClick={() => void reset()}>
            {t('factor.remove')}
          </Button>
        </>
      }
    >
      <Wrong failure={failure} />
      <p>{t('admin.reset-factor-about')}</p>
    </Dialog>
  );
}
