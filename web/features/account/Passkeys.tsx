// The passkeys of the account: made by the browser, named, removed. Both take proof that the owner is there.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { agentName } from '../../lib/agent-name.ts';
import { useText } from '../../lib/i18n/text.ts';
import { canUsePasskeys, makePasskey } from '../../lib/passkeys.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { InputField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { ProofField, type Proofs, proofIn } from './ProofField.tsx';

type Passkey = {
  readonly id: number;
  readonly name: string;
  readonly created: string;
  readonly last_used: string | null;
};

export function Passkeys({
  passkeys,
  proofs,
  onChange,
}: {
  readonly passkeys: readonly Passkey[];
  readonly proofs: Proofs;
  /** With the recovery codes that came with the first. */
  readonly onChange: (codes: readonly string[]) => void;
}) {
  const t = useText();
  const [isNaming, setNaming] = useState(false);
  const [removed, setRemoved] = useState<Passkey>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const make = async (form: FormData): Promise<void> => {
    const options = await during(send('POST', '/account/passkeys/options/', { body: proofIn(form) }));
    if (!options.ok) return setFailure(options.error);
    const response = await during(makePasskey(options.value));
    // The person has changed their mind, or the browser knows the key already.
    if (response === undefined) return setFailure({ kind: 'invalid', said: [{ text: NOT_MADE }] });
    const made = await during(
      send('POST', '/account/passkeys/', { body: { name: String(form.get('name')), response } }),
    );
    if (!made.ok) return setFailure(made.error);
    setFailure(undefined);
    setNaming(false);
    onChange(made.value.recovery_codes);
  };
  const remove = async ({ id }: Passkey, form: FormData): Promise<void> => {
    const reply = await during(send('DELETE', `/account/passkeys/${id}/`, { body: proofIn(form) }));
    if (!reply.ok) return setFailure(reply.error);
    setFailure(undefined);
    setRemoved(undefined);
    say(t('passkey.removed'));
    onChange([]);
  };
  return (
    <div className="stack tight">
      <h3>{t('passkey.title')}</h3>
      <p className="soft">{t('passkey.about')}</p>
      {passkeys.length > 0 && (
        <ul className="access-list">
          {passkeys.map((one) => (
            <li key={one.id} className="row">
              <span className="grow">
                <strong>{one.name}</strong>
                <span className="soft small-text access-about">
                  {one.last_used === null
                    ? t('passkey.made', { time: t.time(one.created) })
                    : t('passkey.used', { time: t.time(one.last_used) })}
                </span>
              </span>
              <Button
                small
                aria-label={t('passkey.remove-named', { name: one.name })}
                onClick={() => {
                  setFailure(undefined);
                  setRemoved(one);
                }}
              >
                {t('factor.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {canUsePasskeys() && (
        <div>
          <Button
            onClick={() => {
              setFailure(undefined);
              setNaming(true);
            }}
          >
            {t('passkey.add')}
          </Button>
        </div>
      )}
      {isNaming && (
        <FormDialog title={t('passkey.add')} isBusy={isBusy} onClose={() => setNaming(false)} onSave={make}>
          <Wrong failure={failure} />
          <InputField
            label={t('passkey.name')}
            hint={t('passkey.name-hint')}
            name="name"
            required
            maxLength={100}
            autoComplete="off"
            defaultValue={agentName(navigator.userAgent) ?? ''}
          />
          <ProofField proofs={proofs} />
        </FormDialog>
      )}
      {removed !== undefined && (
        <FormDialog
          title={t('passkey.remove-named', { name: removed.name })}
          isBusy={isBusy}
          onClose={() => setRemoved(undefined)}
          onSave={(form) => remove(removed, form)}
        >
          <Wrong failure={failure} />
          <ProofField proofs={proofs} />
        </FormDialog>
      )}
    </div>
  );
}

const NOT_MADE = 'This passkey could not be used. Try again.';
