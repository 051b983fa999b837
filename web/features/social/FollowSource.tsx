// A bell beside the name of a person or a group: who presses it is told of new items of theirs.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import { forgetLoaded, useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { useSession } from '../../lib/session.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { IconButton } from '../../ui/Button.tsx';
import { complain, say } from '../../ui/toast.tsx';

export type FollowedSource = { readonly kind: 'users' | 'groups'; readonly id: number; readonly name: string };

export function FollowSource({ kind, id, name }: FollowedSource) {
  const t = useText();
  const { user } = useSession();
  // Nobody is told of what they do themselves.
  const isAsked = user !== null && user !== undefined && !(kind === 'users' && user.pk === id);
  const path = kind === 'users' ? (`/api/v2/users/${id}/follow/` as const) : (`/api/v2/groups/${id}/follow/` as const);
  const [loaded] = useFresh(isAsked ? path : undefined);
  const [changed, setChanged] = useState<boolean>();
  const [isBusy, during] = useBusy();
  // A group that the reader does not see is not followed.
  if (!isAsked || loaded.kind !== 'loaded') return null;
  const isFollowing = changed ?? loaded.value.following;
  const turn = async (): Promise<void> => {
    const reply = await during(isFollowing ? send('DELETE', path) : send('POST', path));
    if (!reply.ok) return complain(failureText(t, reply.error));
    setChanged(reply.value.following);
    forgetLoaded();
    say(t(reply.value.following ? 'follow.source-begun' : 'follow.source-ended', { name }));
  };
  return (
    <IconButton
      small
      look="plain"
      icon="bell"
      className="follow"
      name={t('follow.source', { name })}
      aria-pressed={isFollowing}
      disabled={isBusy}
      onClick={() => void turn()}
    />
  );
}
