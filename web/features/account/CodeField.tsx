// The field for a code of the authenticator app.

import { useText } from '../../lib/i18n/text.ts';
import { InputField } from '../../ui/Field.tsx';

export function CodeField({ isFirst = false }: { readonly isFirst?: boolean }) {
  const t = useText();
  return (
    <InputField
      label={t('factor.code')}
      hint={t(isFirst ? 'factor.first-code-hint' : 'factor.code-hint')}
      name="code"
      required
      maxLength={40}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}
