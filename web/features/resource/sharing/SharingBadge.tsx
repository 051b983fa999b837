// Whom an item is shared with, in one word.

import type { Sharing } from '../../../api/types.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { Icon, type IconName } from '../../../ui/Icon.tsx';

const ICONS: Readonly<Record<Sharing, IconName>> = { public: 'eye', shared: 'group', private: 'lock' };

export function SharingBadge({ sharing }: { readonly sharing: Sharing | undefined }) {
  const t = useText();
  if (sharing === undefined) return null;
  return (
    <span className={`badge sharing ${sharing}`} title={t(`sharing.is-${sharing}-text`)}>
      <Icon name={ICONS[sharing]} />
      {t(`sharing.is-${sharing}`)}
    </span>
  );
}
