// What a process made a layer of: its sources, whether they have changed since, and the button that makes it again.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Layer } from '../../api/types.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';
import { Wrong } from '../../ui/States.tsx';
import { ImportCard } from '../upload/ImportCard.tsx';
import '../upload/upload.css';

export function LineagePanel({ layer, onChanged }: { readonly layer: Layer; readonly onChanged: () => void }) {
  const t = useText();
  const [loaded, again] = useFresh(`/api/v2/layers/${layer.pk}/lineage/`);
  const [job, setJob] = useState<number>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const lineage = loaded.kind === 'loaded' ? loaded.value.lineage : null;
  if (lineage === null) return null;
  const refresh = async (): Promise<void> => {
    const reply = await during(send('POST', `/api/v2/layers/${layer.pk}/lineage/refresh/`));
    setFailure(reply.ok ? undefined : reply.error);
    if (reply.ok) setJob(reply.value.upload);
  };
  return (
    <section className="stack" aria-label={t('lineage.title')}>
      <h2>{t('lineage.title')}</h2>
      <p>
        {t.find(`process.name.${lineage.process}`) ?? lineage.process} ·{' '}
        <span className="soft small-text">
          {t('history.by', { who: lineage.by ?? t('history.nobody'), when: t.time(lineage.at) })}
        </span>
      </p>
      {typeof lineage.inputs?.['statement'] === 'string' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <pre className="code" tabIndex={0}>
          {lineage.inputs['statement']}
        </pre>
      )}
      <ul>
        {lineage.sources.map(({ id, title, changed }) => (
          <li key={id}>
            <Link to={`/layers/${id}`}>{title}</Link>{' '}
            {changed && <span className="badge warm">{t('lineage.changed')}</span>}
          </li>
        ))}
        {lineage.hidden > 0 && <li className="soft">{t.count('lineage.hidden', lineage.hidden)}</li>}
      </ul>
      <Wrong failure={failure} />
      {job !== undefined && (
        <ImportCard
          key={job}
          id={job}
          isInto
          onForget={() => {
            void send('DELETE', `/upload/delete/${job}`);
            setJob(undefined);
          }}
          onDone={() => {
            again();
            onChanged();
          }}
        />
      )}
      {lineage.inputs !== null && job === undefined && (
        <div>
          <Button icon="history" disabled={isBusy} onClick={() => void refresh()}>
            {t('lineage.refresh')}
          </Button>
        </div>
      )}
    </section>
  );
}
