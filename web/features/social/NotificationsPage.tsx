// What happened to items that the reader follows; which items these are; which kinds are wanted, and how.

import { useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useTab } from '../../lib/use-tab.ts';
import { Empty, WhenLoaded } from '../../ui/States.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { Invitations } from '../account/Invitations.tsx';
import { RowList } from '../catalogue/ResourceCard.tsx';
import { FollowedSources } from './FollowedSources.tsx';
import { NotificationList } from './NotificationList.tsx';
import { NotificationSettings } from './NotificationSettings.tsx';
import '../catalogue/catalogue.css';
import './notifications.css';

const TABS = ['news', 'followed', 'settings'] as const;

export function NotificationsPage() {
  const t = useText();
  const [tab, setTab] = useTab(TABS);
  usePageTitle(t('notify.title'));
  return (
    <div className="stack">
      <h1>{t('notify.title')}</h1>
      <Tabs
        label={t('notify.title')}
        chosen={tab}
        onChoose={setTab}
        tabs={TABS.map((name) => ({ name, label: t(`notify.tab.${name}`) }))}
      >
        {tab === 'news' && (
          <div className="stack">
            <Invitations />
            <NotificationList />
          </div>
        )}
        {tab === 'followed' && (
          <div className="stack loose">
            <FollowedSources />
            <Followed />
          </div>
        )}
        {tab === 'settings' && <NotificationSettings />}
      </Tabs>
    </div>
  );
}

function Followed() {
  const t = useText();
  const [loaded, again] = useLoaded('/api/v2/resources/followed/?page_size=100&sort[]=-last_updated');
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ resources, total }) =>
        total === 0 ? (
          <Empty title={t('notify.follows-none')} icon="bell">
            <p>{t('notify.follows-about')}</p>
          </Empty>
        ) : (
          <div className="stack">
            <p className="soft">{t('notify.follows-about')}</p>
            <p className="soft">{t.count('catalogue.found', total)}</p>
            <RowList items={resources} />
          </div>
        )
      }
    </WhenLoaded>
  );
}
