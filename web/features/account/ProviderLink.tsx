// The link of the account to a person of the provider that the portal's settings name: made at the provider, taken back here.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePlace } from '../../lib/navigation.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { ProofField, proofIn } from './ProofField.tsx';

const LINK = '/account/oidc/link/';

/** How making the link ended, as the portal says in the address. */
const OUTCOMES = ['linked', 'taken', 'other', 'cancelled', 'expired', 'failed'] as const;

/** For who comes back from the provider, at the top of the page. */
export function LinkOutcome({ name }: { readonly name: string }) {
  const t = useText();
  const outcome = new URLSearchParams(usePlace().search).get('provider');
  const told = OUTCOMES.find((one) => one === outcome);
  if (told === undefined) return null;
  return (
    <p className={told === 'linked' ? 'notice' : 'notice bad'} role="status">
      {t(`provider.outcome.${told}`, { name })}
    </p>
  );
}

export function ProviderLink({ name }: { readonly name: string }) {
  const t = useText();
  const [loaded, again] = useFresh(LINK);
  const [factor] = useFresh('/account/second-factor/');
  const [asked, setAsked] = useState<'link' | 'unlink'>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const open = (what: 'link' | 'unlink'): void => {
    setFailure(undefined);
    setAsked(what);
  };
  const link = async (form: FormData): Promise<void> => {
    const reply = await during(send('POST', LINK, { body: proofIn(form) }));
    // Left to the browser: it leads to another site.
    if (reply.ok) window.location.assign(reply.value.url);
    else setFailure(reply.error);
  };
  const unlink = async (form: FormData): Promise<void> => {
    const reply = await during(send('DELETE', LINK, { body: proofIn(form) }));
    if (!reply.ok) return setFailure(reply.error);
    setAsked(undefined);
    say(t('provider.unlinked', { name }));
    again();
  };
  return (
    <section className="panel stack" aria-labelledby="provider-link">
      <h2 id="provider-link">{t('provider.title', { name })}</h2>
      <p className="soft">{t('provider.about', { name })}</p>
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ is_linked: isLinked, since }) => (
          <div className="row apart">
            <span>
              {isLinked && since !== null ? t('provider.since', { date: t.date(since) }) : t('provider.not-linked')}
            </span>
            <Button onClick={() => open(isLinked ? 'unlink' : 'link')}>
              {t(isLinked ? 'provider.unlink' : 'provider.link', { name })}
            </Button>
          </div>
        )}
      </WhenLoaded>
      {asked !== undefined && factor.kind === 'loaded' && (
        <FormDialog
          title={t(asked === 'link' ? 'provider.link' : 'provider.unlink', { name })}
          isBusy={isBusy}
          onClose={() => setAsked(undefined)}
          onSave={asked === 'link' ? link : unlink}
        >
          <Wrong failure={failure} />
          <p>{t(asked === 'link' ? 'provider.link-about' : 'provider.unlink-about', { name })}</p>
          <ProofField proofs={factor.value} />
        </FormDialog>
      )}
    </section>
  );
}
