// Deleting an account: what it owns is handed to another one first.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { User } from '../../api/types.ts';
import { forgetLoaded, useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { InputField } from '../../ui/Field.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';

export function DeleteUserDialog({
  user,
  onClose,
  onDone,
}: {
  readonly user: User;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const t = useText();
  const { user: me } = useSession();
  const [owned, again] = useFresh(`/api/v2/resources/?filter{owner.pk}=${user.pk}&page_size=1`);
  const [heir, setHeir] = useState(me?.username ?? '');
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const remove = async (): Promise<void> => {
    // Also where nothing is seen: something may rest in the bin.
    const handed = await during(
      send('POST', `/api/v2/users/${user.pk}/hand_over/`, { body: { username: heir.trim() } }),
    );
    if (!handed.ok) return setFailure(handed.error);
    const gone = await during(send('DELETE', `/api/v2/users/${user.pk}/`));
    if (!gone.ok) return setFailure(gone.error);
    forgetLoaded();
    say(t('deleted'));
    onDone();
  };
  return (
    <Dialog
      title={t('admin.delete-user-title', { name: user.username })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="danger" icon="trash" disabled={isBusy || heir.trim() === ''} onClick={() => void remove()}>
            {t('action.delete')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{t('admin.delete-user-text')}</p>
        <WhenLoaded loaded={owned} onRetry={again}>
          {({ total }) => <p>{t.count('admin.owns', total)}</p>}
        </WhenLoaded>
        <InputField
          label={t('admin.hand-to')}
          hint={t('admin.hand-to-hint')}
          value={heir}
          maxLength={150}
          autoComplete="off"
          onChange={(event) => setHeir(event.target.value)}
        />
        <Wrong failure={failure} />
      </div>
    </Dialog>
  );
}
