// What an item shows and those that it is shared with do not see.

import type { ReactNode } from 'react';
import { useText } from '../../../lib/i18n/text.ts';
import type { Audience, AudienceShare } from './use-audience.ts';

/** `of`: a map, whose layers they are, or anything else that shows items. */
type Of = 'map' | 'items';

/** Where somebody decides whom to share the item with: shared with them as well, when it is saved. */
export function LackingItems({ share, of }: { readonly share: AudienceShare; readonly of: Of }) {
  const t = useText();
  const { audience } = share;
  if (audience === undefined) return null;
  const mine = audience.lacking.filter((one) => one.may_share).length;
  return (
    <LackingList audience={audience} of={of}>
      {mine > 0 && (
        <label className="check">
          <input type="checkbox" checked={share.isWanted} onChange={(event) => share.want(event.target.checked)} />
          {t.count(shareToo(audience, of), mine)}
        </label>
      )}
    </LackingList>
  );
}

/** What sharing these as well is called. */
export function shareToo({ public: isPublic }: Audience, of: Of) {
  if (!isPublic) return 'sharing.share-with-them-too';
  return of === 'map' ? 'sharing.share-too' : 'sharing.share-items-too';
}

export function LackingList({
  audience,
  of,
  children,
}: {
  readonly audience: Audience;
  readonly of: Of;
  /** What can be done about it. */
  readonly children: ReactNode;
}) {
  const t = useText();
  const { lacking } = audience;
  if (lacking.length === 0) return null;
  const notMine = lacking.filter((one) => !one.may_share).length;
  return (
    <div className="notice warm unshared" role="status">
      <div className="stack tight">
        <p>
          {t.count(
            !audience.public
              ? 'sharing.unshared-with-them'
              : of === 'map'
                ? 'sharing.unshared'
                : 'sharing.unshared-items',
            lacking.length,
          )}
        </p>
        <ul>
          {lacking.map(({ pk, title }) => (
            <li key={pk}>{title}</li>
          ))}
        </ul>
        {children}
        {lacking.some(({ needs }) => needs.includes('download_resourcebase')) && (
          <p className="small-text">{t('sharing.rows-are-downloads')}</p>
        )}
        {notMine > 0 && <p className="small-text">{t.count('sharing.not-yours', notMine)}</p>}
      </div>
    </div>
  );
}
