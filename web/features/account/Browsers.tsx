// Browsers in which the account is signed in.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { agentName } from '../../lib/agent-name.ts';
import { useText } from '../../lib/i18n/text.ts';
import { usePending } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';

export function Browsers() {
  const t = useText();
  const [loaded, again] = useLoaded('/api/v2/sessions/');
  const [failure, setFailure] = useState<Failure>();
  const pending = usePending<number>();
  const end = async (id: number, path: '/api/v2/sessions/' | `/api/v2/sessions/${number}/`): Promise<void> => {
    const reply = await pending.during(id, send('DELETE', path));
    setFailure(reply.ok ? undefined : reply.error);
    if (reply.ok) say(t('access.signed-out'));
    again();
  };
  return (
    <section className="panel stack" aria-labelledby="access-browsers">
      <h2 id="access-browsers">{t('access.browsers')}</h2>
      <Wrong failure={failure} />
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ sessions }) => (
          <>
            <ul className="access-list">
              {sessions.map((one) => (
                <li key={one.id} className="row">
                  <span className="grow">
                    <strong>{agentName(one.agent) ?? t('access.unknown-browser')}</strong>
                    {one.is_current && <span className="badge good">{t('access.this-browser')}</span>}
                    <span className="soft small-text access-about">
                      {[one.address, t('access.since', { time: t.time(one.created) })].filter(Boolean).join(' · ')}
                    </span>
                  </span>
                  {!one.is_current && (
                    <Button
                      small
                      disabled={pending.has(one.id)}
                      aria-label={t('access.sign-out-named', {
                        name: agentName(one.agent) ?? t('access.unknown-browser'),
                      })}
                      onClick={() => void end(one.id, `/api/v2/sessions/${one.id}/`)}
                    >
                      {t('account.sign-out')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {sessions.filter(({ is_current }) => !is_current).length > 1 && (
              <div>
                <Button disabled={pending.has(0)} onClick={() => void end(0, '/api/v2/sessions/')}>
                  {t('access.sign-out-others')}
                </Button>
              </div>
            )}
          </>
        )}
      </WhenLoaded>
    </section>
  );
}
