// One's own account: profile, password, what one owns, imports and deleted, what one is invited to, what can act as the account.

import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useTab } from '../../lib/use-tab.ts';
import { Link } from '../../ui/Link.tsx';
import { Empty, WhenLoaded } from '../../ui/States.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { RowList } from '../catalogue/ResourceCard.tsx';
import { AccessTab } from './AccessTab.tsx';
import { Bin } from './Bin.tsx';
import { Invitations } from './Invitations.tsx';
import { Profile } from './Profile.tsx';
import { UploadTable } from './UploadTable.tsx';
import '../catalogue/catalogue.css';
import './account.css';

const TABS = ['resources', 'uploads', 'bin', 'profile', 'access'] as const;

export function AccountPage() {
  const t = useText();
  const { user } = useSession();
  const [tab, setTab] = useTab(TABS);
  usePageTitle(t('account.mine'));
  if (user === null || user === undefined) return null;
  return (
    <div className="stack">
      <h1>{`${user.first_name} ${user.last_name}`.trim() || user.username}</h1>
      <Invitations />
      <Tabs
        label={t('account.mine')}
        chosen={tab}
        onChoose={setTab}
        tabs={[
          { name: 'resources', label: t('account.resources') },
          { name: 'uploads', label: t('account.uploads') },
          { name: 'bin', label: t('bin.title') },
          { name: 'profile', label: t('account.profile') },
          { name: 'access', label: t('account.access') },
        ]}
      >
        {tab === 'resources' && <OwnResources username={user.username} />}
        {tab === 'uploads' && <OwnUploads />}
        {tab === 'bin' && <Bin />}
        {tab === 'profile' && <Profile id={user.pk} />}
        {tab === 'access' && <AccessTab />}
      </Tabs>
    </div>
  );
}

function OwnResources({ username }: { readonly username: string }) {
  const t = useText();
  const [loaded, again] = useLoaded(
    `/api/v2/resources/?filter{owner.username}=${encodeURIComponent(username)}&page_size=100&sort[]=-last_updated&include[]=sharing`,
  );
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ resources, total }) =>
        total === 0 ? (
          <Empty title={t('account.no-resources')} icon="layer">
            <Link className="button primary" to="/add">
              {t('nav.add')}
            </Link>
          </Empty>
        ) : (
          <div className="stack">
            <p className="soft">{t.count('catalogue.found', total)}</p>
            <RowList items={resources} />
            {total > resources.length && (
              <Link to={`/?owner=${encodeURIComponent(username)}`}>{t('account.all-resources')}</Link>
            )}
          </div>
        )
      }
    </WhenLoaded>
  );
}

function OwnUploads() {
  const t = useText();
  const [loaded, again] = useLoaded('/api/v2/uploads/?page_size=100&sort[]=-date');
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ uploads }) =>
        uploads.length === 0 ? (
          <Empty title={t('account.no-uploads')} icon="upload" />
        ) : (
          <UploadTable uploads={uploads} />
        )
      }
    </WhenLoaded>
  );
}
