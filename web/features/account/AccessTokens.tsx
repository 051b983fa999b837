// Personal access tokens: made with a name, a scope and an end, shown once, revoked after a question.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';

type Named = { readonly id: number; readonly name: string };

const DAYS = [7, 30, 90, 365] as const;

export function AccessTokens() {
  const t = useText();
  const [loaded, again] = useLoaded('/api/v2/access-tokens/');
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<{ readonly name: string; readonly token: string }>();
  const [revoked, setRevoked] = useState<Named>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();

  const make = async (form: FormData): Promise<void> => {
    const body = {
      name: String(form.get('name')),
      scope: form.get('scope') === 'write' ? ('write' as const) : ('read' as const),
      days: Number(form.get('days')),
    };
    const reply = await during(send('POST', '/api/v2/access-tokens/', { body }));
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    setMaking(false);
    setMade(reply.value);
    again();
  };
  const revoke = async ({ id }: Named): Promise<void> => {
    const reply = await during(send('DELETE', `/api/v2/access-tokens/${id}/`));
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    setRevoked(undefined);
    setMade(undefined);
    say(t('access.revoked'));
    again();
  };

  return (
    <section className="panel stack" aria-labelledby="access-tokens">
      <div className="row">
        <h2 className="grow" id="access-tokens">
          {t('access.tokens')}
        </h2>
        <Button
          look="primary"
          icon="plus"
          onClick={() => {
            setFailure(undefined);
            setMaking(true);
          }}
        >
          {t('access.new-token')}
        </Button>
      </div>
      <p className="soft">{t('access.tokens-about')}</p>
      {made !== undefined && (
        <div className="notice" role="status">
          <div className="stack tight grow">
            <strong>{t('access.made', { name: made.name })}</strong>
            <CopyField label={t('access.token')} value={made.token} />
            <CopyField
              label={t('access.example')}
              value={`curl -H "Authorization: Bearer ${made.token}" ${location.origin}/api/v2/resources/`}
            />
          </div>
        </div>
      )}
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ access_tokens: tokens }) =>
          tokens.length === 0 ? (
            <p className="soft">{t('access.no-tokens')}</p>
          ) : (
            <ul className="access-list">
              {tokens.map((one) => (
                <li key={one.id} className="row">
                  <span className="grow">
                    <strong>{one.name}</strong>
                    <span className="badge">
                      {t(one.scope === 'write' ? 'access.scope-write' : 'access.scope-read')}
                    </span>
                    <span className="soft small-text access-about">
                      {t('access.until', { time: t.time(one.expires) })}
                    </span>
                  </span>
                  <Button
                    small
                    aria-label={t('access.revoke-named', { name: one.name })}
                    onClick={() => {
                      setFailure(undefined);
                      setRevoked(one);
                    }}
                  >
                    {t('access.revoke')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {isMaking && (
        <FormDialog title={t('access.new-token')} isBusy={isBusy} onClose={() => setMaking(false)} onSave={make}>
          <Wrong failure={failure} />
          <Field label={t('access.name')} hint={t('access.name-hint')}>
            {(wired) => <input {...wired} className="input" name="name" required maxLength={100} autoComplete="off" />}
          </Field>
          <Field label={t('access.scope')}>
            {(wired) => (
              <select {...wired} className="input" name="scope" defaultValue="read">
                <option value="read">{t('access.scope-read')}</option>
                <option value="write">{t('access.scope-write')}</option>
              </select>
            )}
          </Field>
          <Field label={t('access.days')}>
            {(wired) => (
              <select {...wired} className="input" name="days" defaultValue="90">
                {DAYS.map((days) => (
                  <option key={days} value={days}>
                    {t.count('access.for-days', days)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </FormDialog>
      )}
      {revoked !== undefined && (
        <Dialog
          title={t('access.revoke-named', { name: revoked.name })}
          onClose={() => setRevoked(undefined)}
          footer={
            <>
              <Button onClick={() => setRevoked(undefined)}>{t('action.cancel')}</Button>
              <Button look="danger" disabled={isBusy} onClick={() => void revoke(revoked)}>
                {t('access.revoke')}
              </Button>
            </>
          }
        >
          <Wrong failure={failure} />
          <p>{t('access.revoke-about')}</p>
        </Dialog>
      )}
    </section>
  );
}
