// Keeping a map in the catalogue, through the viewer store.

import { useState } from 'react';
import { get, send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { ifMatch, isNewer } from '../../api/if-match.ts';
import type { Layer, MapRecord } from '../../api/types.ts';
import { forgetLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { newPermissions } from '../../lib/levels.ts';
import { type MapConfig, mapConfigData } from '../../lib/map-config.ts';
import { failureText } from '../../lib/server-message.ts';
import { useSession } from '../../lib/session.ts';
import { InputField, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Wrong } from '../../ui/States.tsx';
import { complain, say } from '../../ui/toast.tsx';
import { ConflictDialog } from '../editor/ConflictDialog.tsx';
import { LackingItems } from '../resource/sharing/LackingItems.tsx';
import { SharingChoice, useNewSharing } from '../resource/sharing/SharingChoice.tsx';
import { useAudience } from '../resource/sharing/use-audience.ts';
import { pictureOf } from './print-map.ts';

export function SaveDialog({
  record,
  layers,
  config,
  picture,
  onSaved,
  onClose,
}: {
  readonly record: MapRecord | undefined;
  /** Of the map, as they are shown. */
  readonly layers: readonly Layer[];
  readonly config: MapConfig;
  readonly picture: () => Promise<Blob | null>;
  readonly onSaved: (record: MapRecord) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { user } = useSession();
  const isOwn = record !== undefined && record.owner?.username === user?.username;
  const [asNew, setAsNew] = useState(!isOwn);
  const sharing = useNewSharing();
  const share = useAudience({
    permissions: newPermissions(true),
    data: { layers: layers.map(({ pk }) => Number(pk)) },
  });
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const [newer, setNewer] = useState<FormData>();
  const save = async (form: FormData, how: 'asked' | 'over' | 'new' = 'asked'): Promise<void> => {
    const isNew = asNew || how === 'new';
    setNewer(undefined);
    setBusy(true);
    const [title, abstract] = [String(form.get('title')).trim(), String(form.get('abstract')).trim()];
    // What not everybody sees does not belong on a picture that others may see: then the portal draws one that they may.
    const thumbnail = share.audience?.lacking.length === 0 ? await pictureOf(await picture()) : undefined;
    const attribute = (name: string, value: string): unknown => ({ type: 'string', name, label: name, value });
    const body = {
      name: title,
      data: mapConfigData(config),
      attributes: [
        attribute('title', title),
        attribute('abstract', abstract),
        ...(thumbnail === undefined ? [] : [attribute('thumbnail', thumbnail)]),
      ],
    };
    const reply =
      isNew || record === undefined
        ? await send('POST', '/mapviewer/rest/resources/?full=true', {
            body: { ...body, permissions: sharing.permissions },
          })
        : await send('PATCH', `/mapviewer/rest/resources/${record.pk}/?full=true`, {
            body: { ...body, id: Number(record.pk) },
            headers: ifMatch(how === 'over' ? undefined : record.last_updated),
          });
    if (!reply.ok) {
      setBusy(false);
      if (isNewer(reply.error)) return setNewer(form);
      return setFailure(reply.error);
    }
    const id = isNew || record === undefined ? reply.value.id : Number(record.pk);
    // The map is there; what could not be shared with it is said, and can be shared later.
    const unshared = isNew && sharing.chosen === 'public' ? await share.send(String(id)) : undefined;
    if (unshared !== undefined) complain(failureText(t, unshared));
    forgetLoaded();
    const kept = await get(`/api/v2/maps/${id}/`);
    setBusy(false);
    if (!kept.ok) return setFailure(kept.error);
    say(t('viewer.saved'));
    onSaved(kept.value.map);
  };
  if (newer !== undefined && record !== undefined)
    return (
      <ConflictDialog
        id={Number(record.pk)}
        since={record.last_updated}
        onOverwrite={() => void save(newer, 'over')}
        // As a whole: what is on the map is let go.
        onReload={() => window.location.reload()}
        onSaveAsNew={() => void save(newer, 'new')}
        onClose={onClose}
      />
    );
  return (
    <FormDialog title={t('viewer.save-title')} onClose={onClose} isBusy={isBusy} onSave={(form) => save(form)}>
      <Wrong failure={failure} />
      <InputField label={t('meta.title')} name="title" required maxLength={255} defaultValue={record?.title ?? ''} />
      <TextField label={t('meta.abstract')} name="abstract" maxLength={2000} defaultValue={record?.abstract ?? ''} />
      {isOwn && (
        <label className="check">
          <input type="checkbox" checked={asNew} onChange={(event) => setAsNew(event.target.checked)} />
          {t('viewer.save-as-new')}
        </label>
      )}
      {asNew && <SharingChoice sharing={sharing} name="map-sharing" />}
      {asNew && sharing.chosen === 'public' && <LackingItems share={share} of="map" />}
      {record !== undefined && !isOwn && <p className="notice">{t('viewer.save-copy')}</p>}
    </FormDialog>
  );
}
