// Groups and who is in them.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Account, Group } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import type { Result } from '../../lib/result.ts';
import { useBusy, usePending } from '../../lib/use-pending.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Empty, WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';

const ACCESS = ['public', 'public-invite', 'private'] as const;

export function Groups() {
  const t = useText();
  const [loaded, again] = useLoaded('/api/v2/groups/?page_size=500&sort[]=title&filter{-slug}=registered-members');
  const [dialog, setDialog] = useState<'new' | { readonly what: 'edit' | 'delete'; readonly group: Group }>();
  const close = (): void => setDialog(undefined);
  const done = (): void => {
    close();
    again();
  };
  const [open, setOpen] = useState<number>();
  return (
    <div className="stack">
      <div className="row apart">
        <p className="soft">{t('admin.groups-about')}</p>
        <Button look="primary" icon="plus" onClick={() => setDialog('new')}>
          {t('admin.new-group')}
        </Button>
      </div>
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ group_profiles: groups }) =>
          groups.length === 0 ? (
            <Empty title={t('admin.no-groups')} icon="group" />
          ) : (
            <ul className="group-list">
              {groups.map((group) => (
                <li key={group.pk} className="panel stack tight">
                  <div className="row apart">
                    <div>
                      <h2>{group.title}</h2>
                      <p className="soft small-text">
                        {group.slug} · {t.entry('access', group.access)}
                      </p>
                    </div>
                    <div className="row tight">
                      <Button
                        small
                        aria-expanded={open === group.pk}
                        onClick={() => setOpen(open === group.pk ? undefined : group.pk)}
                      >
                        {t('admin.members')}
                      </Button>
                      <IconButton
                        small
                        icon="edit"
                        name={t('admin.edit-group', { name: group.title })}
                        onClick={() => setDialog({ what: 'edit', group })}
                      />
                      <IconButton
                        small
                        icon="trash"
                        name={t('admin.delete-group', { name: group.title })}
                        onClick={() => setDialog({ what: 'delete', group })}
                      />
                    </div>
                  </div>
                  {open === group.pk && <Members group={group} />}
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {dialog !== undefined &&
        (dialog !== 'new' && dialog.what === 'delete' ? (
          <DeleteGroupDialog group={dialog.group} onClose={close} onDone={done} />
        ) : (
          <GroupDialog group={dialog === 'new' ? undefined : dialog.group} onClose={close} onDone={done} />
        ))}
    </div>
  );
}

function Members({ group }: { readonly group: Group }) {
  const t = useText();
  const [members, again] = useLoaded(`/api/v2/groups/${group.pk}/members/`);
  const [managers, againManagers] = useLoaded(`/api/v2/groups/${group.pk}/managers/`);
  const [failure, setFailure] = useState<Failure>();
  const pending = usePending<number>();
  const done = (reply: { readonly ok: boolean; readonly error?: Failure }): void => {
    setFailure(reply.ok ? undefined : reply.error);
    again();
    againManagers();
  };
  const remove = async ({ pk }: Account): Promise<void> => {
    const reply = await pending.during(pk, send('DELETE', `/api/v2/groups/${group.pk}/members/${pk}/`));
    // Who is gone already is gone.
    done(reply.ok || reply.error.kind === 'not-found' ? { ok: true } : reply);
  };
  const isManager = (pk: number): boolean => managers.kind === 'loaded' && managers.value.some((one) => one.pk === pk);
  return (
    <div className="stack tight">
      <Wrong failure={failure} />
      <WhenLoaded loaded={members} onRetry={() => done({ ok: true })}>
        {(list) => (
          <ul className="member-list">
            {list.map((member) => (
              <li key={member.pk} className="row tight">
                <Icon name="user" />
                <span className="grow">{member.username}</span>
                {isManager(member.pk) && <span className="badge">{t('admin.manager')}</span>}
                <IconButton
                  small
                  icon="close"
                  name={t('action.remove-named', { name: member.username })}
                  disabled={pending.has(member.pk)}
                  onClick={() => void remove(member)}
                />
              </li>
            ))}
          </ul>
        )}
      </WhenLoaded>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const given = new FormData(form);
          void send('POST', `/api/v2/groups/${group.pk}/members/`, {
            body: {
              username: String(given.get('username')).trim(),
              role: given.get('manager') === null ? 'member' : 'manager',
            },
          }).then((reply) => {
            if (reply.ok) form.reset();
            done(reply);
          });
        }}
      >
        <input
          className="input small admin-search"
          name="username"
          required
          maxLength={150}
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
    </div>
  );
}

function DeleteGroupDialog({
  group,
  onClose,
  onDone,
}: {
  readonly group: Group;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const remove = async (): Promise<void> => {
    const reply = await during(send('DELETE', `/api/v2/groups/${group.pk}/`));
    if (!reply.ok) return setFailure(reply.error);
    say(t('deleted'));
    onDone();
  };
  return (
    <Dialog
      title={t('admin.delete-group-title', { name: group.title })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="danger" icon="trash" disabled={isBusy} onClick={() => void remove()}>
            {t('action.delete')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{t('admin.delete-group-text')}</p>
        <Wrong failure={failure} />
      </div>
    </Dialog>
  );
}

function GroupDialog({
  group,
  onClose,
  onDone,
}: {
  readonly group: Group | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const save = async (form: FormData): Promise<void> => {
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    const body = { title: text('title'), slug: text('slug'), description: text('description'), access: text('access') };
    const reply = await during<Result<unknown, Failure>>(
      group === undefined
        ? send('POST', '/api/v2/groups/', { body })
        : send('PATCH', `/api/v2/groups/${group.pk}/`, { body }),
    );
    if (!reply.ok) return setFailure(reply.error);
    say(t('saved'));
    onDone();
  };
  return (
    <FormDialog
      title={group === undefined ? t('admin.new-group') : t('admin.edit-group', { name: group.title })}
      onClose={onClose}
      isBusy={isBusy}
      onSave={save}
    >
      <Wrong failure={failure} />
      <Field label={t('meta.title')}>
        {(wired) => (
          <input
            {...wired}
            className="input"
            name="title"
            required
            maxLength={1000}
            defaultValue={group?.title ?? ''}
          />
        )}
      </Field>
      <Field label={t('admin.slug')} hint={t('admin.slug-hint')}>
        {(wired) => (
          <input
            {...wired}
            className="input"
            name="slug"
            required
            maxLength={50}
            pattern="[\-a-zA-Z0-9_]+"
            defaultValue={group?.slug ?? ''}
          />
        )}
      </Field>
      <Field label={t('meta.abstract')}>
        {(wired) => (
          <textarea {...wired} className="input" name="description" defaultValue={group?.description ?? ''} />
        )}
      </Field>
      <Field label={t('admin.access')}>
        {(wired) => (
          <select {...wired} className="input" name="access" defaultValue={group?.access ?? ACCESS[0]}>
            {ACCESS.map((name) => (
              <option key={name} value={name}>
                {t(`access.${name}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  );
}
