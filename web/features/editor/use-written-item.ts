// An item that is written in the browser (a story, an app): its name, and keeping it. What is new is made, what is there is changed;
// then its page is shown.

import { useState } from 'react';
import type { Answer } from '../../api/answer.ts';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { ifMatch, isNewer } from '../../api/if-match.ts';
import type { WrittenRecord } from '../../api/types.ts';
import { forgetLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { navigate } from '../../lib/navigation.ts';
import { failureText } from '../../lib/server-message.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { complain, say } from '../../ui/toast.tsx';
import { type NewSharing, useNewSharing } from '../resource/sharing/SharingChoice.tsx';
import { type AudienceShare, useAudience } from '../resource/sharing/use-audience.ts';

/** Collections of what is written. */
type Collection = 'geostories' | 'geoapps';
type Kept = Answer<'POST', `/api/v2/${Collection}/`> | Answer<'PATCH', `/api/v2/${Collection}/${number}/`>;

function pkIn(kept: Kept): string | undefined {
  if ('geostory' in kept) return kept.geostory?.pk;
  return 'geoapp' in kept ? kept.geoapp?.pk : undefined;
}

export type ItemName = { readonly title: string; readonly abstract: string };

export type Newer = {
  readonly id: number;
  readonly since: string;
  readonly overwrite: () => void;
  readonly reload: () => void;
  readonly saveAsNew: () => void;
  readonly close: () => void;
};

export type WrittenItem = {
  readonly name: ItemName;
  readonly setName: (name: ItemName) => void;
  readonly save: (data: unknown) => Promise<void>;
  /** Somebody else has saved a newer version since; undefined: nobody has. */
  readonly newer: Newer | undefined;
  readonly failure: Failure | undefined;
  readonly isBusy: boolean;
  /** Asked for what is new. */
  readonly sharing: NewSharing | undefined;
  /** What it shows and not everybody sees; asked about where it becomes public. */
  readonly share: AudienceShare | undefined;
};

/**
 * `record` undefined: it does not exist yet. `content`: what is written, as text that is another when something has changed; `shown`: the same as it
 * is kept, for what of the catalogue it shows.
 */
export function useWrittenItem(
  collection: Collection,
  record: WrittenRecord | undefined,
  content: string,
  shown: unknown,
  /** Of something new. */
  title = '',
): WrittenItem {
  const t = useText();
  const [name, setName] = useState<ItemName>({ title: record?.title ?? title, abstract: record?.abstract ?? '' });
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const sharing = useNewSharing();
  const isPublic = record === undefined && sharing.chosen === 'public';
  const share = useAudience(isPublic ? { permissions: sharing.permissions, data: shown } : undefined);
  const now = JSON.stringify([name, content]);
  const [before] = useState(now);
  const unsaved = useUnsaved(now !== before);
  const [unsavedOver, setUnsavedOver] = useState<{ readonly data: unknown }>();
  const save = async (data: unknown, how: 'asked' | 'over' | 'new' = 'asked'): Promise<void> => {
    setUnsavedOver(undefined);
    setBusy(true);
    const body = { ...name, data };
    const reply =
      record === undefined || how === 'new'
        ? await send('POST', `/api/v2/${collection}/`, {
            body: { ...body, name: `${name.title} ${Date.now().toString(36)}`, permissions: sharing.permissions },
          })
        : await send('PATCH', `/api/v2/${collection}/${record.pk}/`, {
            body,
            headers: ifMatch(how === 'over' ? undefined : record.last_updated),
          });
    if (!reply.ok) {
      setBusy(false);
      return isNewer(reply.error) ? setUnsavedOver({ data }) : setFailure(reply.error);
    }
    // It is there; what could not be shared with it is said, and can be shared later.
    const pk = how === 'new' ? pkIn(reply.value) : (record?.pk ?? pkIn(reply.value));
    const unshared = isPublic && pk !== undefined ? await share.send(pk) : undefined;
    if (unshared !== undefined) complain(failureText(t, unshared));
    setBusy(false);
    forgetLoaded();
    say(t('saved'));
    unsaved.release();
    if (pk !== undefined) navigate(`/apps/preview/${pk}`);
  };
  const newer =
    unsavedOver === undefined || record === undefined
      ? undefined
      : {
          id: Number(record.pk),
          since: record.last_updated,
          overwrite: () => void save(unsavedOver.data, 'over'),
          reload: () => {
            unsaved.release();
            window.location.reload();
          },
          saveAsNew: () => void save(unsavedOver.data, 'new'),
          close: () => setUnsavedOver(undefined),
        };
  return {
    name,
    setName,
    save: (data) => save(data),
    newer,
    failure,
    isBusy,
    sharing: record === undefined ? sharing : undefined,
    share: isPublic ? share : undefined,
  };
}
