// Where a link in a letter leads: a new password, a name and a password for a new account, or a confirmed mail address. The token stands
// behind `#`, and is taken out of the address as soon as it was read.

import { useEffect, useState } from 'react';
import { sendFor } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { isEither, isOneOf, isRecordOf, isText } from '../../lib/guard.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Link } from '../../ui/Link.tsx';
import { Waiting, Wrong } from '../../ui/States.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';
import './account.css';

type MailLink = {
  readonly purpose: 'password' | 'registration' | 'email';
  readonly username: string | null;
  readonly email: string;
};
const isMailLink = isRecordOf<MailLink>({
  purpose: isOneOf('password', 'registration', 'email'),
  username: isEither(isText, isOneOf(null)),
  email: isText,
});
type Used = { readonly username: string };
const isUsed = isRecordOf<Used>({ username: isText });

export function MailLinkPage() {
  const t = useText();
  const [token] = useState(() => window.location.hash.slice(1));
  const [link, setLink] = useState<MailLink>();
  const [failure, setFailure] = useState<Failure>();
  const [isUsedUp, setUsedUp] = useState(false);
  const [isBusy, during] = useBusy();
  usePageTitle(t('account.link'));
  useEffect(() => {
    window.history.replaceState(window.history.state, '', window.location.pathname);
    void sendFor(isMailLink, 'POST', '/account/link/', { body: { token } }).then((reply) => {
      if (reply.ok) setLink(reply.value);
      else setFailure(reply.error);
    });
  }, [token]);
  const use = async (form: FormData): Promise<void> => {
    const body = { token, ...Object.fromEntries([...form].map(([name, value]) => [name, String(value)])) };
    const reply = await during(sendFor(isUsed, 'POST', '/account/link/use/', { body }));
    setFailure(reply.ok ? undefined : reply.error);
    setUsedUp(reply.ok);
  };
  if (link === undefined && failure === undefined) return <Waiting />;
  return (
    <div className="login">
      <form
        className="panel stack"
        onSubmit={(event) => {
          event.preventDefault();
          void use(new FormData(event.currentTarget));
        }}
      >
        <h1>{link === undefined ? t('account.link') : t(TITLES[link.purpose])}</h1>
        <Wrong failure={failure} />
        {isUsedUp ? (
          <p className="notice" role="status">
            {t('account.link-used')}
          </p>
        ) : (
          link !== undefined && (
            <>
              <p className="soft">{link.username === null ? link.email : `${link.username} · ${link.email}`}</p>
              {link.purpose === 'registration' && (
                <Field label={t('account.username')}>
                  {(wired) => (
                    <input
                      {...wired}
                      className="input"
                      name="username"
                      autoComplete="username"
                      required
                      maxLength={150}
                    />
                  )}
                </Field>
              )}
              {link.purpose !== 'email' && <NewPasswordField />}
              <Button type="submit" look="primary" disabled={isBusy}>
                {t(link.purpose === 'email' ? 'account.confirm' : 'action.save')}
              </Button>
            </>
          )
        )}
        <Link to="/account/login">{t('account.to-sign-in')}</Link>
      </form>
    </div>
  );
}

const TITLES = {
  password: 'account.change-password',
  registration: 'account.register',
  email: 'account.confirm-email',
} as const;
