// A bell on the page of an item: who presses it is told of comments, changes and deletion. Owners follow what is theirs from the start.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Resource } from '../../api/types.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { useSession } from '../../lib/session.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { IconButton } from '../../ui/Button.tsx';
import { complain, say } from '../../ui/toast.tsx';

export function FollowButton({ item }: { readonly item: Resource }) {
  const t = useText();
  const { user } = useSession();
  const isSignedIn = user !== null && user !== undefined;
  const path = `/api/v2/resources/${Number(item.pk)}/follow/` as const;
  const [loaded] = useFresh(isSignedIn ? path : undefined);
  const [changed, setChanged] = useState<boolean>();
  const [isBusy, during] = useBusy();
  if (!isSignedIn) return null;
  const isFollowing = changed ?? (loaded.kind === 'loaded' && loaded.value.following);
  const turn = async (): Promise<void> => {
    const reply = await during(isFollowing ? send('DELETE', path) : send('POST', path));
    if (!reply.ok) return complain(failureText(t, reply.error));
    setChanged(reply.value.following);
    say(t(reply.value.following ? 'follow.begun' : 'follow.ended'));
  };
  return (
    <IconButton
      look="plain"
      icon="bell"
      className="follow"
      name={t('follow.button')}
      aria-pressed={isFollowing}
      disabled={isBusy || loaded.kind === 'loading'}
      onClick={() => void turn()}
    />
  );
}
