// What a map, dashboard or story shows and those that it is shared with do not see: who shares it is told, and asked whether to share those that are
// theirs to share.

import { useEffect, useState } from 'react';
import { get, send } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import type { Permission, Permissions, Resource } from '../../../api/types.ts';
import { useFresh } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { PUBLIC, type Share } from '../../../lib/levels.ts';
import { isSeenByAll, neededFor, withNeeded } from '../../../lib/shared-with.ts';
import type { Shown } from './use-shown-items.ts';

export type LayerShare = {
  /** Those that not all of them see; undefined: not known yet. */
  readonly unshared: readonly Resource[] | undefined;
  /** Whom the item is shared with. */
  readonly to: 'everybody' | 'them';
  /** Rows of some of them are listed, and so can be downloaded by who sees them. */
  readonly hasRows: boolean;
  readonly isWanted: boolean;
  readonly want: (wanted: boolean) => void;
  /** Shares those that are to be shared; the first failure, if there was one. */
  readonly send: () => Promise<Failure | undefined>;
};

/** The most that are asked about at once. */
const MOST = 100;
const EVERYBODY: readonly Share[] = [{ kind: 'groups', name: PUBLIC, names: [] }];

const maySet = (layer: Resource): boolean => layer.perms.includes('change_resourcebase_permissions');

/** `people`: whom the item is shared with; with everybody where nothing else is said. */
export function useUnsharedLayers({ ids: items, rows }: Shown, people: readonly Share[] = EVERYBODY): LayerShare {
  const [isWanted, want] = useState(false);
  const ids = [...new Set(items)].slice(0, MOST);
  const [loaded] = useFresh(
    ids.length === 0
      ? undefined
      : `/api/v2/resources/?${ids.map((id) => `filter{pk.in}=${id}`).join('&')}&page_size=${ids.length}&include[]=sharing`,
  );
  const found = loaded.kind === 'loaded' ? loaded.value.resources : undefined;
  const needed = ({ pk }: Resource): readonly Permission[] => neededFor(rows.includes(pk));
  const isPublic = people.some(({ name }) => name === PUBLIC);
  // Whom exactly an item is shared with is told to who shares it; of others is known whether everybody sees them.
  const asked = (found ?? []).filter((one) => maySet(one) && (one.sharing !== 'public' || rows.includes(one.pk)));
  const known = usePermissions(asked.map(({ pk }) => pk));
  const isUnshared = (one: Resource): boolean => {
    const permissions = known.get(one.pk);
    return permissions === undefined
      ? one.sharing !== 'public'
      : !people.every((share) => isSeenByAll(permissions, share, needed(one)));
  };
  const unshared = ids.length === 0 || people.length === 0 ? [] : found?.filter(isUnshared);
  return {
    unshared,
    to: isPublic ? 'everybody' : 'them',
    hasRows: unshared?.some(({ pk }) => rows.includes(pk)) === true,
    isWanted,
    want,
    async send() {
      for (const layer of isWanted ? (unshared ?? []).filter(maySet) : []) {
        const failure = await shareWith(layer, people, needed(layer));
        if (failure !== undefined) return failure;
      }
      return undefined;
    },
  };
}

const NONE: ReadonlyMap<string, Permissions> = new Map();

/** Of each item by its id, once they are there. */
function usePermissions(ids: readonly string[]): ReadonlyMap<string, Permissions> {
  const [known, setKnown] = useState(NONE);
  const wanted = ids.join();
  useEffect(() => {
    if (wanted === '') return setKnown(NONE);
    const gone = new AbortController();
    Promise.all(
      wanted.split(',').map(async (id) => {
        const reply = await get(`/api/v2/resources/${id}/get_perms/`, gone.signal);
        return reply.ok ? [[id, reply.value] as const] : [];
      }),
    ).then(
      (all) => {
        if (!gone.signal.aborted) setKnown(new Map(all.flat()));
      },
      () => undefined,
    );
    return () => gone.abort();
  }, [wanted]);
  return known;
}

/** Everybody else keeps what they have. */
async function shareWith(
  { pk }: Resource,
  people: readonly Share[],
  needed: readonly Permission[],
): Promise<Failure | undefined> {
  const now = await get(`/api/v2/resources/${pk}/get_perms/`);
  if (!now.ok) return now.error;
  const reply = await send('PUT', `/api/v2/resources/${pk}/set_perms/`, {
    body: withNeeded(now.value, people, needed),
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
        <p>
          {t.count(
            share.to === 'them'
              ? 'sharing.unshared-with-them'
              : of === 'map'
                ? 'sharing.unshared'
                : 'sharing.unshared-items',
            unshared.length,
          )}
        </p>
        <ul>
          {unshared.map(({ pk, title }) => (
            <li key={pk}>{title}</li>
          ))}
        </ul>
        {mine.length > 0 && (
          <label className="check">
            <input type="checkbox" checked={share.isWanted} onChange={(event) => share.want(event.target.checked)} />
            {t.count(
              share.to === 'them'
                ? 'sharing.share-with-them-too'
                : of === 'map'
                  ? 'sharing.share-too'
                  : 'sharing.share-items-too',
              mine.length,
            )}
          </label>
        )}
        {share.hasRows && <p className="small-text">{t('sharing.rows-are-downloads')}</p>}
        {mine.length < unshared.length && (
          <p className="small-text">{t.count('sharing.not-yours', unshared.length - mine.length)}</p>
        )}
      </div>
    </div>
  );
}
