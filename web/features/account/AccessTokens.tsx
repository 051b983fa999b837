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
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { type MadeToken, NewTokenDialog } from './NewTokenDialog.tsx';

type Named = { readonly id: number; readonly name: string };

export function AccessTokens() {
  const t = useText();
  const [loaded, again] = useLoaded('/api/v2/access-tokens/');
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<MadeToken>();
  const [revoked, setRevoked] = useState<Named>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();

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
        <Button look="primary" icon="plus" onClick={() => setMaking(true)}>
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
        <NewTokenDialog
          onClose={() => setMaking(false)}
          onMade={(token) => {
            setMaking(false);
            setMade(token);
            again();
          }}
        />
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
