// Sets the mode of service: normal, read-only, or maintenance, with the message that people are told.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Button } from '../../ui/Button.tsx';
import { InputField, SelectField } from '../../ui/Field.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { MODE_CHANGED, type Mode } from '../shell/ModeBanner.tsx';

const MODES = ['normal', 'read-only', 'maintenance'] as const;

export function ServiceMode() {
  const t = useText();
  const [loaded, again] = useFresh('/api/v2/mode/');
  return (
    <section className="panel stack">
      <h2>{t('mode.title')}</h2>
      <WhenLoaded loaded={loaded} onRetry={again}>
        {(mode) => <ModeForm key={`${mode.mode} ${mode.message}`} now={mode} onSet={again} />}
      </WhenLoaded>
    </section>
  );
}

function ModeForm({ now, onSet }: { readonly now: Mode; readonly onSet: () => void }) {
  const t = useText();
  const [mode, setMode] = useState(now.mode);
  const [message, setMessage] = useState(now.message);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const set = async (): Promise<void> => {
    setBusy(true);
    const reply = await send('PUT', '/api/v2/mode/', { body: { mode, message: mode === 'normal' ? '' : message } });
    setBusy(false);
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    document.dispatchEvent(new Event(MODE_CHANGED));
    say(t('mode.set-done'));
    onSet();
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void set();
      }}
    >
      <SelectField
        label={t('mode.title')}
        hint={t(`mode.about.${mode}`)}
        value={mode}
        onChange={(event) => setMode(MODES.find((one) => one === event.target.value) ?? 'normal')}
      >
        {MODES.map((one) => (
          <option key={one} value={one}>
            {t(`mode.${one}`)}
          </option>
        ))}
      </SelectField>
      {mode !== 'normal' && (
        <InputField
          label={t('mode.message')}
          hint={t('mode.message-hint')}
          maxLength={500}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
      )}
      <Wrong failure={failure} />
      <div>
        <Button type="submit" disabled={isBusy}>
          {t('mode.set')}
        </Button>
      </div>
    </form>
  );
}
