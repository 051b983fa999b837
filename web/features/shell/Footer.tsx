// The foot of every page: where programs find the portal.

import { useText } from '../../lib/i18n/text.ts';
import { Link } from '../../ui/Link.tsx';

export function Footer() {
  const t = useText();
  return (
    <footer className="site-foot">
      <span>{t('foot.about')}</span>
      <nav aria-label={t('foot.interfaces')}>
        <Link to="/docs">{t('docs.title')}</Link>
        <a href="/api/v2/">API v2</a>
        <a href="/rest/v1/">REST</a>
        <a href="/ogc/">OGC API</a>
        <a href="/api/v2/schema/?format=json">OpenAPI</a>
      </nav>
    </footer>
  );
}
