// From page to page of a list.

import { useText } from '../../lib/i18n/text.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';

export function Pager({
  page,
  pages,
  linkTo,
  onTurn,
}: {
  readonly page: number;
  readonly pages: number;
  readonly linkTo: (page: number) => string;
  /** Another page was chosen. */
  readonly onTurn: () => void;
}) {
  const t = useText();
  if (pages <= 1) return null;
  const near = [...new Set([1, page - 1, page, page + 1, pages])].filter((n) => n >= 1 && n <= pages);
  return (
    <nav className="pager" aria-label={t('pager.label')}>
      {page > 1 && (
        <Link className="button" to={linkTo(page - 1)} rel="prev" onClick={onTurn}>
          <Icon name="left" />
          {t('pager.previous')}
        </Link>
      )}
      <ol>
        {near.map((n, i) => (
          <li key={n}>
            {i > 0 && n - (near[i - 1] ?? n) > 1 && <span aria-hidden="true">…</span>}
            <Link
              className="button small"
              to={linkTo(n)}
              onClick={onTurn}
              aria-label={t('pager.page', { n })}
              {...(n === page ? { 'aria-current': 'page' as const } : {})}
            >
              {n}
            </Link>
          </li>
        ))}
      </ol>
      {page < pages && (
        <Link className="button" to={linkTo(page + 1)} rel="next" onClick={onTurn}>
          {t('pager.next')}
          <Icon name="right" />
        </Link>
      )}
    </nav>
  );
}
