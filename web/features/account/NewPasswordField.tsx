// The field for a password that is to be set.

import { useText } from '../../lib/i18n/text.ts';
import { Field } from '../../ui/Field.tsx';

export function NewPasswordField() {
  const t = useText();
  return (
    <Field label={t('account.new-password')} hint={t('account.password-hint')}>
      {(wired) => (
        <input
          {...wired}
          className="input"
          type="password"
          name="password"
          required
          minLength={8}
          autoComplete="new-password"
        />
      )}
    </Field>
  );
}
