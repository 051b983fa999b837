// What a person says of herself, and her password.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { useDefaults } from '../../lib/use-defaults.ts';
import { Button } from '../../ui/Button.tsx';
import { InputField } from '../../ui/Field.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { DeleteAccount } from './DeleteAccount.tsx';
import { EmailForm } from './EmailForm.tsx';
import { PasswordForm } from './PasswordForm.tsx';

export function Profile({ id }: { readonly id: number }) {
  const t = useText();
  const { refresh } = useSession();
  const [loaded, again] = useLoaded(`/api/v2/users/${id}/?include[]=email`);
  const [failure, setFailure] = useState<Failure>();
  // Where letters are sent, an address is confirmed before it counts; where none are, administrators set it.
  const isConfirmed = useDefaults()?.mail === true;
  const save = async (form: FormData): Promise<void> => {
    const body = Object.fromEntries(
      ['first_name', 'last_name', 'email'].flatMap((name) => {
        const given = form.get(name);
        return given === null ? [] : [[name, String(given).trim()]];
      }),
    );
    const reply = await send('PATCH', `/api/v2/users/${id}/`, { body });
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    say(t('saved'));
    again();
    await refresh();
  };
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ user }) => (
        <div className="account-forms">
          <form
            className="panel stack"
            onSubmit={(event) => {
              event.preventDefault();
              void save(new FormData(event.currentTarget));
            }}
          >
            <h2>{t('account.profile')}</h2>
            <Wrong failure={failure} />
            <InputField
              label={t('account.first-name')}
              name="first_name"
              maxLength={30}
              autoComplete="given-name"
              defaultValue={user.first_name}
            />
            <InputField
              label={t('account.last-name')}
              name="last_name"
              maxLength={150}
              autoComplete="family-name"
              defaultValue={user.last_name}
            />
            {!isConfirmed && (
              <InputField
                label={t('account.email')}
                hint={user.is_superuser === true ? undefined : t('account.email-by-admins')}
                type="email"
                name="email"
                disabled={user.is_superuser !== true}
                autoComplete="email"
                defaultValue={user.email ?? ''}
              />
            )}
            <div>
              <Button look="primary" type="submit">
                {t('action.save')}
              </Button>
            </div>
          </form>
          {isConfirmed && <EmailForm email={user.email ?? ''} />}
          <PasswordForm id={id} />
          <DeleteAccount />
        </div>
      )}
    </WhenLoaded>
  );
}
