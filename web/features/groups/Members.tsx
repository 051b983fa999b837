// Who is in a group. Who leads it invites people, says what each of them is, and removes them; administrators add people at once.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Account, Group } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { Result } from '../../lib/result.ts';
import { usePending } from '../../lib/use-pending.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { personName } from '../social/person-name.ts';

type Role = 'member' | 'manager';
const ROLES = ['member', 'manager'] as const;

/** `leads`: may change who is in it. */
export function Members({ group, leads }: { readonly group: Group; readonly leads: boolean }) {
  const t = useText();
  const [members, again] = useLoaded(`/api/v2/groups/${group.pk}/members/?page_size=500`);
  const [managers, againManagers] = useLoaded(`/api/v2/groups/${group.pk}/managers/?page_size=500`);
  const [invited, againInvited] = useLoaded(leads ? `/api/v2/invitations/${group.pk}/` : undefined);
  const [failure, setFailure] = useState<Failure>();
  const pending = usePending<string>();
  const done = (reply: Result<unknown, Failure>): void => {
    setFailure(reply.ok ? undefined : reply.error);
    again();
    againManagers();
    againInvited();
  };
  const put = (username: string, role: Role) =>
    pending.during(username, send('POST', `/api/v2/groups/${group.pk}/members/`, { body: { username, role } }));
  const remove = async ({ pk, username }: Account): Promise<void> => {
    const reply = await pending.during(username, send('DELETE', `/api/v2/groups/${group.pk}/members/${pk}/`));
    // Who is gone already is gone.
    done(!reply.ok && reply.error.kind === 'not-found' ? { ok: true, value: undefined } : reply);
  };
  const withdraw = async (username: string): Promise<void> =>
    done(
      await pending.during(
        username,
        send('DELETE', `/api/v2/invitations/${group.pk}/${encodeURIComponent(username)}/`),
      ),
    );
  const isManager = (pk: number): boolean => managers.kind === 'loaded' && managers.value.some((one) => one.pk === pk);
  return (
    <div className="stack tight">
      <Wrong failure={failure} />
      <WhenLoaded loaded={members} onRetry={again}>
        {(list) => (
          <ul className="member-list">
            {list.map((member) => (
              <li key={member.pk} className="row tight">
                <Icon name="user" />
                <span className="grow">{personName(member, member.username)}</span>
                {leads ? (
                  <>
                    <RoleSelect
                      name={member.username}
                      role={isManager(member.pk) ? 'manager' : 'member'}
                      isBusy={pending.has(member.username)}
                      onChange={(role) => void put(member.username, role).then(done)}
                    />
                    <IconButton
                      small
                      icon="close"
                      name={t('action.remove-named', { name: member.username })}
                      disabled={pending.has(member.username)}
                      onClick={() => void remove(member)}
                    />
                  </>
                ) : (
                  isManager(member.pk) && <span className="badge">{t('admin.manager')}</span>
                )}
              </li>
            ))}
            {invited.kind === 'loaded' &&
              invited.value.invitations.map(({ username, role }) => (
                <li key={`invited ${username}`} className="row tight">
                  <Icon name="user" />
                  <span className="grow">{username}</span>
                  {role === 'manager' && <span className="badge">{t('admin.manager')}</span>}
                  <span className="badge">{t('groups.invited')}</span>
                  <IconButton
                    small
                    icon="close"
                    name={t('groups.withdraw', { name: username })}
                    disabled={pending.has(username)}
                    onClick={() => void withdraw(username)}
                  />
                </li>
              ))}
          </ul>
        )}
      </WhenLoaded>
      {leads && (
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            const form = event.currentTarget;
            const given = new FormData(form);
            const username = String(given.get('username')).trim();
            void put(username, given.get('manager') === null ? 'member' : 'manager').then((reply) => {
              if (reply.ok) form.reset();
              if (reply.ok && 'state' in reply.value) say(t('groups.was-invited', { name: username }));
              done(reply);
            });
          }}
        >
          <input
            className="input small member-name"
            name="username"
            required
            maxLength={150}
            autoComplete="off"
            aria-label={t('account.username')}
            placeholder={t('account.username')}
          />
          <label className="check">
            <input type="checkbox" name="manager" />
            {t('admin.manager')}
          </label>
          <Button small type="submit" icon="plus">
            {t('action.add')}
          </Button>
        </form>
      )}
    </div>
  );
}

function RoleSelect({
  name,
  role,
  isBusy,
  onChange,
}: {
  readonly name: string;
  readonly role: Role;
  readonly isBusy: boolean;
  readonly onChange: (role: Role) => void;
}) {
  const t = useText();
  return (
    <select
      className="input small role-select"
      aria-label={t('groups.role-of', { name })}
      value={role}
      disabled={isBusy}
      onChange={(event) => onChange(event.target.value === 'manager' ? 'manager' : 'member')}
    >
      {ROLES.map((one) => (
        <option key={one} value={one}>
          {t(`groups.role.${one}`)}
        </option>
      ))}
    </select>
  );
}
