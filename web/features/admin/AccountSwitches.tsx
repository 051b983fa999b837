// What accounts may do, for the whole portal: comment (what was written stays, and is read), and make groups.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { forgetLoaded, useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';

const SETTINGS = '/api/v2/settings/';

const SWITCHES = [
  { name: 'COMMENTS', label: 'admin.comments', about: 'admin.comments-about' },
  { name: 'GROUPS_BY_ACCOUNTS', label: 'admin.groups-by-accounts', about: 'admin.groups-by-accounts-about' },
] as const;
type Name = (typeof SWITCHES)[number]['name'];

export function AccountSwitches() {
  const t = useText();
  const [loaded, again] = useFresh(SETTINGS);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const turn = async (name: Name, isOn: boolean): Promise<void> => {
    const reply = await during(send('PATCH', SETTINGS, { body: { [name]: isOn } }));
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    forgetLoaded();
    say(t('saved'));
    again();
  };
  return (
    <section className="panel stack" aria-labelledby="account-switches">
      <h2 id="account-switches">{t('admin.accounts-may')}</h2>
      <Wrong failure={failure} />
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ settings }) =>
          SWITCHES.map(({ name, label, about }) => (
            <div key={name} className="stack tight">
              <label className="check">
                <input
                  type="checkbox"
                  checked={settings[name]}
                  disabled={isBusy}
                  onChange={(event) => void turn(name, event.target.checked)}
                />
                {t(label)}
              </label>
              <p className="soft small-text">{t(about)}</p>
            </div>
          ))
        }
      </WhenLoaded>
    </section>
  );
}
