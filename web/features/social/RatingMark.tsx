// How an item was rated and how much is said of it, in a few characters. Nothing at all where nobody did.

import type { Resource } from '../../api/types.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Icon } from '../../ui/Icon.tsx';
import './rating.css';

type Rated = Pick<Resource, 'rating_average' | 'rating_count' | 'comment_count'>;

export function RatingMark({ item }: { readonly item: Rated }) {
  const t = useText();
  const { rating_average: average, rating_count: count, comment_count: comments } = item;
  if (count === 0 && comments === 0) return null;
  return (
    <span className="rating-mark">
      {count > 0 && (
        <span title={t.count('rating.of', count, { average: t.number(average, ONE_DIGIT) })}>
          <Icon name="star" className="filled" />
          <span aria-hidden="true">{t.number(average, ONE_DIGIT)}</span>
          <span className="visually-hidden">
            {t.count('rating.of', count, { average: t.number(average, ONE_DIGIT) })}
          </span>
        </span>
      )}
      {comments > 0 && (
        <span title={t.count('comments.count', comments)}>
          <Icon name="note" />
          <span aria-hidden="true">{t.number(comments)}</span>
          <span className="visually-hidden">{t.count('comments.count', comments)}</span>
        </span>
      )}
    </span>
  );
}

export const ONE_DIGIT: Intl.NumberFormatOptions = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
