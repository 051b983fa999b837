// Groups and who is in them.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Account, Group } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy, usePending } from '../../lib/use-pending.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Empty, WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';

const ACCESS = ['public', 'public-invite', 'private'] as const;

export function Groups() {
  const t = useText();
  const [loaded, again] = useLoaded('/api/v2/groups/?page_size=500&sort[]=title&filter{-slug}=registered-members');
  const [isNew, setNew] = useState(false);
  const [open, setOpen] = useState<number>();
  return (
    <div className="stack">
      <div className="row apart">
        <p className="soft">{t('admin.groups-about')}</p>
        <Button look="primary" icon="plus" onClick={() => setNew(true)}>
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
                    <Button
                      small
                      aria-expanded={open === group.pk}
                      onClick={() => setOpen(open === group.pk ? undefined : group.pk)}
                    >
                      {t('admin.members')}
                    </Button>
                  </div>
                  {open === group.pk && <Members group={group} />}
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {isNew && (
        <GroupDialog
          onClose={() => setNew(false)}
          onDone={() => {
            setNew(false);
            again();
          }}
        />
      )}
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
      <WhenLoaded loaded={members}>
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

function GroupDialog({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const save = async (form: FormData): Promise<void> => {
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    const body = { title: text('title'), slug: text('slug'), description: text('description'), access: text('access') };
    const reply = await during(send('POST', '/api/v2/groups/', { body }));
    if (!reply.ok) return setFailure(reply.error);
    say(t('saved'));
    onDone();
  };
  return (
    <FormDialog title={t('admin.new-group')} onClose={onClose} isBusy={isBusy} onSave={save}>
      <Wrong failure={failure} />
      <Field label={t('meta.title')}>
        {(wired) => <input {...wired} className="input" name="title" required maxLength={1000} />}
      </Field>
      <Field label={t('admin.slug')} hint={t('admin.slug-hint')}>
        {(wired) => (
          <input {...wired} className="input" name="slug" required maxLength={50} pattern="[\-a-zA-Z0-9_]+" />
        )}
      </Field>
      <Field label={t('meta.abstract')}>
        {(wired) => <textarea {...wired} className="input" name="description" />}
      </Field>
      <Field label={t('admin.access')}>
        {(wired) => (
          <select {...wired} className="input" name="access">
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
