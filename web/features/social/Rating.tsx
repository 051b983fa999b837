// The rating of an item: the average for everybody, five stars to press for who is signed in. Pressing the own rating again takes it back.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Resource } from '../../api/types.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { useSession } from '../../lib/session.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Icon } from '../../ui/Icon.tsx';
import { complain } from '../../ui/toast.tsx';
import { ONE_DIGIT } from './RatingMark.tsx';
import './rating.css';

const STARS = [1, 2, 3, 4, 5] as const;

type State = { readonly average: number; readonly count: number; readonly mine: number | null };

export function Rating({ item }: { readonly item: Resource }) {
  const t = useText();
  const { user } = useSession();
  const isSignedIn = user !== null && user !== undefined;
  const path = `/api/v2/resources/${Number(item.pk)}/rating/` as const;
  const [loaded] = useFresh(isSignedIn ? path : undefined);
  const [changed, setChanged] = useState<State>();
  const [isBusy, during] = useBusy();
  const usual: State = { average: item.rating_average, count: item.rating_count, mine: null };
  const { average, count, mine } = changed ?? (loaded.kind === 'loaded' ? loaded.value : usual);
  const rate = async (stars: number): Promise<void> => {
    const reply = await during(stars === mine ? send('DELETE', path) : send('PUT', path, { body: { stars } }));
    if (reply.ok) setChanged(reply.value);
    else complain(failureText(t, reply.error));
  };
  const summary =
    count === 0 ? t('rating.none') : t.count('rating.of', count, { average: t.number(average, ONE_DIGIT) });
  return (
    <div className="rating row tight">
      {isSignedIn && (
        <fieldset className="rating-stars">
          <legend className="visually-hidden">{t('rating.yours')}</legend>
          {STARS.map((stars) => (
            <button
              key={stars}
              type="button"
              className="rating-star"
              aria-pressed={mine === stars}
              title={mine === stars ? t('rating.remove') : t.count('rating.stars', stars)}
              aria-label={t.count('rating.stars', stars)}
              disabled={isBusy}
              onClick={() => void rate(stars)}
            >
              <Icon name="star" className={mine !== null && stars <= mine ? 'filled' : ''} />
            </button>
          ))}
        </fieldset>
      )}
      {!isSignedIn && count > 0 && <Icon name="star" className="filled" />}
      <span className="soft small-text" role="status">
        {isSignedIn || count > 0 ? summary : ''}
      </span>
    </div>
  );
}
