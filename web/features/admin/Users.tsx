// Accounts: making, editing and deleting them, switching them on and off, a new password, who is administrator.

import { useDeferredValue, useEffect, useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { User } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { Result } from '../../lib/result.ts';
import { useSession } from '../../lib/session.ts';
import { useDefaults } from '../../lib/use-defaults.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { InputField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { NewPasswordField } from '../account/NewPasswordField.tsx';
import { DeleteUserDialog } from './DeleteUserDialog.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { ResetFactorDialog } from './ResetFactorDialog.tsx';

const SIZE = 50;

/** A change of an account that was asked for and is not yet in the list. */
type Wish = { readonly body: Partial<User>; readonly isAnswered: boolean };

export function Users() {
  const t = useText();
  const { user: me } = useSession();
  const hasMail = useDefaults()?.mail === true;
  const [q, setQ] = useState('');
  const [page, setPage] = useState(1);
  const [dialog, setDialog] = useState<
    'new' | 'invite' | { readonly what: 'password' | 'edit' | 'delete' | 'factor'; readonly user: User }
  >();
  const [failure, setFailure] = useState<Failure>();
  const [wishes, setWishes] = useState<ReadonlyMap<number, Wish>>(new Map());
  const asked = useDeferredValue(q.trim());
  const filter = asked === '' ? '' : `&filter{username.icontains}=${encodeURIComponent(asked)}`;
  const [loaded, again] = useLoaded(
    `/api/v2/users/?include[]=is_active&include[]=last_login&page=${page}&page_size=${SIZE}&sort[]=username${filter}`,
  );
  // What was ticked stays ticked until the portal was asked again after it said yes or no: an answer that was on its way before
  // does not know of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer is what it waits for.
  useEffect(() => setWishes((now) => new Map([...now].filter(([, { isAnswered }]) => !isAnswered))), [loaded]);
  const now = (user: User): User => ({ ...user, ...wishes.get(user.pk)?.body });
  const change = async (user: User, body: Partial<User>): Promise<void> => {
    const wish: Wish = { body: { ...wishes.get(user.pk)?.body, ...body }, isAnswered: false };
    setWishes((now) => new Map(now).set(user.pk, wish));
    const reply = await send('PATCH', `/api/v2/users/${user.pk}/`, { body });
    setFailure(reply.ok ? undefined : reply.error);
    setWishes((now) => (now.get(user.pk) === wish ? new Map(now).set(user.pk, { ...wish, isAnswered: true }) : now));
    again();
  };
  const close = (): void => setDialog(undefined);
  const done = (): void => {
    close();
    again();
  };
  return (
    <div className="stack">
      <div className="row apart">
        <input
          className="input admin-search"
          type="search"
          aria-label={t('admin.find-user')}
          placeholder={t('admin.find-user')}
          value={q}
          onChange={(event) => {
            setQ(event.target.value);
            setPage(1);
          }}
        />
        <div className="row tight">
          {hasMail && <Button onClick={() => setDialog('invite')}>{t('admin.invite')}</Button>}
          <Button look="primary" icon="plus" onClick={() => setDialog('new')}>
            {t('admin.new-user')}
          </Button>
        </div>
      </div>
      <Wrong failure={failure} />
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ users, total }) => (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
            <section className="scroll-x" tabIndex={0} aria-label={t('admin.users')}>
              <table className="data-table">
                <thead>
                  <tr>
                    <th scope="col">{t('account.username')}</th>
                    <th scope="col">{t('admin.name')}</th>
                    <th scope="col">{t('admin.last-login')}</th>
                    <th scope="col">{t('admin.active')}</th>
                    <th scope="col">{t('admin.superuser')}</th>
                    <th scope="col">
                      <span className="visually-hidden">{t('account.password')}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {users
                    .filter(({ pk }) => pk > 0)
                    .map(now)
                    .map((user) => (
                      <tr key={user.pk}>
                        <th scope="row">{user.username}</th>
                        <td>{`${user.first_name} ${user.last_name}`.trim()}</td>
                        <td>{user.last_login ? t.time(user.last_login) : '–'}</td>
                        <td>
                          <input
                            type="checkbox"
                            aria-label={t('admin.active-of', { name: user.username })}
                            checked={user.is_active}
                            disabled={user.pk === me?.pk}
                            onChange={(event) => void change(user, { is_active: event.target.checked })}
                          />
                        </td>
                        <td>
                          <input
                            type="checkbox"
                            aria-label={t('admin.superuser-of', { name: user.username })}
                            checked={user.is_superuser}
                            disabled={user.pk === me?.pk}
                            onChange={(event) => void change(user, { is_superuser: event.target.checked })}
                          />
                        </td>
                        <td>
                          <Button
                            small
                            aria-label={t('admin.set-password-of', { name: user.username })}
                            onClick={() => setDialog({ what: 'password', user })}
                          >
                            {t('admin.set-password')}
                          </Button>
                          <IconButton
                            small
                            icon="lock"
                            name={t('admin.reset-factor', { name: user.username })}
                            onClick={() => setDialog({ what: 'factor', user })}
                          />
                          <IconButton
                            small
                            icon="edit"
                            name={t('admin.edit-user', { name: user.username })}
                            onClick={() => setDialog({ what: 'edit', user })}
                          />
                          <IconButton
                            small
                            icon="trash"
                            name={t('admin.delete-user', { name: user.username })}
                            disabled={user.pk === me?.pk}
                            onClick={() => setDialog({ what: 'delete', user })}
                          />
                        </td>
                      </tr>
                    ))}
                </tbody>
              </table>
            </section>
            {total > SIZE && (
              <div className="row">
                <Button small disabled={page === 1} onClick={() => setPage(page - 1)}>
                  {t('pager.previous')}
                </Button>
                <Button small disabled={page * SIZE >= total} onClick={() => setPage(page + 1)}>
                  {t('pager.next')}
                </Button>
              </div>
            )}
          </>
        )}
      </WhenLoaded>
      {dialog === 'invite' && <InviteDialog onClose={close} />}
      {dialog !== undefined &&
        dialog !== 'invite' &&
        (dialog !== 'new' && dialog.what === 'delete' ? (
          <DeleteUserDialog user={dialog.user} onClose={close} onDone={done} />
        ) : dialog !== 'new' && dialog.what === 'factor' ? (
          <ResetFactorDialog user={dialog.user} onClose={close} />
        ) : (
          <UserDialog
            user={dialog === 'new' ? undefined : dialog.user}
            what={dialog === 'new' ? 'new' : dialog.what === 'edit' ? 'edit' : 'password'}
            onClose={close}
            onDone={done}
          />
        ))}
    </div>
  );
}

function UserDialog({
  user,
  what,
  onClose,
  onDone,
}: {
  readonly user: User | undefined;
  readonly what: 'new' | 'edit' | 'password';
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const save = async (form: FormData): Promise<void> => {
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    const password = String(form.get('password'));
    const face = {
      username: text('username'),
      first_name: text('first_name'),
      last_name: text('last_name'),
      email: text('email'),
    };
    const reply = await during<Result<unknown, Failure>>(
      user === undefined
        ? send('POST', '/api/v2/users/', { body: { ...face, password } })
        : what === 'edit'
          ? send('PATCH', `/api/v2/users/${user.pk}/`, { body: face })
          : send('PUT', `/api/v2/users/${user.pk}/password/`, { body: { password } }),
    );
    if (!reply.ok) return setFailure(reply.error);
    say(t('saved'));
    onDone();
  };
  return (
    <FormDialog
      title={
        user === undefined
          ? t('admin.new-user')
          : t(what === 'edit' ? 'admin.edit-user' : 'admin.set-password-of', { name: user.username })
      }
      onClose={onClose}
      isBusy={isBusy}
      onSave={save}
    >
      <Wrong failure={failure} />
      {what !== 'password' && (
        <>
          <InputField
            label={t('account.username')}
            name="username"
            required
            maxLength={150}
            autoComplete="off"
            defaultValue={user?.username ?? ''}
          />
          <InputField
            label={t('account.first-name')}
            name="first_name"
            maxLength={30}
            defaultValue={user?.first_name ?? ''}
          />
          <InputField
            label={t('account.last-name')}
            name="last_name"
            maxLength={150}
            defaultValue={user?.last_name ?? ''}
          />
          <InputField label={t('account.email')} type="email" name="email" defaultValue={user?.email ?? ''} />
        </>
      )}
      {what !== 'edit' && <NewPasswordField />}
    </FormDialog>
  );
}
