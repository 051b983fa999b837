// Groups and who is in them.

import { useState } from 'react';
import type { Group } from '../../api/types.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Empty, WhenLoaded } from '../../ui/States.tsx';
import { DeleteGroupDialog } from '../groups/DeleteGroupDialog.tsx';
import { GroupDialog } from '../groups/GroupDialog.tsx';
import { Members } from '../groups/Members.tsx';
import '../groups/groups.css';

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
                  {open === group.pk && <Members group={group} leads />}
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
