// What the owner of an account proves to be it with, before a way into the account is added or removed: the password, or where there is none a code. Who
// has neither signed in at the provider, and does so again where that is too long ago.

import { useText } from '../../lib/i18n/text.ts';
import { InputField } from '../../ui/Field.tsx';
import { CodeField } from './CodeField.tsx';

/** What the account can prove itself with. */
export type Proofs = { readonly has_password: boolean; readonly totp: boolean; readonly recovery_codes: number };

/** The proof among the fields of a form, as the portal takes it. */
export function proofIn(form: FormData): { readonly password?: string; readonly code?: string } {
  const [password, code] = [form.get('password'), form.get('code')];
  if (typeof password === 'string') return { password };
  return typeof code === 'string' ? { code } : {};
}

export function ProofField({ proofs }: { readonly proofs: Proofs }) {
  const t = useText();
  if (!proofs.has_password)
    return proofs.totp || proofs.recovery_codes > 0 ? <CodeField /> : <p className="soft">{t('proof.fresh')}</p>;
  return (
    <InputField
      label={t('account.password')}
      hint={t('proof.hint')}
      type="password"
      name="password"
      required
      maxLength={4096}
      autoComplete="current-password"
    />
  );
}
