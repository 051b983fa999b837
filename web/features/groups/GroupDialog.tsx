// What a group is called, what it is about, and who knows of it.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Group } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { Result } from '../../lib/result.ts';
import { useSession } from '../../lib/session.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { InputField, SelectField, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';

const ACCESS = ['public', 'public-invite', 'private'] as const;

export function GroupDialog({
  group,
  onClose,
  onDone,
}: {
  readonly group: Group | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const t = useText();
  const { user } = useSession();
  const givesNames = group !== undefined && user?.is_superuser === true;
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const save = async (form: FormData): Promise<void> => {
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    const body = {
      title: text('title'),
      description: text('description'),
      access: text('access'),
      // The portal makes one of the title.
      ...(givesNames ? { slug: text('slug') } : {}),
    };
    const reply = await during<Result<unknown, Failure>>(
      group === undefined
        ? send('POST', '/api/v2/groups/', { body })
        : send('PATCH', `/api/v2/groups/${group.pk}/`, { body }),
    );
    if (!reply.ok) return setFailure(reply.error);
    say(t('saved'));
    onDone();
  };
  return (
    <FormDialog
      title={group === undefined ? t('admin.new-group') : t('admin.edit-group', { name: group.title })}
      onClose={onClose}
      isBusy={isBusy}
      onSave={save}
    >
      <Wrong failure={failure} />
      <InputField label={t('meta.title')} name="title" required maxLength={1000} defaultValue={group?.title ?? ''} />
      {givesNames && (
        <InputField
          label={t('admin.slug')}
          hint={t('admin.slug-hint')}
          name="slug"
          required
          maxLength={50}
          pattern="[\-a-zA-Z0-9_]+"
          defaultValue={group.slug}
        />
      )}
      <TextField label={t('meta.abstract')} name="description" defaultValue={group?.description ?? ''} />
      <SelectField label={t('admin.access')} name="access" defaultValue={group?.access ?? ACCESS[0]}>
        {ACCESS.map((name) => (
          <option key={name} value={name}>
            {t(`access.${name}`)}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
