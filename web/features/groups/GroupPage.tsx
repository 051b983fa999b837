// One group: what it is, who is in it, and what is shared with it.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Group } from '../../api/types.ts';
import { forgetLoaded, useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { navigate } from '../../lib/navigation.ts';
import { failureText } from '../../lib/server-message.ts';
import { useSession } from '../../lib/session.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Empty, WhenLoaded } from '../../ui/States.tsx';
import { complain, say } from '../../ui/toast.tsx';
import { RowList } from '../catalogue/ResourceCard.tsx';
import { DeleteGroupDialog } from './DeleteGroupDialog.tsx';
import { GroupDialog } from './GroupDialog.tsx';
import { Members } from './Members.tsx';
import '../catalogue/catalogue.css';
import '../resource/resource.css';
import './groups.css';

export function GroupPage({ id }: { readonly id: number }) {
  const [loaded, again] = useLoaded(`/api/v2/groups/${id}/?include[]=role`);
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ group_profile: group }) => <Shown group={group} onChanged={again} />}
    </WhenLoaded>
  );
}

type Open = 'edit' | 'delete' | 'leave';

function Shown({ group, onChanged }: { readonly group: Group; readonly onChanged: () => void }) {
  const t = useText();
  const { user } = useSession();
  const [open, setOpen] = useState<Open>();
  usePageTitle(group.title);
  const leads = group.role === 'manager' || user?.is_superuser === true;
  const close = (): void => setOpen(undefined);
  return (
    <div className="stack">
      <Link to="/groups" className="back-link">
        <Icon name="left" />
        {t('groups.mine')}
      </Link>
      <div className="row apart">
        <div className="stack tight">
          <h1>{group.title}</h1>
          <p className="soft small-text">
            {group.slug} · {t.entry('access', group.access)}
          </p>
        </div>
        <div className="row tight">
          {leads && (
            <Button icon="edit" onClick={() => setOpen('edit')}>
              {t('action.edit')}
            </Button>
          )}
          {group.role !== null && group.role !== undefined && (
            <Button onClick={() => setOpen('leave')}>{t('groups.leave')}</Button>
          )}
          {leads && (
            <Button look="danger" icon="trash" onClick={() => setOpen('delete')}>
              {t('action.delete')}
            </Button>
          )}
        </div>
      </div>
      {group.description !== '' && <p>{group.description}</p>}
      <section className="panel stack tight" aria-labelledby="group-members">
        <h2 id="group-members">{t('admin.members')}</h2>
        <Members group={group} leads={leads} />
        {leads && user?.is_superuser !== true && <p className="soft small-text">{t('groups.invite-about')}</p>}
      </section>
      <section className="stack tight" aria-labelledby="group-items">
        <h2 id="group-items">{t('groups.items')}</h2>
        <Items group={group} />
      </section>
      {open === 'edit' && (
        <GroupDialog
          group={group}
          onClose={close}
          onDone={() => {
            close();
            onChanged();
          }}
        />
      )}
      {open === 'delete' && <DeleteGroupDialog group={group} onClose={close} onDone={() => navigate('/groups')} />}
      {open === 'leave' && <LeaveDialog group={group} onClose={close} />}
    </div>
  );
}

function Items({ group }: { readonly group: Group }) {
  const t = useText();
  const [loaded, again] = useLoaded(
    `/api/v2/groups/${group.pk}/resources/?page_size=100&sort[]=-last_updated&include[]=sharing`,
  );
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {(items) =>
        items.length === 0 ? <Empty title={t('groups.no-items')} icon="layer" /> : <RowList items={items} />
      }
    </WhenLoaded>
  );
}

function LeaveDialog({ group, onClose }: { readonly group: Group; readonly onClose: () => void }) {
  const t = useText();
  const { user } = useSession();
  const [isBusy, during] = useBusy();
  const leave = async (): Promise<void> => {
    const reply = await during(send('DELETE', `/api/v2/groups/${group.pk}/members/${user?.pk ?? 0}/`));
    if (!reply.ok) return complain(failureText(t, reply.error));
    forgetLoaded();
    say(t('groups.left'));
    navigate('/groups');
  };
  return (
    <Dialog
      title={t('groups.leave-title', { name: group.title })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="danger" disabled={isBusy} onClick={() => void leave()}>
            {t('groups.leave')}
          </Button>
        </>
      }
    >
      <p>{t('groups.leave-text')}</p>
    </Dialog>
  );
}
