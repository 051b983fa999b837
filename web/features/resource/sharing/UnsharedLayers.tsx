// What a map, dashboard or story shows and not everybody sees while the item itself is shared with everybody: who shares it is told, and asked whether
// to share those that are theirs to share.

import { useState } from 'react';
import { get, send } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import type { Resource } from '../../../api/types.ts';
import { useFresh } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { namesOf, PUBLIC, publicNames } from '../../../lib/levels.ts';

export type LayerShare = {
  /** Those that not everybody sees; undefined: not known yet. */
  readonly unshared: readonly Resource[] | undefined;
  readonly isWanted: boolean;
  readonly want: (wanted: boolean) => void;
  /** Shares those that are to be shared; the first failure, if there was one. */
  readonly send: () => Promise<Failure | undefined>;
};

/** The most that are asked about at once. */
const MOST = 100;

const maySet = (layer: Resource): boolean => layer.perms.includes('change_resourcebase_permissions');

/** `items`: by id. */
export function useUnsharedLayers(items: readonly string[]): LayerShare {
  const [isWanted, want] = useState(false);
  const ids = [...new Set(items)].slice(0, MOST);
  const [loaded] = useFresh(
    ids.length === 0
      ? undefined
      : `/api/v2/resources/?${ids.map((id) => `filter{pk.in}=${id}`).join('&')}&page_size=${ids.length}&include[]=sharing`,
  );
  const unshared =
    ids.length === 0
      ? []
      : loaded.kind === 'loaded'
        ? loaded.value.resources.filter(({ sharing }) => sharing !== 'public')
        : undefined;
  return {
    unshared,
    isWanted,
    want,
    async send() {
      for (const layer of isWanted ? (unshared ?? []).filter(maySet) : []) {
        const failure = await sharePublicly(layer);
        if (failure !== undefined) return failure;
      }
      return undefined;
    },
  };
}

/** Everybody else keeps what they have. */
async function sharePublicly({ pk, resource_type: type }: Resource): Promise<Failure | undefined> {
  const now = await get(`/api/v2/resources/${pk}/get_perms/`);
  if (!now.ok) return now.error;
  const names = [...new Set([...publicNames(now.value), ...namesOf('view', type === 'layer')])];
  const reply = await send('PUT', `/api/v2/resources/${pk}/set_perms/`, {
    body: { ...now.value, groups: { ...now.value.groups, [PUBLIC]: names } },
  });
  return reply.ok ? undefined : reply.error;
}

/** `of`: a map, whose layers they are, or anything else that shows items. */
export function UnsharedLayers({ share, of }: { readonly share: LayerShare; readonly of: 'map' | 'items' }) {
  const t = useText();
  const unshared = share.unshared ?? [];
  if (unshared.length === 0) return null;
  const mine = unshared.filter(maySet);
  return (
    <div className="notice warm unshared" role="status">
      <div className="stack tight">
        <p>{t.count(of === 'map' ? 'sharing.unshared' : 'sharing.unshared-items', unshared.length)}</p>
        <ul>
          {unshared.map(({ pk, title }) => (
            <li key={pk}>{title}</li>
          ))}
        </ul>
        {mine.length > 0 && (
          <label className="check">
            <input type="checkbox" checked={share.isWanted} onChange={(event) => share.want(event.target.checked)} />
            {t.count(of === 'map' ? 'sharing.share-too' : 'sharing.share-items-too', mine.length)}
          </label>
        )}
        {mine.length < unshared.length && (
          <p className="small-text">{t.count('sharing.not-yours', unshared.length - mine.length)}</p>
        )}
      </div>
    </div>
  );
}
