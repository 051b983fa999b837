// Handing a map on: as a link, as a frame for other sites, and to people and groups.

import { useState } from 'react';
import type { MapRecord } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import { type View, viewHash } from '../../lib/view-hash.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { SharingDialog } from '../resource/sharing/SharingDialog.tsx';

export function ShareMapDialog({
  record,
  address,
  view,
  isChanged,
  onSave,
  onClose,
}: {
  readonly record: MapRecord | undefined;
  /** Of a new map with the same layers. */
  readonly address: string;
  readonly view: View;
  readonly isChanged: boolean;
  readonly onSave: () => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const [withPeople, setWithPeople] = useState(false);
  const { origin } = window.location;
  if (withPeople && record !== undefined)
    return <SharingDialog item={record} onClose={onClose} onSaved={() => undefined} />;
  const link = record === undefined ? `${origin}${address}` : `${origin}/viewer/${record.pk}`;
  return (
    <Dialog
      title={t('share-map.title')}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('action.done')}</Button>}
    >
      <div className="stack">
        <CopyField label={t('share-map.link')} value={link + viewHash(view)} />
        {record === undefined ? (
          <p className="notice">
            <span className="grow">{t('share-map.save-first')}</span>
            <Button small onClick={onSave}>
              {t('action.save')}
            </Button>
          </p>
        ) : (
          <>
            {isChanged && <p className="notice warm">{t('share-map.changed')}</p>}
            <CopyField
              label={t('links.embed')}
              value={`<iframe src="${origin}/maps/${record.pk}/embed${viewHash(view)}" width="800" height="500" title="${record.title.replaceAll('"', '&quot;')}"></iframe>`}
            />
            {record.perms.includes('change_resourcebase_permissions') && (
              <div>
                <Button icon="group" onClick={() => setWithPeople(true)}>
                  {t('share-map.people')}
                </Button>
              </div>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}
