// How the features of a layer are shown everywhere, for who may change the layer.

import { useState } from 'react';
import { columnLooksData, popupData } from '../../../src/geo/presentation/presentation.ts';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Layer } from '../../api/types.ts';
import { forgetLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { looksOf, popupOf } from '../../lib/presentation.ts';
import { isSameJson } from '../../lib/same-json.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { PresentationFields, type Presented } from '../presentation/PresentationFields.tsx';

export function DisplayTab({ layer, onChanged }: { readonly layer: Layer; readonly onChanged: () => void }) {
  const t = useText();
  const stored = { columns: looksOf(layer), popup: popupOf(layer) };
  const [value, setValue] = useState<Presented>(stored);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const isChanged = !isSameJson(value, stored);
  useUnsaved(isChanged);
  const save = async (): Promise<void> => {
    const body = { columns: columnLooksData(value.columns), popup: popupData(value.popup) };
    const reply = await during(send('PUT', `/api/v2/layers/${layer.pk}/presentation/`, { body }));
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    forgetLoaded();
    onChanged();
    say(t('look.saved'));
  };
  return (
    <div className="stack">
      <p className="soft">{t('look.about')}</p>
      <PresentationFields layer={layer} value={value} onChange={setValue} />
      <Wrong failure={failure} />
      <div className="row tight">
        <Button look="primary" disabled={!isChanged || isBusy} onClick={() => void save()}>
          {isBusy ? t('action.saving') : t('action.save')}
        </Button>
        <Button disabled={!isChanged || isBusy} onClick={() => setValue(stored)}>
          {t('look.discard')}
        </Button>
      </div>
    </div>
  );
}
