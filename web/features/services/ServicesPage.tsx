// Services of others that the reader has registered: for everybody who may create content. The database decides who that is.

import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Link } from '../../ui/Link.tsx';
import { RemoteServices } from './RemoteServices.tsx';

export function ServicesPage() {
  const t = useText();
  const { user } = useSession();
  usePageTitle(t('services.mine'));
  if (user === undefined || user === null) return null;
  return (
    <div className="stack loose">
      <header className="stack tight">
        <h1>{t('services.mine')}</h1>
        <p>
          <Link to="/add">{t('services.back')}</Link>
        </p>
      </header>
      <RemoteServices owner={user.username} />
    </div>
  );
}
