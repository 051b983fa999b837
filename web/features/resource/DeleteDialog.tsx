// The question before an item is deleted: what uses it, and whether there is a way back. Afterwards the page offers to undo it.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Resource } from '../../api/types.ts';
import { forgetLoaded, useLoaded } from '../../api/use-loaded.ts';
import { type Text, useText } from '../../lib/i18n/text.ts';
import { navigate } from '../../lib/navigation.ts';
import { pathOfResource } from '../../lib/route.ts';
import { useDefaults } from '../../lib/use-defaults.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Wrong } from '../../ui/States.tsx';
import { complain, say } from '../../ui/toast.tsx';

export function DeleteDialog({ item, onClose }: { readonly item: Resource; readonly onClose: () => void }) {
  const t = useText();
  const days = useDefaults()?.bin_days;
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const remove = async (): Promise<void> => {
    const reply = await during(send('DELETE', `/api/v2/resources/${item.pk}/`));
    if (!reply.ok) return setFailure(reply.error);
    forgetLoaded();
    if (days === 0) say(t('deleted'));
    else say(t('bin.moved', { title: item.title }), { label: t('action.undo'), act: () => restore(t, item) });
    navigate('/');
  };
  return (
    <Dialog
      title={t('resource.delete-title')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="danger" icon="trash" disabled={isBusy} onClick={() => void remove()}>
            {t('action.delete')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          {days === undefined || days === 0
            ? t('resource.delete-text', { title: item.title })
            : t.count('bin.delete-text', days, { title: item.title })}
        </p>
        {'is_registered' in item && item.is_registered === true && <p>{t('resource.delete-registered')}</p>}
        <UsedBy item={item} />
        <Wrong failure={failure} />
      </div>
    </Dialog>
  );
}

async function restore(t: Text, item: Resource): Promise<void> {
  const reply = await send('POST', `/api/v2/bin/${Number(item.pk)}/restore/`);
  if (!reply.ok) return complain(t('bin.not-restored', { title: item.title }));
  forgetLoaded();
  say(t('bin.restored', { title: item.title }));
  navigate(pathOfResource(item));
}

function UsedBy({ item }: { readonly item: Resource }) {
  const t = useText();
  const [loaded] = useLoaded(`/api/v2/resources/${Number(item.pk)}/used_by/`);
  if (loaded.kind !== 'loaded') return null;
  const { items, total, others } = loaded.value;
  if (total + others === 0) return null;
  return (
    <div className="notice warm">
      <div className="stack tight">
        <p>{t.count('bin.used-by', total + others)}</p>
        {items.length > 0 && (
          <ul className="used-by">
            {items.map((one) => (
              <li key={one.id}>
                <Icon name={one.resource_type} />
                <a
                  href={pathOfResource({ pk: String(one.id), resource_type: one.resource_type })}
                  target="_blank"
                  rel="noreferrer"
                >
                  {one.title}
                </a>
              </li>
            ))}
          </ul>
        )}
        {total > items.length && <p>{t.count('bin.used-by-more', total - items.length)}</p>}
        {others > 0 && <p>{t.count('bin.used-by-others', others)}</p>}
      </div>
    </div>
  );
}
