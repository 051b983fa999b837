// Whether accounts may comment, for the whole portal. What was written stays, and is read.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { forgetLoaded, useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';

const SETTINGS = '/api/v2/settings/';

export function CommentsSwitch() {
  const t = useText();
  const [loaded, again] = useFresh(SETTINGS);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const turn = async (isOn: boolean): Promise<void> => {
    const reply = await during(send('PATCH', SETTINGS, { body: { COMMENTS: isOn } }));
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    forgetLoaded();
    say(t(isOn ? 'admin.comments-on' : 'admin.comments-off'));
    again();
  };
  return (
    <section className="panel stack" aria-labelledby="comments-switch">
      <h2 id="comments-switch">{t('comments.title')}</h2>
      <Wrong failure={failure} />
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ settings }) => (
          <label className="check">
            <input
              type="checkbox"
              checked={settings.COMMENTS}
              disabled={isBusy}
              onChange={(event) => void turn(event.target.checked)}
            />
            {t('admin.comments')}
          </label>
        )}
      </WhenLoaded>
      <p className="soft small-text">{t('admin.comments-about')}</p>
    </section>
  );
}
