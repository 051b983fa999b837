// Tables joined to a layer: what came from where and how much of it matched, done again when the table has changed, and forgotten.

import { useState } from 'react';
import { send } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import type { Layer } from '../../../api/types.ts';
import { forgetLoaded, useFresh } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { useBusy } from '../../../lib/use-pending.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Link } from '../../../ui/Link.tsx';
import { WhenLoaded, Wrong } from '../../../ui/States.tsx';
import { say } from '../../../ui/toast.tsx';
import { JoinDialog } from './JoinDialog.tsx';

export function JoinsPanel({ layer, onChanged }: { readonly layer: Layer; readonly onChanged: () => void }) {
  const t = useText();
  const path = `/api/v2/layers/${layer.pk}/joins/` as const;
  const [loaded, again] = useFresh(path);
  const [isAsking, setAsking] = useState(false);
  /** On the join it belongs to. */
  const [failed, setFailed] = useState<{ readonly id: number; readonly failure: Failure }>();
  const [isBusy, during] = useBusy();
  const done = (said: string): void => {
    setAsking(false);
    setFailed(undefined);
    forgetLoaded();
    again();
    onChanged();
    say(said);
  };
  const refresh = async (id: number): Promise<void> => {
    const reply = await during(send('POST', `/api/v2/layers/${layer.pk}/joins/${id}/refresh/`));
    if (reply.ok) done(matchedText(reply.value));
    else setFailed({ id, failure: reply.error });
  };
  const forget = async (id: number): Promise<void> => {
    const reply = await during(send('DELETE', `/api/v2/layers/${layer.pk}/joins/${id}/`));
    if (reply.ok) done(t('joins.forgotten'));
    else setFailed({ id, failure: reply.error });
  };
  const matchedText = ({ matched, rows }: { readonly matched: number; readonly rows: number }): string =>
    t.count('joins.matched', rows, { matched: t.number(matched) });
  return (
    <section className="stack" aria-label={t('joins.title')}>
      <div className="row apart">
        <h2>{t('joins.title')}</h2>
        <Button icon="table" onClick={() => setAsking(true)}>
          {t('joins.add')}
        </Button>
      </div>
      <p className="soft">{t('joins.lead')}</p>
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ joins }) => (
          <ul className="column-list">
            {joins.map((join) => (
              <li key={join.id}>
                <div className="grow stack tight">
                  <span>
                    <strong>
                      {join.table === null ? (
                        t('joins.hidden')
                      ) : (
                        <Link to={`/layers/${join.table}`}>{join.title ?? ''}</Link>
                      )}
                    </strong>{' '}
                    {join.changed && <span className="badge warm">{t('joins.changed')}</span>}
                  </span>
                  <span className="soft small-text">
                    <code>{join.layer_key}</code> = <code>{join.table_key}</code> ·{' '}
                    {join.columns.map(({ to }) => to).join(', ')} · {matchedText(join)} ·{' '}
                    {t('history.by', { who: join.by ?? t('history.nobody'), when: t.time(join.at) })}
                  </span>
                  <Wrong failure={failed?.id === join.id ? failed.failure : undefined} />
                </div>
                {join.table !== null && (
                  <Button small icon="history" disabled={isBusy} onClick={() => void refresh(join.id)}>
                    {t('joins.refresh')}
                  </Button>
                )}
                <IconButton
                  icon="close"
                  name={t('joins.forget', { title: join.title ?? t('joins.hidden') })}
                  disabled={isBusy}
                  onClick={() => void forget(join.id)}
                />
              </li>
            ))}
          </ul>
        )}
      </WhenLoaded>
      {isAsking && (
        <JoinDialog layer={layer} onClose={() => setAsking(false)} onDone={(joined) => done(matchedText(joined))} />
      )}
    </section>
  );
}
