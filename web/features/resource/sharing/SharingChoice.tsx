// Whom something new is shared with, asked where it is saved.

import { useId, useState } from 'react';
import type { Permissions } from '../../../api/types.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { newPermissions } from '../../../lib/levels.ts';
import { useDefaults } from '../../../lib/use-defaults.ts';

type Choice = 'private' | 'public';

export type NewSharing = {
  readonly chosen: Choice;
  readonly choose: (choice: Choice) => void;
  /** What is sent along with the item. */
  readonly permissions: Permissions;
};

/** Begins with what the portal is set to; private as long as that is not known. */
export function useNewSharing(): NewSharing {
  const defaults = useDefaults();
  const [choice, choose] = useState<Choice>();
  const chosen = choice ?? defaults?.sharing ?? 'private';
  return { chosen, choose, permissions: newPermissions(chosen === 'public') };
}

export function SharingChoice({ sharing, name }: { readonly sharing: NewSharing; readonly name: string }) {
  const t = useText();
  const hint = useId();
  return (
    <fieldset className="sharing-choice">
      <legend>{t('sharing.who')}</legend>
      {(['private', 'public'] as const).map((choice) => (
        <div key={choice} className="sharing-option">
          <label className="check">
            <input
              type="radio"
              name={name}
              checked={sharing.chosen === choice}
              onChange={() => sharing.choose(choice)}
              aria-describedby={`${hint}-${choice}`}
            />
            {t(`sharing.choice-${choice}`)}
          </label>
          <p id={`${hint}-${choice}`} className="soft small-text">
            {t(`sharing.choice-${choice}-text`)}
          </p>
        </div>
      ))}
    </fieldset>
  );
}
