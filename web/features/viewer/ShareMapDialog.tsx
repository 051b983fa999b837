// Handing a map on: as a link, as a frame for other sites, and to people and groups.

import { useState } from 'react';
import type { MapRecord } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import { SHOWN_PARTS, type Shows } from '../../lib/map-config.ts';
import { type View, viewHash } from '../../lib/view-hash.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyField } from '../../ui/CopyField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { SharingDialog } from '../resource/sharing/SharingDialog.tsx';
import './filter.css';

export function ShareMapDialog({
  record,
  address,
  view,
  isChanged,
  shows,
  onShows,
  onSave,
  onClose,
}: {
  readonly record: MapRecord | undefined;
  /** Of a new map with the same layers. */
  readonly address: string;
  readonly view: View;
  readonly isChanged: boolean;
  readonly shows: Shows;
  readonly onShows: (shows: Shows) => void;
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
            {isChanged && (
              <p className="notice warm">
                <span className="grow">{t('share-map.changed')}</span>
                <Button small onClick={onSave}>
                  {t('action.save')}
                </Button>
              </p>
            )}
            <CopyField
              label={t('links.embed')}
              value={`<iframe src="${origin}/maps/${record.pk}/embed${viewHash(view)}" width="800" height="500" title="${record.title.replaceAll('"', '&quot;')}"></iframe>`}
            />
            {record.perms.includes('change_resourcebase') && (
              <fieldset className="shown-parts">
                <legend>{t('share-map.shows')}</legend>
                <div className="row">
                  {SHOWN_PARTS.map((part) => (
                    <label key={part} className="check">
                      <input
                        type="checkbox"
                        checked={shows[part]}
                        onChange={(event) => onShows({ ...shows, [part]: event.target.checked })}
                      />
                      {t(`share-map.part.${part}`)}
                    </label>
                  ))}
                </div>
              </fieldset>
            )}
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
