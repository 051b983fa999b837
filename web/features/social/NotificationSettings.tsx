// Which kinds of notifications are wanted, and how: each choice is kept as it is made.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { useDefaults } from '../../lib/use-defaults.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { WhenLoaded } from '../../ui/States.tsx';
import { complain } from '../../ui/toast.tsx';

const KINDS = ['mention', 'comment', 'data', 'content', 'metadata', 'deleted', 'new', 'source'] as const;
const WAYS = ['in_pages', 'by_mail'] as const;

export function NotificationSettings() {
  const t = useText();
  const [loaded, again] = useFresh('/api/v2/notifications/settings/');
  const sendsMail = useDefaults()?.mail === true;
  const [isBusy, during] = useBusy();
  /** Shown at once, by kind and way; taken back if it could not be kept. */
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const ways = sendsMail ? WAYS : WAYS.slice(0, 1);
  const choose = async (kind: (typeof KINDS)[number], way: (typeof WAYS)[number], on: boolean): Promise<void> => {
    const name = `${kind} ${way}`;
    setChosen((now) => ({ ...now, [name]: on }));
    const reply = await during(
      send('PATCH', '/api/v2/notifications/settings/', {
        body: { [kind]: { [way]: on } },
        // Letters come in the language of this page.
        headers: { 'Accept-Language': t.language },
      }),
    );
    if (reply.ok) return;
    setChosen((now) => ({ ...now, [name]: !on }));
    complain(failureText(t, reply.error));
  };
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ settings }) => (
        <div className="stack">
          <p className="soft">{t(sendsMail ? 'notify.settings-about' : 'notify.settings-about-no-mail')}</p>
          <table className="notification-settings">
            <thead>
              <tr>
                <th scope="col">{t('notify.kind')}</th>
                {ways.map((way) => (
                  <th key={way} scope="col">
                    {t(`notify.way.${way}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {KINDS.map((kind) => (
                <tr key={kind}>
                  <th scope="row">{t(`notify.kind.${kind}`)}</th>
                  {ways.map((way) => (
                    <td key={way}>
                      <input
                        type="checkbox"
                        aria-label={`${t(`notify.kind.${kind}`)}: ${t(`notify.way.${way}`)}`}
                        checked={chosen[`${kind} ${way}`] ?? settings[kind][way]}
                        disabled={isBusy}
                        onChange={(event) => void choose(kind, way, event.target.checked)}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </WhenLoaded>
  );
}
