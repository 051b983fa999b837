// The foot of every page: where programs find the portal.

import { useText } from '../../lib/i18n/text.ts';

export function Footer() {
  const t = useText();
  return (
    <footer className="site-foot">
      <span>{t('foot.about')}</span>
      <nav aria-label={t('foot.interfaces')}>
        <a href="/api/v2/">API v2</a>
        <a href="/rest/v1/">REST</a>
        <a href="/ogc/">OGC API</a>
        <a href="/api/v2/schema/?format=json">OpenAPI</a>
      </nav>
    </footer>
  );
}
