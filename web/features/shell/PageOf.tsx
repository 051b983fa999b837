// The page of an address. Each but the first is loaded when it is asked for. A page that breaks says so instead of going blank.

import { Component, lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useText } from '../../lib/i18n/text.ts';
import { navigate } from '../../lib/navigation.ts';
import type { Route } from '../../lib/route.ts';
import { useSession } from '../../lib/session.ts';
import { Empty, Failed, Waiting } from '../../ui/States.tsx';
import { LoginPage } from '../account/LoginPage.tsx';
import { Catalogue } from '../catalogue/Catalogue.tsx';

const LayerPage = lazy(() => import('../resource/LayerPage.tsx').then((m) => ({ default: m.LayerPage })));
const MapPage = lazy(() => import('../resource/MapPage.tsx').then((m) => ({ default: m.MapPage })));
const DocumentPage = lazy(() => import('../resource/DocumentPage.tsx').then((m) => ({ default: m.DocumentPage })));
const AppPage = lazy(() => import('../app/AppPage.tsx').then((m) => ({ default: m.AppPage })));
const AppEditor = lazy(() => import('../app/AppEditor.tsx').then((m) => ({ default: m.AppEditor })));
const StoryEditor = lazy(() => import('../story/StoryEditor.tsx').then((m) => ({ default: m.StoryEditor })));
const ViewerPage = lazy(() => import('../viewer/ViewerPage.tsx').then((m) => ({ default: m.ViewerPage })));
const EmbedPage = lazy(() => import('../viewer/EmbedPage.tsx').then((m) => ({ default: m.EmbedPage })));
const AddPage = lazy(() => import('../upload/AddPage.tsx').then((m) => ({ default: m.AddPage })));
const NewLayerPage = lazy(() => import('../upload/NewLayerPage.tsx').then((m) => ({ default: m.NewLayerPage })));
const ServicesPage = lazy(() => import('../services/ServicesPage.tsx').then((m) => ({ default: m.ServicesPage })));
const AskLinkPage = lazy(() => import('../account/AskLinkPage.tsx').then((m) => ({ default: m.AskLinkPage })));
const MailLinkPage = lazy(() => import('../account/MailLinkPage.tsx').then((m) => ({ default: m.MailLinkPage })));
const AccountPage = lazy(() => import('../account/AccountPage.tsx').then((m) => ({ default: m.AccountPage })));
const NotificationsPage = lazy(() =>
  import('../social/NotificationsPage.tsx').then((m) => ({ default: m.NotificationsPage })),
);
const GroupsPage = lazy(() => import('../groups/GroupsPage.tsx').then((m) => ({ default: m.GroupsPage })));
const GroupPage = lazy(() => import('../groups/GroupPage.tsx').then((m) => ({ default: m.GroupPage })));
const AdminPage = lazy(() => import('../admin/AdminPage.tsx').then((m) => ({ default: m.AdminPage })));
const ConsolePage = lazy(() => import('../console/ConsolePage.tsx').then((m) => ({ default: m.ConsolePage })));
const DocsPage = lazy(() => import('../docs/DocsPage.tsx').then((m) => ({ default: m.DocsPage })));

export function PageOf({ route, isFirst }: { readonly route: Route; readonly isFirst: boolean }) {
  useEffect(() => {
    if (isFirst) return;
    // As after loading a page: screen readers begin to read at its top.
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [isFirst]);
  return (
    <Guard>
      <Suspense fallback={<Waiting />}>{page(route)}</Suspense>
    </Guard>
  );
}

function page(route: Route): ReactNode {
  switch (route.page) {
    case 'catalogue':
      return <Catalogue />;
    case 'login':
      return <LoginPage />;
    case 'layer':
      return <LayerPage name={route.name} />;
    case 'layer-embed':
      return <EmbedPage what="layer" name={route.name} />;
    case 'map':
      return <MapPage id={route.id} />;
    case 'map-embed':
      return <EmbedPage what="map" name={String(route.id)} />;
    case 'document':
      return <DocumentPage id={route.id} />;
    case 'app':
      return <AppPage id={route.id} embedded={false} />;
    case 'app-embed':
      return <AppPage id={route.id} embedded={true} />;
    case 'app-editor':
      return (
        <SignedIn>
          <AppEditor id={route.id} />
        </SignedIn>
      );
    case 'story-editor':
      return (
        <SignedIn>
          <StoryEditor id={route.id} />
        </SignedIn>
      );
    case 'viewer':
      return <ViewerPage id={route.id} />;
    case 'add':
      return (
        <SignedIn>
          <AddPage upload={route.upload} />
        </SignedIn>
      );
    case 'new-layer':
      return (
        <SignedIn>
          <NewLayerPage />
        </SignedIn>
      );
    case 'services':
      return (
        <SignedIn>
          <ServicesPage />
        </SignedIn>
      );
    case 'account':
      return (
        <SignedIn>
          <AccountPage />
        </SignedIn>
      );
    case 'groups':
      return (
        <SignedIn>
          <GroupsPage />
        </SignedIn>
      );
    case 'group':
      return (
        <SignedIn>
          <GroupPage id={route.id} />
        </SignedIn>
      );
    case 'notifications':
      return (
        <SignedIn>
          <NotificationsPage />
        </SignedIn>
      );
    case 'forgotten':
      return <AskLinkPage purpose="password" />;
    case 'register':
      return <AskLinkPage purpose="registration" />;
    case 'mail-link':
      return <MailLinkPage />;
    case 'admin':
      return (
        <SignedIn admin>
          <AdminPage />
        </SignedIn>
      );
    case 'console':
      return <ConsolePage />;
    case 'docs':
      return <DocsPage name={route.name} />;
    case 'lost':
      return <Lost />;
  }
}

/** For pages that are nothing without somebody: a visitor is led to signing in, and back. */
function SignedIn({ admin = false, children }: { readonly admin?: boolean; readonly children: ReactNode }) {
  const { user, failure, refresh } = useSession();
  useEffect(() => {
    if (user === null) {
      const next = encodeURIComponent(window.location.pathname + window.location.search);
      navigate(`/account/login?next=${next}`, { replace: true });
    }
  }, [user]);
  if (user === undefined && failure !== undefined) return <Failed failure={failure} onRetry={() => void refresh()} />;
  if (user === undefined || user === null) return <Waiting />;
  if (admin && !user.is_superuser) return <Failed failure={{ kind: 'refused', said: [] }} />;
  return children;
}

function Lost() {
  const t = useText();
  return (
    <Empty title={t('lost.title')} isPage>
      <p>{t('lost.text')}</p>
      <a className="button" href="/">
        {t('nav.to-catalogue')}
      </a>
    </Empty>
  );
}

class Guard extends Component<{ readonly children: ReactNode }, { readonly broken: boolean }> {
  override state: { readonly broken: boolean } = { broken: false };

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? (
      <Failed failure={{ kind: 'server', status: 0, said: [] }} onRetry={() => window.location.reload()} />
    ) : (
      this.props.children
    );
  }
}
