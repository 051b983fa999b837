// Files of which a part has been sent, by a page that is gone: whoever chooses one of them again goes on where it was cut.

import { send } from '../../api/client.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { fileSize } from '../../lib/file-size.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { usePending } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { complain } from '../../ui/toast.tsx';
import { ProgressBar } from './ProgressBar.tsx';

/** `chosen`: names of files that are on the page, and being sent perhaps. */
export function BegunFiles({ chosen }: { readonly chosen: readonly string[] }) {
  const t = useText();
  const [loaded, again] = useLoaded('/api/v2/uploads/files/');
  const pending = usePending<string>();
  if (loaded.kind !== 'loaded') return null;
  const begun = loaded.value.files.filter(({ name }) => !chosen.includes(name));
  if (begun.length === 0) return null;
  const remove = async (id: string): Promise<void> => {
    const headers = { 'Tus-Resumable': '1.0.0' };
    const reply = await pending.during(id, send('DELETE', `/api/v2/uploads/files/${id}/`, { headers }));
    if (!reply.ok && reply.error.kind !== 'not-found') complain(failureText(t, reply.error));
    again();
  };
  return (
    <section className="stack" aria-label={t('add.begun')}>
      <h2>{t('add.begun')}</h2>
      <p className="soft">{t('add.begun-about')}</p>
      {begun.map(({ id, name, size, received }) => (
        <article key={id} className="panel stack upload-card" aria-label={name}>
          <div className="row apart">
            <h3>{name}</h3>
            <span className="badge number">{fileSize(t, size)}</span>
          </div>
          <ProgressBar share={size > 0 ? received / size : 1} label={t('add.sent-so-far')} />
          <div>
            <Button small disabled={pending.has(id)} onClick={() => void remove(id)}>
              {t('action.remove')}
            </Button>
          </div>
        </article>
      ))}
    </section>
  );
}
