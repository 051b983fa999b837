// The head of every page: where one can go, language, light or dark, who is signed in.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import { helpOf } from '../../lib/docs/help-of.ts';
import { LANGUAGES, type Language, useText } from '../../lib/i18n/text.ts';
import { usePlace } from '../../lib/navigation.ts';
import type { Route } from '../../lib/route.ts';
import { useSession } from '../../lib/session.ts';
import { chooseTheme, THEMES, useTheme } from '../../lib/theme.ts';
import { leave } from '../../lib/unsaved.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Menu, MenuItem, MenuLink } from '../../ui/Menu.tsx';
import { JobsMenu } from '../jobs/JobsMenu.tsx';
import { NotificationBell } from '../social/NotificationBell.tsx';
import { startTour } from '../tour/tour-state.ts';

export function Header({ route, onLanguage }: { readonly route: Route; readonly onLanguage: (to: Language) => void }) {
  const t = useText();
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  const entry = (to: string, label: string, isHere: boolean) => (
    <Link
      to={to}
      className="nav-link"
      {...(isHere ? { 'aria-current': 'page' as const } : {})}
      onClick={() => setOpen(false)}
    >
      {label}
    </Link>
  );
  return (
    <header className="site-head">
      <Link to="/" className="brand" aria-label={t('nav.home')}>
        <Mark />
        <span>Survest</span>
      </Link>
      <IconButton
        icon={isOpen ? 'close' : 'menu'}
        name={t('nav.menu')}
        className="nav-toggle"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      <nav className={isOpen ? 'site-nav open' : 'site-nav'} aria-label={t('nav.main')}>
        {entry('/', t('nav.catalogue'), route.page === 'catalogue')}
        {entry('/viewer', t('nav.viewer'), route.page === 'viewer')}
        {user !== null &&
          user !== undefined &&
          entry('/add', t('nav.add'), route.page === 'add' || route.page === 'services')}
        {entry('/console', t('nav.console'), route.page === 'console')}
        {user?.is_superuser === true && entry('/admin', t('nav.admin'), route.page === 'admin')}
      </nav>
      <div className="site-tools">
        <HelpMenu route={route} />
        <ThemeMenu />
        <Menu label={t('nav.language')} icon="language" iconOnly look="quiet">
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <MenuItem key={code} lang={code} onClick={() => onLanguage(code as Language)}>
              {t.language === code ? <Icon name="check" /> : <span className="icon-svg" />}
              {name}
            </MenuItem>
          ))}
        </Menu>
        <JobsMenu />
        <NotificationBell />
        <AccountMenu />
      </div>
    </header>
  );
}

/** The part of the documentation that is about this page, all of it, and the tour. */
function HelpMenu({ route }: { readonly route: Route }) {
  const t = useText();
  return (
    <div className="help-menu">
      <Menu label={t('nav.help')} icon="help" iconOnly look="quiet">
        {route.page !== 'docs' && (
          <MenuLink icon="help" to={helpOf(route)}>
            {t('help.this-page')}
          </MenuLink>
        )}
        <MenuLink icon="geostory" to="/docs">
          {t('docs.title')}
        </MenuLink>
        <MenuItem icon="right" onClick={() => startTour()}>
          {t('tour.title')}
        </MenuItem>
      </Menu>
    </div>
  );
}

function ThemeMenu() {
  const t = useText();
  const { user } = useSession();
  const theme = useTheme();
  const icons = { auto: 'auto', light: 'sun', dark: 'moon' } as const;
  return (
    <Menu label={t('nav.theme')} icon={icons[theme]} iconOnly look="quiet">
      {THEMES.map((name) => (
        <MenuItem
          key={name}
          icon={icons[name]}
          onClick={() => {
            chooseTheme(name);
            if (user !== null && user !== undefined)
              void send('PATCH', '/api/v2/preferences/', { body: { theme: name } });
          }}
        >
          <span className="grow">{t(`theme.${name}`)}</span>
          {name === theme && <Icon name="check" />}
        </MenuItem>
      ))}
    </Menu>
  );
}

function AccountMenu() {
  const t = useText();
  const { user, signOut } = useSession();
  const { path, search } = usePlace();
  if (user === undefined) return <span className="account-place" />;
  if (user === null) {
    const here = encodeURIComponent(path + (search === '' ? '' : `?${search}`));
    return (
      <Link
        className="button primary"
        to={path.startsWith('/account/login') ? '/account/login' : `/account/login?next=${here}`}
      >
        {t('account.sign-in')}
      </Link>
    );
  }
  return (
    <Menu label={user.username} icon="user">
      <MenuLink icon="user" to="/account">
        {t('account.mine')}
      </MenuLink>
      <MenuLink icon="group" to="/groups">
        {t('groups.mine')}
      </MenuLink>
      <MenuLink icon="geostory" to="/stories/new">
        {t('story.new')}
      </MenuLink>
      <MenuLink icon="geoapp" to="/apps/new">
        {t('dash.new')}
      </MenuLink>
      <MenuItem icon="external" onClick={() => leave(() => void signOut())}>
        {t('account.sign-out')}
      </MenuItem>
    </Menu>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="30" height="30" aria-hidden="true" focusable="false" className="mark">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="none" stroke="var(--on-accent)" strokeLinecap="round" strokeWidth="2.3">
        <path d="M6 17c3-5 6-3 9-7s6-5 9-4" opacity=".4" />
        <path d="M6 22c4-6 7-3 10-7s6-6 10-5" opacity=".7" />
        <path d="M6 26.500c5-7 8-3 11-7s5-6 9-5" />
      </g>
    </svg>
  );
}
