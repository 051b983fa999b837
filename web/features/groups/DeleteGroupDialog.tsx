// Asked before a group is deleted.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Group } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';

export function DeleteGroupDialog({
  group,
  onClose,
  onDone,
}: {
  readonly group: Group;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const remove = async (): Promise<void> => {
    const reply = await during(send('DELETE', `/api/v2/groups/${group.pk}/`));
    if (!reply.ok) return setFailure(reply.error);
    say(t('deleted'));
    onDone();
  };
  return (
    <Dialog
      title={t('admin.delete-group-title', { name: group.title })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="danger" icon="trash" disabled={isBusy} onClick={() => void remove()}>
            {t('action.delete')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{t('admin.delete-group-text')}</p>
        <Wrong failure={failure} />
      </div>
    </Dialog>
  );
}
