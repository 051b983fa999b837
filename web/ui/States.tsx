// What a page shows while it has nothing to show: loading, nothing found, refused, failed.

import type { ReactNode } from 'react';
import type { Failure } from '../api/failure.ts';
import type { Loaded } from '../api/use-loaded.ts';
import { useText } from '../lib/i18n/text.ts';
import { usePlace } from '../lib/navigation.ts';
import { failureText } from '../lib/server-message.ts';
import { useSession } from '../lib/session.ts';
import { linkInUse } from '../lib/share-link.ts';
import { Button } from './Button.tsx';
import { Icon, type IconName } from './Icon.tsx';
import { Link } from './Link.tsx';

export function Waiting({ label }: { readonly label?: string }) {
  const t = useText();
  return (
    <div className="state-box" role="status" aria-busy="true">
      <div className="spinner" />
      <span>{label ?? t('state.loading')}</span>
    </div>
  );
}

export function Empty({
  title,
  icon = 'search',
  isPage = false,
  children,
}: {
  readonly title: string;
  readonly icon?: IconName;
  /** There is nothing else on the page: its title is the page's. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className="state-box">
      <Icon name={icon} />
      <Heading>{title}</Heading>
      {children}
    </div>
  );
}

/** What asking again does not change needs no button for it. */
type Final = { readonly failure: Extract<Failure, { kind: 'not-found' | 'refused' }>; readonly onRetry?: undefined };

export function Failed({ failure, onRetry }: { readonly failure: Failure; readonly onRetry: () => void } | Final) {
  const t = useText();
  const place = usePlace();
  const { user } = useSession();
  const hadLink = failure.kind === 'not-found' && linkInUse() !== undefined;
  // To who is somebody already, signing in opens nothing that is not theirs.
  const mayHelp = failure.kind === 'signed-out' || (failure.kind === 'not-found' && user === null);
  const next = encodeURIComponent(place.path + (place.search === '' ? '' : `?${place.search}`));
  const icon: IconName =
    failure.kind === 'refused' || failure.kind === 'signed-out'
      ? 'lock'
      : failure.kind === 'not-found'
        ? 'search'
        : 'warning';
  return (
    <div className="state-box" role="alert">
      <Icon name={icon} />
      <h2>{t(hadLink ? 'failure.link.title' : `failure.${failure.kind}.title`)}</h2>
      <p>{hadLink ? t('failure.link.text') : failureText(t, failure)}</p>
      <div className="row">
        {mayHelp && (
          <Link className="button primary" to={`/account/login?next=${next}`}>
            {t('account.sign-in')}
          </Link>
        )}
        {onRetry !== undefined && (failure.kind === 'offline' || failure.kind === 'server') && (
          <Button look="primary" onClick={onRetry}>
            {t('action.retry')}
          </Button>
        )}
        <Link className="button" to="/">
          {t('nav.to-catalogue')}
        </Link>
      </div>
    </div>
  );
}

/** Draws the value once it is there. */
export function WhenLoaded<T>({
  loaded,
  onRetry,
  waiting,
  children,
}: {
  readonly loaded: Loaded<T>;
  readonly onRetry: () => void;
  readonly waiting?: ReactNode;
  readonly children: (value: T) => ReactNode;
}) {
  switch (loaded.kind) {
    case 'loading':
      return waiting ?? <Waiting />;
    case 'failed':
      return <Failed failure={loaded.failure} onRetry={onRetry} />;
    case 'loaded':
      return children(loaded.value);
  }
}

export function Wrong({ failure }: { readonly failure: Failure | undefined }) {
  const t = useText();
  if (failure === undefined) return null;
  return (
    <p className="notice bad" role="alert">
      {failureText(t, failure)}
    </p>
  );
}
