// A star that keeps an item among the reader's favourites, which the catalogue can be narrowed to.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Resource } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { useSession } from '../../lib/session.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { IconButton } from '../../ui/Button.tsx';
import { complain } from '../../ui/toast.tsx';

export function FavouriteButton({ item }: { readonly item: Resource }) {
  const t = useText();
  const { user } = useSession();
  const [changed, setChanged] = useState<boolean>();
  const [isBusy, during] = useBusy();
  if (user === null || user === undefined) return null;
  const isFavourite = changed ?? item.favorite === true;
  const turn = async (): Promise<void> => {
    const reply = await during(
      isFavourite
        ? send('DELETE', `/api/v2/resources/${item.pk}/favorite/`)
        : send('POST', `/api/v2/resources/${item.pk}/favorite/`),
    );
    if (reply.ok) setChanged(!isFavourite);
    else complain(failureText(t, reply.error));
  };
  return (
    <IconButton
      look="plain"
      icon="star"
      className="favourite"
      name={t('favourite.star')}
      aria-pressed={isFavourite}
      disabled={isBusy}
      onClick={() => void turn()}
    />
  );
}
