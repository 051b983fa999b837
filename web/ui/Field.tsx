// One question of a form: its label, the control, a hint, and what is wrong with the answer.

import { type ComponentProps, type ReactNode, useId } from 'react';

export type Wired = { readonly id: string; readonly 'aria-describedby'?: string; readonly 'aria-invalid'?: true };

export function Field({
  label,
  hint,
  wrong,
  children,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly wrong?: string | undefined;
  readonly children: (wired: Wired) => ReactNode;
}) {
  const id = useId();
  const about = [hint === undefined ? '' : `${id}-hint`, wrong === undefined ? '' : `${id}-wrong`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(about === '' ? {} : { 'aria-describedby': about }),
        ...(wrong === undefined ? {} : { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {wrong !== undefined && (
        <span className="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </span>
      )}
    </div>
  );
}

type About = { readonly label: string; readonly hint?: string | undefined; readonly wrong?: string | undefined };

/** A question that is answered in one line. */
export function InputField({
  label,
  hint,
  wrong,
  className = 'input',
  ...rest
}: About & Omit<ComponentProps<'input'>, 'id'>) {
  return (
    <Field label={label} hint={hint} wrong={wrong}>
      {(wired) => <input {...wired} className={className} {...rest} />}
    </Field>
  );
}

/** One that is answered in several. */
export function TextField({
  label,
  hint,
  wrong,
  className = 'input',
  ...rest
}: About & Omit<ComponentProps<'textarea'>, 'id'>) {
  return (
    <Field label={label} hint={hint} wrong={wrong}>
      {(wired) => <textarea {...wired} className={className} {...rest} />}
    </Field>
  );
}

/** One that is answered by choosing; its options are the children. */
export function SelectField({
  label,
  hint,
  wrong,
  className = 'input',
  ...rest
}: About & Omit<ComponentProps<'select'>, 'id'>) {
  return (
    <Field label={label} hint={hint} wrong={wrong}>
      {(wired) => <select {...wired} className={className} {...rest} />}
    </Field>
  );
}
