// Invitations to groups that wait for an answer. Nothing at all where there are none.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePending } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { askUnreadAgain } from '../social/unread.ts';
import './invitations.css';

export function Invitations({ onAnswered }: { readonly onAnswered?: () => void }) {
  const t = useText();
  const [loaded, again] = useLoaded('/api/v2/invitations/');
  const [failure, setFailure] = useState<Failure>();
  const pending = usePending<number>();
  if (loaded.kind !== 'loaded' || loaded.value.invitations.length === 0) return null;
  const answer = async (group: number, accept: boolean): Promise<void> => {
    const reply = await pending.during(group, send('PUT', `/api/v2/invitations/${group}/`, { body: { accept } }));
    setFailure(reply.ok ? undefined : reply.error);
    if (reply.ok) say(t(accept ? 'account.joined' : 'account.declined'));
    again();
    askUnreadAgain();
    onAnswered?.();
  };
  return (
    <section className="panel stack tight" aria-label={t('account.invitations')}>
      <h2>{t('account.invitations')}</h2>
      <Wrong failure={failure} />
      <ul className="invitation-list">
        {loaded.value.invitations.map(({ group, role, invited_by: by }) => (
          <li key={group.pk} className="row">
            <Icon name="group" />
            <span className="grow">
              {t(role === 'manager' ? 'account.invited-as-manager' : 'account.invited', {
                name: by ?? '–',
                group: group.title,
              })}
            </span>
            <Button small look="primary" disabled={pending.has(group.pk)} onClick={() => void answer(group.pk, true)}>
              {t('account.join')}
            </Button>
            <Button small disabled={pending.has(group.pk)} onClick={() => void answer(group.pk, false)}>
              {t('account.decline')}
            </Button>
          </li>
        ))}
      </ul>
      <p className="soft small-text">{t('account.invitations-about')}</p>
    </section>
  );
}
