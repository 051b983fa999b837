// Notifications, newest first: each with a way to what it is about, marked as read by following it, by hand, or all at once.

import { useState } from 'react';
import type { Notification } from '../../../client/src/operations.gen.ts';
import { get, send } from '../../api/client.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { pathOfResource } from '../../lib/route.ts';
import { failureText } from '../../lib/server-message.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Empty, WhenLoaded } from '../../ui/States.tsx';
import { complain } from '../../ui/toast.tsx';
import { personName } from './person-name.ts';
import { askUnreadAgain } from './unread.ts';

const PAGE = 50;

const ICONS: Readonly<Record<Notification['kind'], IconName>> = {
  comment: 'note',
  mention: 'user',
  data: 'table',
  content: 'save',
  metadata: 'edit',
  deleted: 'trash',
  new: 'plus',
  source: 'warning',
};

export function NotificationList() {
  const [loaded, again] = useFresh(`/api/v2/notifications/?limit=${PAGE}`);
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ notifications }) => <Listed first={notifications} onMarked={again} />}
    </WhenLoaded>
  );
}

function Listed({ first, onMarked }: { readonly first: readonly Notification[]; readonly onMarked: () => void }) {
  const t = useText();
  const [more, setMore] = useState<readonly Notification[]>([]);
  const [isAtEnd, setAtEnd] = useState(first.length < PAGE);
  const [isBusy, during] = useBusy();
  const shown = [...first, ...more];
  const newest = shown[0]?.id;
  if (newest === undefined) {
    return (
      <Empty title={t('notify.none')} icon="bell">
        <p>{t('notify.none-about')}</p>
      </Empty>
    );
  }
  const marked = (): void => {
    setMore([]);
    setAtEnd(first.length < PAGE);
    onMarked();
    askUnreadAgain();
  };
  const mark = async ({ id, read }: Notification): Promise<void> => {
    const reply = await during(send('PATCH', `/api/v2/notifications/${id}/`, { body: { read: !read } }));
    if (reply.ok) marked();
    else complain(failureText(t, reply.error));
  };
  const markAll = async (): Promise<void> => {
    const reply = await during(send('POST', '/api/v2/notifications/read/', { body: { up_to: newest } }));
    if (reply.ok) marked();
    else complain(failureText(t, reply.error));
  };
  const older = async (): Promise<void> => {
    const reply = await during(get(`/api/v2/notifications/?limit=${PAGE}&before=${shown.at(-1)?.id ?? newest}`));
    if (!reply.ok) return complain(failureText(t, reply.error));
    setMore([...more, ...reply.value.notifications]);
    setAtEnd(reply.value.notifications.length < PAGE);
  };
  return (
    <div className="stack">
      <div>
        <Button icon="check" disabled={isBusy || shown.every(({ read }) => read)} onClick={() => void markAll()}>
          {t('notify.mark-all')}
        </Button>
      </div>
      <ul className="notification-list">
        {shown.map((one) => (
          <li key={one.id} className={one.read ? 'notification' : 'notification is-unread'}>
            <Icon name={ICONS[one.kind]} />
            <div className="stack tight grow">
              <p>
                {!one.read && <span className="visually-hidden">{t('notify.new')} </span>}
                <Sentence one={one} />
              </p>
              {one.comment !== null && <p className="notification-comment soft">{one.comment}</p>}
              <time className="soft small-text" dateTime={one.at}>
                {t.time(one.at)}
              </time>
            </div>
            <IconButton
              small
              icon={one.read ? 'undo' : 'check'}
              name={t(one.read ? 'notify.mark-unread' : 'notify.mark-read', { title: one.resource.title })}
              disabled={isBusy}
              onClick={() => void mark(one)}
            />
          </li>
        ))}
      </ul>
      {!isAtEnd && (
        <div>
          <Button disabled={isBusy} onClick={() => void older()}>
            {t('notify.older')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** What is gone has no page any more. */
function Sentence({ one }: { readonly one: Notification }) {
  const t = useText();
  const name = personName(one.actor, t('notify.somebody'));
  const text = t(`notify.said.${one.kind}`, { name, title: one.resource.title });
  if (one.kind === 'deleted') return text;
  const read = (): void => {
    if (!one.read)
      void send('PATCH', `/api/v2/notifications/${one.id}/`, { body: { read: true } }).then(askUnreadAgain);
  };
  return (
    <Link to={`${pathOfResource(one.resource)}${one.comment === null ? '' : '#comments'}`} onClick={read}>
      {text}
    </Link>
  );
}
