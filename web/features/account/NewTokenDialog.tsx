// A new personal access token: its name, its scope and its end. It is shown once, by whoever asked for it.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { InputField, SelectField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Wrong } from '../../ui/States.tsx';

export type MadeToken = { readonly name: string; readonly token: string };

const DAYS = [7, 30, 90, 365] as const;

export function NewTokenDialog({
  scope = 'read',
  onMade,
  onClose,
}: {
  /** What is proposed. */
  readonly scope?: 'read' | 'write';
  readonly onMade: (token: MadeToken) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
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
    if (reply.ok) onMade(reply.value);
  };
  return (
    <FormDialog title={t('access.new-token')} isBusy={isBusy} onClose={onClose} onSave={make}>
      <Wrong failure={failure} />
      <InputField
        label={t('access.name')}
        hint={t('access.name-hint')}
        name="name"
        required
        maxLength={100}
        autoComplete="off"
      />
      <SelectField label={t('access.scope')} name="scope" defaultValue={scope}>
        <option value="read">{t('access.scope-read')}</option>
        <option value="write">{t('access.scope-write')}</option>
      </SelectField>
      <SelectField label={t('access.days')} name="days" defaultValue="90">
        {DAYS.map((days) => (
          <option key={days} value={days}>
            {t.count('access.for-days', days)}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
