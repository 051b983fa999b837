// Asking for a letter: with a link to choose a new password, or to register. What comes of it, only the letter says.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { InputField } from '../../ui/Field.tsx';
import { Link } from '../../ui/Link.tsx';
import { Wrong } from '../../ui/States.tsx';
import './account.css';

export function AskLinkPage({ purpose }: { readonly purpose: 'password' | 'registration' }) {
  const t = useText();
  const isPassword = purpose === 'password';
  const title = t(isPassword ? 'account.forgotten' : 'account.register');
  const [failure, setFailure] = useState<Failure>();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, during] = useBusy();
  usePageTitle(title);
  const ask = async (form: FormData): Promise<void> => {
    const name = isPassword ? 'login' : 'email';
    const path = isPassword ? '/account/password/forgotten/' : '/account/register/';
    const reply = await during(send('POST', path, { body: { [name]: String(form.get(name)) } }));
    setFailure(reply.ok ? undefined : reply.error);
    setAsked(reply.ok);
  };
  return (
    <div className="login">
      <form
        className="panel stack"
        onSubmit={(event) => {
          event.preventDefault();
          void ask(new FormData(event.currentTarget));
        }}
      >
        <h1>{title}</h1>
        {isAsked ? (
          <p className="notice" role="status">
            {t(isPassword ? 'account.letter-password' : 'account.letter-registration')}
          </p>
        ) : (
          <>
            <p className="soft">{t(isPassword ? 'account.forgotten-about' : 'account.register-about')}</p>
            <Wrong failure={failure} />
            {isPassword ? (
              <InputField
                label={t('account.login-or-mail')}
                name="login"
                autoComplete="username"
                required
                maxLength={254}
              />
            ) : (
              <InputField
                label={t('account.email')}
                name="email"
                type="email"
                autoComplete="email"
                required
                maxLength={254}
              />
            )}
            <Button type="submit" look="primary" disabled={isBusy}>
              {t('account.send-link')}
            </Button>
          </>
        )}
        <Link to="/account/login">{t('account.to-sign-in')}</Link>
      </form>
    </div>
  );
}
