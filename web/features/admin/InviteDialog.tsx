// Sending somebody the link to make an account.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { InputField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const invite = async (form: FormData): Promise<void> => {
    const email = String(form.get('email')).trim();
    const reply = await during(send('POST', '/account/invite/', { body: { email } }));
    if (!reply.ok) return setFailure(reply.error);
    say(t('admin.invited', { email }));
    onClose();
  };
  return (
    <FormDialog title={t('admin.invite')} isBusy={isBusy} onClose={onClose} onSave={invite}>
      <Wrong failure={failure} />
      <p className="soft">{t('admin.invite-about')}</p>
      <InputField label={t('account.email')} type="email" name="email" autoComplete="off" required maxLength={254} />
    </FormDialog>
  );
}
