// Administration: accounts, groups, what waits for approval, imports, tables of the database, and how the portal is.

import { useText } from '../../lib/i18n/text.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useTab } from '../../lib/use-tab.ts';
import { Tabs } from '../../ui/Tabs.tsx';
import { Bin } from '../account/Bin.tsx';
import { Basemaps } from '../basemaps/Basemaps.tsx';
import { RemoteServices } from '../services/RemoteServices.tsx';
import { Approvals } from './Approvals.tsx';
import { Audit } from './Audit.tsx';
import { DatabaseTables } from './DatabaseTables.tsx';
import { Groups } from './Groups.tsx';
import { Jobs } from './Jobs.tsx';
import { SystemState } from './SystemState.tsx';
import { Users } from './Users.tsx';
import '../account/account.css';
import './admin.css';

const TABS = [
  'users',
  'groups',
  'approvals',
  'jobs',
  'tables',
  'services',
  'basemaps',
  'audit',
  'bin',
  'system',
] as const;

export function AdminPage() {
  const t = useText();
  const [tab, setTab] = useTab(TABS);
  usePageTitle(t('nav.admin'));
  return (
    <div className="stack">
      <h1>{t('nav.admin')}</h1>
      <Tabs
        label={t('nav.admin')}
        chosen={tab}
        onChoose={setTab}
        tabs={TABS.map((name) => ({ name, label: name === 'bin' ? t('bin.title') : t(`admin.${name}`) }))}
      >
        {tab === 'users' && <Users />}
        {tab === 'groups' && <Groups />}
        {tab === 'approvals' && <Approvals />}
        {tab === 'jobs' && <Jobs />}
        {tab === 'tables' && <DatabaseTables />}
        {tab === 'services' && <RemoteServices />}
        {tab === 'basemaps' && <Basemaps />}
        {tab === 'audit' && <Audit />}
        {tab === 'bin' && <Bin />}
        {tab === 'system' && <SystemState />}
      </Tabs>
    </div>
  );
}
