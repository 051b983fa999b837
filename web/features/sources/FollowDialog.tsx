// A new layer made of what an address holds, which it follows from then on. The import is shown as that of a file is.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { InputField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Wrong } from '../../ui/States.tsx';
import { NO_SOURCE, SourceFields, sourceBody } from './SourceFields.tsx';

const MAX_TITLE = 255;

export function FollowDialog({
  onClose,
  onBegun,
}: {
  readonly onClose: () => void;
  readonly onBegun: (upload: number) => void;
}) {
  const t = useText();
  const [source, setSource] = useState(NO_SOURCE);
  const [title, setTitle] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  return (
    <FormDialog
      title={t('source.new')}
      isBusy={isBusy}
      onClose={onClose}
      onSave={async () => {
        const body = { ...sourceBody(source), ...(title.trim() === '' ? {} : { title: title.trim() }) };
        const reply = await during(send('POST', '/api/v2/layers/follow/', { body }));
        if (reply.ok) onBegun(reply.value.upload);
        else setFailure(reply.error);
      }}
    >
      <Wrong failure={failure} />
      <p className="soft">{t('source.lead')}</p>
      <SourceFields source={source} columns={undefined} onChange={setSource} />
      <InputField
        label={t('meta.title')}
        maxLength={MAX_TITLE}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
    </FormDialog>
  );
}
