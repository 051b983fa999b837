// The attribute form of one feature, or of several at once: a field by the type and the rules of each column. What is typed counts as
// soon as it can be read; only fields that were touched are written.

import { useEffect, useRef, useState } from 'react';
import type { Said } from '../../../api/failure.ts';
import { dataNumber } from '../../../lib/data-number.ts';
import { type EditFeature, fieldNow, type Values } from '../../../lib/edit/edit-session.ts';
import { type FieldFault, type FormField, fieldValue, inputText } from '../../../lib/edit/feature-form.ts';
import { type Text, useText } from '../../../lib/i18n/text.ts';
import { fieldMessage } from '../../../lib/server-message.ts';
import { Field, type Wired } from '../../../ui/Field.tsx';

export function FeatureFields({
  fields,
  features,
  said,
  onFill,
}: {
  readonly fields: readonly FormField[];
  readonly features: readonly EditFeature[];
  /** What the portal said of fields. */
  readonly said: readonly Said[];
  readonly onFill: (changes: Values) => void;
}) {
  const t = useText();
  const [faults, setFaults] = useState<Readonly<Record<string, FieldFault>>>({});
  return (
    <div className="stack edit-fields">
      {fields.map((field) => {
        const texts = new Set(features.map((one) => inputText(fieldNow(one, field.name), field)));
        const isMixed = texts.size > 1;
        const text = isMixed ? '' : ([...texts][0] ?? '');
        const fault = faults[field.name];
        const wrong =
          fault === undefined
            ? fieldMessage(
                t,
                said.filter((one) => one.field === field.name),
              )
            : faultText(t, fault);
        const commit = (typed: string, isLeft: boolean): void => {
          const read = typed === text ? undefined : fieldValue(typed, field);
          const isWrong = read !== undefined && 'fault' in read;
          // While somebody types, what stands there is not finished, and not yet wrong.
          if (!isWrong || isLeft)
            setFaults(isWrong ? { ...faults, [field.name]: read.fault } : without(faults, field.name));
          if (read !== undefined && !isWrong) onFill({ [field.name]: read.value });
        };
        return (
          <Field
            key={field.name}
            label={field.isRequired ? t('edit.required', { name: field.title }) : field.title}
            hint={hintOf(t, field, isMixed)}
            wrong={wrong}
          >
            {(wired) => <Control wired={wired} field={field} text={text} isMixed={isMixed} onCommit={commit} />}
          </Field>
        );
      })}
    </div>
  );
}

/** The control that fits the field, in a form or in a cell of the attribute table. */
export function Control({
  wired,
  field,
  text,
  isMixed = false,
  onCommit,
}: {
  readonly wired: Partial<Wired> & {
    readonly 'aria-label'?: string;
    readonly className?: string;
    readonly autoFocus?: boolean;
  };
  readonly field: FormField;
  readonly text: string;
  readonly isMixed?: boolean;
  /** `isLeft`: the field is done with. */
  readonly onCommit: (text: string, isLeft: boolean) => void;
}) {
  const t = useText();
  const { kind, choices, isReadOnly, maxLength } = field;
  const [draft, setDraft] = useState(text);
  const isFocused = useRef(false);
  // Undo, or another feature: what stands in the field is that of the session again, unless somebody is typing in it.
  useEffect(() => {
    if (!isFocused.current) setDraft(text);
  }, [text]);
  const common = { className: 'input', ...wired, disabled: isReadOnly };
  if (choices !== undefined || kind === 'boolean') {
    const options = choices?.map(({ value, label }) => ({ value: String(value), label })) ?? [
      { value: 'true', label: t('data.yes') },
      { value: 'false', label: t('data.no') },
    ];
    const isStrange = text !== '' && !options.some(({ value }) => value === text);
    return (
      <select {...common} value={text} onChange={(event) => onCommit(event.target.value, true)}>
        <option value="">{isMixed ? t('edit.mixed') : t('edit.none')}</option>
        {isStrange && <option value={text}>{text}</option>}
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  const typing = {
    value: draft,
    placeholder: isMixed ? t('edit.mixed') : undefined,
    onFocus: () => {
      isFocused.current = true;
    },
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      setDraft(event.currentTarget.value);
      onCommit(event.currentTarget.value, false);
    },
    onBlur: () => {
      isFocused.current = false;
      onCommit(draft, true);
    },
  };
  if (kind === 'json' || (kind === 'text' && text.length > LONG))
    return <textarea {...common} {...typing} rows={3} maxLength={maxLength} />;
  return (
    <input
      {...common}
      {...typing}
      type={kind === 'date' ? 'date' : kind === 'time' ? 'datetime-local' : 'text'}
      step={kind === 'time' ? 1 : undefined}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      maxLength={kind === 'text' ? maxLength : undefined}
    />
  );
}

/** A text of more characters has several lines. */
const LONG = 80;

function hintOf(t: Text, field: FormField, isMixed: boolean): string | undefined {
  const { minimum, maximum, kind, maxLength, choices } = field;
  const parts = [
    ...(field.hint === undefined ? [] : [field.hint]),
    ...(field.isReadOnly ? [t('edit.read-only')] : []),
    ...(isMixed ? [t('edit.mixed-hint')] : []),
    ...(kind === 'number' && choices === undefined && isOwnRange(field)
      ? [
          t(`edit.range.${minimum === undefined ? 'most' : maximum === undefined ? 'least' : 'both'}`, {
            least: dataNumber(t, minimum ?? 0),
            most: dataNumber(t, maximum ?? 0),
          }),
        ]
      : []),
    ...(kind === 'text' && choices === undefined && maxLength !== undefined && !field.isReadOnly
      ? [t('edit.max-length', { n: maxLength })]
      : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** The ends of a type are nothing to tell people. */
function isOwnRange({ minimum, maximum }: FormField): boolean {
  const isEnd = (n: number | undefined): boolean =>
    n === undefined || [32_767, 32_768, 2_147_483_647, 2_147_483_648].includes(Math.abs(n));
  return !(isEnd(minimum) && isEnd(maximum));
}

export function faultText(t: Text, fault: FieldFault): string {
  switch (fault.kind) {
    case 'required':
      return t('said.required');
    case 'number':
      return t('said.number');
    case 'whole':
      return t('edit.fault.whole');
    case 'date':
      return t('said.date');
    case 'json':
      return t('edit.fault.json');
    case 'uuid':
      return t('edit.fault.uuid');
    case 'at-least':
      return t('said.at-least', { n: dataNumber(t, fault.n) });
    case 'at-most':
      return t('said.at-most', { n: dataNumber(t, fault.n) });
    case 'above':
      return t('said.above', { n: dataNumber(t, fault.n) });
    case 'below':
      return t('said.below', { n: dataNumber(t, fault.n) });
    case 'too-long':
      return t('said.too-long', { n: dataNumber(t, fault.n) });
    case 'too-short':
      return t('edit.fault.too-short', { n: dataNumber(t, fault.n) });
  }
}

function without(faults: Readonly<Record<string, FieldFault>>, name: string): Readonly<Record<string, FieldFault>> {
  return Object.fromEntries(Object.entries(faults).filter(([one]) => one !== name));
}
