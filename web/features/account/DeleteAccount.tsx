// The end of one's own account, and what becomes of what one owns.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useDefaults } from '../../lib/use-defaults.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { InputField } from '../../ui/Field.tsx';
import { Wrong } from '../../ui/States.tsx';
import { ProofField, proofIn } from './ProofField.tsx';

export function DeleteAccount() {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="panel stack" aria-labelledby="delete-account">
      <h2 id="delete-account">{t('leave.title')}</h2>
      <p className="soft">{t('leave.about')}</p>
      <div>
        <Button look="danger" icon="trash" onClick={() => setOpen(true)}>
          {t('leave.title')}…
        </Button>
      </div>
      {isOpen && <Asked onClose={() => setOpen(false)} />}
    </section>
  );
}

const FORM = 'leave-form';

function Asked({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const [factor] = useFresh('/account/second-factor/');
  const days = useDefaults()?.bin_days;
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const leave = async (form: FormData): Promise<void> => {
    const heir = String(form.get('hand_over_to') ?? '').trim();
    const reply = await during(
      send('POST', '/account/delete/', { body: { ...proofIn(form), ...(heir === '' ? {} : { hand_over_to: heir }) } }),
    );
    if (!reply.ok) return setFailure(reply.error);
    // Nothing that this page knows is true any more.
    window.location.assign('/');
  };
  return (
    <Dialog
      title={t('leave.question')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="danger" type="submit" form={FORM} disabled={isBusy || factor.kind !== 'loaded'}>
            {t('leave.title')}
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void leave(new FormData(event.currentTarget));
        }}
      >
        <p>{t('leave.text')}</p>
        <Wrong failure={failure} />
        <InputField
          label={t('leave.heir')}
          hint={days === undefined || days === 0 ? t('leave.heir-hint-now') : t.count('leave.heir-hint', days)}
          name="hand_over_to"
          maxLength={150}
          autoComplete="off"
        />
        {factor.kind === 'loaded' && <ProofField proofs={factor.value} />}
      </form>
    </Dialog>
  );
}
