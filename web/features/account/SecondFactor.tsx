// The second factor of the account: set up with an app, after proof that the owner is there; removed with a code; recovery codes, shown once.

import { useState } from 'react';
import type { Answer } from '../../api/answer.ts';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyField, copyText } from '../../ui/CopyField.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { CodeField } from './CodeField.tsx';
import { Passkeys } from './Passkeys.tsx';
import { ProofField, type Proofs, proofIn } from './ProofField.tsx';
import { QrCode } from './QrCode.tsx';

type Secret = Answer<'POST', '/account/second-factor/totp/'>;
type Asked =
  | { readonly what: 'prove'; readonly proofs: Proofs }
  | { readonly what: 'set-up'; readonly secret: Secret }
  | { readonly what: 'remove' | 'new-codes' };

const TOTP = '/account/second-factor/totp/';

export function SecondFactor() {
  const t = useText();
  const { refresh } = useSession();
  const [loaded, again] = useLoaded('/account/second-factor/');
  const [asked, setAsked] = useState<Asked>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();

  const open = (next: Asked): void => {
    setFailure(undefined);
    setCodes(undefined);
    setAsked(next);
  };
  const begin = async (form: FormData): Promise<void> => {
    const reply = await during(send('POST', TOTP, { body: proofIn(form) }));
    if (reply.ok) open({ what: 'set-up', secret: reply.value });
    else setFailure(reply.error);
  };
  const finish = async ({ what }: Asked, form: FormData): Promise<void> => {
    if (what === 'prove') return begin(form);
    const body = { code: String(form.get('code')) };
    if (what === 'remove') {
      const reply = await during(send('DELETE', TOTP, { body }));
      if (!reply.ok) return setFailure(reply.error);
      say(t('factor.removed'));
    } else {
      const reply = await during(
        what === 'set-up'
          ? send('PUT', TOTP, { body })
          : send('POST', '/account/second-factor/recovery-codes/', { body }),
      );
      if (!reply.ok) return setFailure(reply.error);
      setCodes(reply.value.recovery_codes);
    }
    setFailure(undefined);
    setAsked(undefined);
    again();
    await refresh();
  };

  return (
    <section className="panel stack" aria-labelledby="second-factor">
      <h2 id="second-factor">{t('factor.title')}</h2>
      <p className="soft">{t('factor.about')}</p>
      {asked === undefined && <Wrong failure={failure} />}
      {codes !== undefined && (
        <div className="notice" role="status">
          <div className="stack tight grow">
            <strong>{t('factor.recovery')}</strong>
            <span>{t('factor.recovery-about')}</span>
            <ul className="recovery-codes">
              {codes.map((code) => (
                <li key={code}>
                  <code>{code}</code>
                </li>
              ))}
            </ul>
            <div>
              <Button small icon="copy" onClick={() => void copyText(codes.join('\n'), t('copied'))}>
                {t('factor.copy-codes')}
              </Button>
            </div>
          </div>
        </div>
      )}
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ totp, recovery_codes: left, has_password, passkeys }) => (
          <>
            <h3>{t('factor.app')}</h3>
            {totp ? (
              <p>{t('factor.on', { n: String(left) })}</p>
            ) : (
              <div>
                <Button
                  look="primary"
                  onClick={() => open({ what: 'prove', proofs: { has_password, totp, recovery_codes: left } })}
                >
                  {t('factor.set-up')}
                </Button>
              </div>
            )}
            {totp && (
              <div className="row">
                <Button onClick={() => open({ what: 'new-codes' })}>{t('factor.new-codes')}</Button>
                <Button onClick={() => open({ what: 'remove' })}>{t('factor.remove')}</Button>
              </div>
            )}
            <Passkeys
              passkeys={passkeys}
              proofs={{ has_password, totp, recovery_codes: left }}
              onChange={(first) => {
                if (first.length > 0) setCodes(first);
                again();
                void refresh();
              }}
            />
          </>
        )}
      </WhenLoaded>
      {asked !== undefined && (
        <FormDialog
          // The field of one step is not that of the next.
          key={asked.what}
          title={t(TITLES[asked.what])}
          isBusy={isBusy}
          onClose={() => setAsked(undefined)}
          onSave={(form) => finish(asked, form)}
        >
          <Wrong failure={failure} />
          {asked.what === 'set-up' && (
            <>
              <p>{t('factor.scan')}</p>
              <QrCode text={asked.secret.address} label={t('factor.picture')} />
              <CopyField label={t('factor.secret')} value={asked.secret.secret} />
            </>
          )}
          {asked.what === 'prove' && <ProofField proofs={asked.proofs} />}
          {asked.what === 'new-codes' && <p>{t('factor.new-codes-about')}</p>}
          {asked.what === 'remove' && <p>{t('factor.remove-about')}</p>}
          {asked.what !== 'prove' && <CodeField isFirst={asked.what === 'set-up'} />}
        </FormDialog>
      )}
    </section>
  );
}

const TITLES = {
  prove: 'factor.set-up-title',
  'set-up': 'factor.set-up-title',
  remove: 'factor.remove-title',
  'new-codes': 'factor.new-codes',
} as const;
