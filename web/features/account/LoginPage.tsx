// Signing in, and back to where one came from.

import { useEffect, useState } from 'react';
import type { Failure } from '../../api/failure.ts';
import { useText } from '../../lib/i18n/text.ts';
import { navigate, usePlace } from '../../lib/navigation.ts';
import { canUsePasskeys } from '../../lib/passkeys.ts';
import { safeNext } from '../../lib/route.ts';
import { failureText } from '../../lib/server-message.ts';
import { useSession } from '../../lib/session.ts';
import { useDefaults } from '../../lib/use-defaults.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button } from '../../ui/Button.tsx';
import { InputField } from '../../ui/Field.tsx';
import { Link } from '../../ui/Link.tsx';
import { SecondStep } from './SecondStep.tsx';
import './account.css';

/** Why the provider could not sign somebody in, as the portal says in the address. */
const PROBLEMS = {
  cancelled: 'account.problem.cancelled',
  expired: 'account.problem.expired',
  provider: 'account.problem.provider',
  unknown: 'account.problem.unknown',
  inactive: 'account.problem.inactive',
} as const;
const PROBLEM_NAMES = ['cancelled', 'expired', 'provider', 'unknown', 'inactive'] as const;

export function LoginPage() {
  const t = useText();
  const { user, signIn, signInWithPasskey } = useSession();
  const defaults = useDefaults();
  const params = new URLSearchParams(usePlace().search);
  const next = safeNext(params.get('next'));
  const problem = PROBLEM_NAMES.find((name) => name === params.get('problem'));
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const [isSecond, setSecond] = useState(params.get('step') === 'second');
  usePageTitle(t('account.sign-in'));
  useEffect(() => {
    if (user !== null && user !== undefined) navigate(next, { replace: true });
  }, [user, next]);
  const submit = async (form: FormData): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    const outcome = await signIn(String(form.get('username')), String(form.get('password')));
    if (outcome === 'second-step') setSecond(true);
    else setFailure(outcome);
    setBusy(false);
  };
  if (isSecond)
    return (
      <div className="login">
        <SecondStep onBack={() => setSecond(false)} />
      </div>
    );
  return (
    <div className="login">
      <form
        className="panel stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(new FormData(event.currentTarget));
        }}
      >
        <h1>{t('account.sign-in')}</h1>
        {params.get('lost') === '1' && failure === undefined && (
          <p className="notice warm" role="status">
            {t('account.session-lost')}
          </p>
        )}
        {problem !== undefined && failure === undefined && (
          <p className={problem === 'cancelled' ? 'notice' : 'notice bad'} role="alert">
            {t(PROBLEMS[problem])}
          </p>
        )}
        {failure !== undefined && (
          <p className="notice bad" role="alert">
            {failure.kind === 'signed-out' || failure.kind === 'refused' ? t('account.wrong') : failureText(t, failure)}
          </p>
        )}
        <InputField label={t('account.username')} name="username" autoComplete="username" required maxLength={150} />
        <InputField
          label={t('account.password')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <Button type="submit" look="primary" disabled={isBusy}>
          {isBusy ? t('account.signing-in') : t('account.sign-in')}
        </Button>
        {canUsePasskeys() && (
          <Button
            disabled={isBusy}
            onClick={() => {
              setBusy(true);
              void signInWithPasskey().then((outcome) => {
                setFailure(outcome);
                setBusy(false);
              });
            }}
          >
            {t('passkey.sign-in')}
          </Button>
        )}
        {defaults !== undefined && defaults.provider !== null && (
          // Left to the browser: it leads to another site.
          <a className="button" href={`/account/oidc/start?next=${encodeURIComponent(next)}`}>
            {t('account.sign-in-with', { name: defaults.provider.name })}
          </a>
        )}
        {defaults?.mail === true && (
          <p className="row">
            <Link to="/account/forgotten">{t('account.forgotten')}</Link>
            {(defaults.registration === 'open' || defaults.registration === 'approval') && (
              <Link to="/account/register">{t('account.register')}</Link>
            )}
          </p>
        )}
        <p className="soft small-text">{t('account.first-admin')}</p>
      </form>
    </div>
  );
}
