// The people and groups that the reader follows, each with a way to stop.

import { send } from '../../api/client.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { WhenLoaded } from '../../ui/States.tsx';
import { complain, say } from '../../ui/toast.tsx';
import type { FollowedSource } from './FollowSource.tsx';

export function FollowedSources() {
  const t = useText();
  const [loaded, again] = useFresh('/api/v2/following/');
  const [isBusy, during] = useBusy();
  const stop = async ({ kind, id, name }: FollowedSource): Promise<void> => {
    const reply = await during(
      kind === 'users' ? send('DELETE', `/api/v2/users/${id}/follow/`) : send('DELETE', `/api/v2/groups/${id}/follow/`),
    );
    if (!reply.ok) return complain(failureText(t, reply.error));
    say(t('follow.source-ended', { name }));
    again();
  };
  return (
    <section className="stack tight" aria-label={t('follow.sources')}>
      <h2>{t('follow.sources')}</h2>
      <p className="soft">{t('follow.sources-about')}</p>
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ users, groups }) => {
          const all = [
            ...users.map(({ pk, username }): FollowedSource => ({ kind: 'users', id: pk, name: username })),
            ...groups.map(({ pk, title }): FollowedSource => ({ kind: 'groups', id: pk, name: title })),
          ];
          return (
            <ul className="followed-sources">
              {all.map((one) => (
                <li key={`${one.kind} ${one.id}`} className="row tight">
                  <Icon name="user" />
                  {one.kind === 'users' ? (
                    <Link to={`/?owner=${encodeURIComponent(one.name)}`}>{one.name}</Link>
                  ) : (
                    <span>{one.name}</span>
                  )}
                  <IconButton
                    small
                    icon="close"
                    name={t('follow.stop', { name: one.name })}
                    disabled={isBusy}
                    onClick={() => void stop(one)}
                  />
                </li>
              ))}
            </ul>
          );
        }}
      </WhenLoaded>
    </section>
  );
}
