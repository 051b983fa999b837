// The second step of signing in: a code of the authenticator app, or a recovery code.

import { useState } from 'react';
import type { Failure } from '../../api/failure.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Wrong } from '../../ui/States.tsx';
import { CodeField } from './CodeField.tsx';

export function SecondStep({ onBack }: { readonly onBack: () => void }) {
  const t = useText();
  const { finishSignIn } = useSession();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  return (
    <form
      className="panel stack"
      onSubmit={(event) => {
        event.preventDefault();
        const code = String(new FormData(event.currentTarget).get('code'));
        void during(finishSignIn(code)).then(setFailure);
      }}
    >
      <h1>{t('factor.second-step')}</h1>
      <p className="soft">{t('factor.second-step-about')}</p>
      <Wrong failure={failure} />
      <CodeField />
      <Button type="submit" look="primary" disabled={isBusy}>
        {isBusy ? t('account.signing-in') : t('account.sign-in')}
      </Button>
      <Button look="quiet" onClick={onBack}>
        {t('account.to-sign-in')}
      </Button>
    </form>
  );
}
