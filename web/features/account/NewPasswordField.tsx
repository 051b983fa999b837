// The field for a password that is to be set.

import { useText } from '../../lib/i18n/text.ts';
import { InputField } from '../../ui/Field.tsx';

export function NewPasswordField() {
  const t = useText();
  return (
    <InputField
      label={t('account.new-password')}
      hint={t('account.password-hint')}
      type="password"
      name="password"
      required
      minLength={8}
      autoComplete="new-password"
    />
  );
}
