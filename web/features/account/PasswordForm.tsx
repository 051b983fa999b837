// Another password, for who knows the old one.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { InputField } from '../../ui/Field.tsx';
import { Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';

export function PasswordForm({ id }: { readonly id: number }) {
  const t = useText();
  const { refresh } = useSession();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const changePassword = async (form: HTMLFormElement): Promise<void> => {
    const given = new FormData(form);
    const body = { old_password: String(given.get('old_password')), password: String(given.get('password')) };
    const reply = await during(send('PUT', `/api/v2/users/${id}/password/`, { body }));
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    form.reset();
    say(t('account.password-changed'));
    await refresh();
  };
  return (
    <form
      className="panel stack"
      onSubmit={(event) => {
        event.preventDefault();
        void changePassword(event.currentTarget);
      }}
    >
      <h2>{t('account.change-password')}</h2>
      <Wrong failure={failure} />
      <InputField
        label={t('account.old-password')}
        type="password"
        name="old_password"
        required
        autoComplete="current-password"
      />
      <NewPasswordField />
      <div>
        <Button type="submit" disabled={isBusy}>
          {isBusy ? t('action.saving') : t('account.change-password')}
        </Button>
      </div>
    </form>
  );
}
