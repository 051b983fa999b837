// Where a link in a letter leads: a new password, a name and a password for a new account, or a confirmed mail address. The token stands
// behind `#`, and is taken out of the address as soon as it was read.

import { useEffect, useState } from 'react';
import type { Answer } from '../../api/answer.ts';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useText } from '../../lib/i18n/text.ts';
import { navigate } from '../../lib/navigation.ts';
import { useSession } from '../../lib/session.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { InputField } from '../../ui/Field.tsx';
import { Link } from '../../ui/Link.tsx';
import { Waiting, Wrong } from '../../ui/States.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';
import './account.css';

type MailLink = Answer<'POST', '/account/link/'>;

export function MailLinkPage() {
  const t = useText();
  const [token] = useState(() => window.location.hash.slice(1));
  const [link, setLink] = useState<MailLink>();
  const [failure, setFailure] = useState<Failure>();
  const { signIn } = useSession();
  /** What comes next; undefined: the link is to be used. */
  const [done, setDone] = useState<'confirmed' | 'waits' | 'changed'>();
  const [isBusy, during] = useBusy();
  usePageTitle(t('account.link'));
  useEffect(() => {
    window.history.replaceState(window.history.state, '', window.location.pathname);
    void send('POST', '/account/link/', { body: { token } }).then((reply) => {
      if (reply.ok) setLink(reply.value);
      else setFailure(reply.error);
    });
  }, [token]);
  const use = async (form: FormData): Promise<void> => {
    const body = { token, ...Object.fromEntries([...form].map(([name, value]) => [name, String(value)])) };
    const reply = await during(send('POST', '/account/link/use/', { body }));
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    if (link?.purpose === 'email') return setDone('confirmed');
    if (reply.value.is_active === false) return setDone('waits');
    // With the password that was just chosen; who has a second factor is asked for it on the sign-in page.
    const problem = await during(signIn(reply.value.username, String(form.get('password'))));
    if (problem === undefined) navigate('/', { replace: true });
    else if (problem === 'second-step') navigate('/account/login?step=second', { replace: true });
    else setDone('changed');
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
        {done !== undefined ? (
          <p className="notice" role="status">
            {t(DONE[done])}
          </p>
        ) : (
          link !== undefined && (
            <>
              <p className="soft">{link.username === null ? link.email : `${link.username} · ${link.email}`}</p>
              {link.purpose === 'registration' && (
                <InputField
                  label={t('account.username')}
                  name="username"
                  autoComplete="username"
                  required
                  maxLength={150}
                />
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

const DONE = {
  confirmed: 'account.email-confirmed',
  waits: 'account.waits-approval',
  changed: 'account.link-used',
} as const;

const TITLES = {
  password: 'account.change-password',
  registration: 'account.register',
  email: 'account.confirm-email',
} as const;
