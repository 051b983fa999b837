// Data of a layer from before a file or a calculation changed them: brought back, or taken away, with one click.

import { useState } from 'react';
import { send } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import type { Layer } from '../../../api/types.ts';
import { forgetLoaded, useFresh } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { useBusy } from '../../../lib/use-pending.ts';
import { Button } from '../../../ui/Button.tsx';
import { Wrong } from '../../../ui/States.tsx';
import { say } from '../../../ui/toast.tsx';

export function KeptData({ layer, onChanged }: { readonly layer: Layer; readonly onChanged: () => void }) {
  const t = useText();
  const [loaded, again] = useFresh(`/api/v2/layers/${layer.pk}/kept/`);
  const [failed, setFailed] = useState<{ readonly id: number; readonly failure: Failure }>();
  const [isBusy, during] = useBusy();
  const kept = loaded.kind === 'loaded' ? loaded.value.kept : [];
  const restore = async (id: number): Promise<void> => {
    const reply = await during(send('POST', `/api/v2/layers/${layer.pk}/kept/${id}/restore/`));
    if (!reply.ok) return setFailed({ id, failure: reply.error });
    setFailed(undefined);
    const { before, after } = reply.value.rows;
    say(t('add.rows', { before: t.number(before), after: t.number(after) }));
    forgetLoaded();
    again();
    onChanged();
  };
  if (kept.length === 0) return null;
  return (
    <section className="stack tight" aria-label={t('kept.title')}>
      <h3>{t('kept.title')}</h3>
      <ul className="column-list">
        {kept.map(({ id, kind, column, rows, at, by }) => (
          <li key={id}>
            <div className="grow stack tight">
              <span>
                {t.count(`kept.${kind}`, rows, { column: column ?? '' })}{' '}
                <span className="soft small-text">
                  {t('history.by', { who: by ?? t('history.nobody'), when: t.time(at) })}
                </span>
              </span>
              <Wrong failure={failed?.id === id ? failed.failure : undefined} />
            </div>
            <Button small icon="undo" disabled={isBusy} onClick={() => void restore(id)}>
              {t(`kept.${kind}-undo`)}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
