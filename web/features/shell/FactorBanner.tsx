// Above every page, for administrators who need a second factor and have none: why they are none until then, and where to go.

import { useText } from '../../lib/i18n/text.ts';
import { useSession } from '../../lib/session.ts';
import { Link } from '../../ui/Link.tsx';

export function FactorBanner() {
  const t = useText();
  const { user } = useSession();
  if (user?.needs_second_factor !== true) return null;
  return (
    <aside className="mode-banner" aria-label={t('factor.title')}>
      <p>
        {t('factor.required')} <Link to="/account?tab=access">{t('factor.set-up')}</Link>
      </p>
    </aside>
  );
}
