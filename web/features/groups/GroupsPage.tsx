// The groups that the reader is in, and those that they are invited to.

import { useState } from 'react';
import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';
import { Empty, WhenLoaded } from '../../ui/States.tsx';
import { Invitations } from '../account/Invitations.tsx';
import { GroupDialog } from './GroupDialog.tsx';
import './groups.css';

const MINE =
  '/api/v2/groups/?filter{role.in}=manager&filter{role.in}=member&include[]=role&page_size=500&sort[]=title&filter{-slug}=registered-members';

export function GroupsPage() {
  const t = useText();
  const { user } = useSession();
  const [loaded, again] = useLoaded(MINE);
  const [settings] = useLoaded('/api/v2/settings/');
  const [isNew, setNew] = useState(false);
  usePageTitle(t('groups.mine'));
  const mayMake =
    user?.is_superuser === true || (settings.kind === 'loaded' && settings.value.settings.GROUPS_BY_ACCOUNTS);
  return (
    <div className="stack">
      <h1>{t('groups.mine')}</h1>
      <Invitations onAnswered={again} />
      <div className="row apart">
        <p className="soft">{t('groups.about')}</p>
        {mayMake && (
          <Button look="primary" icon="plus" onClick={() => setNew(true)}>
            {t('admin.new-group')}
          </Button>
        )}
      </div>
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ group_profiles: groups }) =>
          groups.length === 0 ? (
            <Empty title={t('groups.none')} icon="group" />
          ) : (
            <ul className="group-list">
              {groups.map((group) => (
                <li key={group.pk} className="panel stack tight">
                  <div className="row">
                    <h2 className="grow">
                      <Link to={`/groups/${group.pk}`}>{group.title}</Link>
                    </h2>
                    <span className="badge">{t(`groups.role.${group.role ?? 'member'}`)}</span>
                  </div>
                  {group.description !== '' && <p className="soft">{group.description}</p>}
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {isNew && (
        <GroupDialog
          group={undefined}
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
