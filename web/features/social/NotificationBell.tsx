// The bell in the head of every page: how many notifications are unread, and the way to them.

import { useText } from '../../lib/i18n/text.ts';
import { usePlace } from '../../lib/navigation.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { useUnread } from './unread.ts';

/** More are not counted. */
const MAX = 100;

export function NotificationBell() {
  const t = useText();
  const { user } = useSession();
  const { path, n } = usePlace();
  const unread = useUnread(user?.pk, n) ?? 0;
  if (user === null || user === undefined) return null;
  const name = unread === 0 ? t('notify.title') : t.count('notify.unread', unread);
  return (
    <Link
      to="/notifications"
      className="button quiet icon bell"
      aria-label={name}
      title={name}
      {...(path === '/notifications' ? { 'aria-current': 'page' as const } : {})}
    >
      <Icon name="bell" />
      {unread > 0 && (
        <span className="bell-count" aria-hidden="true">
          {unread >= MAX ? `${MAX - 1}+` : unread}
        </span>
      )}
    </Link>
  );
}
