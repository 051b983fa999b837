// Another mail address: it counts when the link was used that is sent to it. Who asks proves to be the owner first.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { InputField } from '../../ui/Field.tsx';
import { Wrong } from '../../ui/States.tsx';
import { ProofField, proofIn } from './ProofField.tsx';

export function EmailForm({ email }: { readonly email: string }) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [asked, setAsked] = useState<string>();
  const [isBusy, during] = useBusy();
  const [factor] = useFresh('/account/second-factor/');
  const ask = async (form: FormData): Promise<void> => {
    const wanted = String(form.get('email')).trim();
    const reply = await during(send('POST', '/account/email/', { body: { email: wanted, ...proofIn(form) } }));
    setFailure(reply.ok ? undefined : reply.error);
    setAsked(reply.ok ? wanted : undefined);
  };
  return (
    <form
      className="panel stack"
      onSubmit={(event) => {
        event.preventDefault();
        void ask(new FormData(event.currentTarget));
      }}
    >
      <h2>{t('account.change-email')}</h2>
      <p className="soft">
        {email === '' ? t('account.first-email-about') : t('account.change-email-about', { email })}
      </p>
      <Wrong failure={failure} />
      {asked !== undefined && (
        <p className="notice" role="status">
          {t('account.letter-email', { email: asked })}
        </p>
      )}
      <InputField
        label={t('account.new-email')}
        type="email"
        name="email"
        autoComplete="email"
        required
        maxLength={254}
      />
      {factor.kind === 'loaded' && <ProofField proofs={factor.value} />}
      <div>
        <Button type="submit" disabled={isBusy || factor.kind !== 'loaded'}>
          {t('account.send-link')}
        </Button>
      </div>
    </form>
  );
}
