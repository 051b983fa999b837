// A new row of a table, filled in a form. What is left empty is not sent, so that the database's own defaults hold.

import { useState } from 'react';
import type { Failure } from '../../../api/failure.ts';
import { type FieldFault, type FormField, fieldValue } from '../../../lib/edit/feature-form.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { useBusy } from '../../../lib/use-pending.ts';
import { Field } from '../../../ui/Field.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { Wrong } from '../../../ui/States.tsx';
import { Control, faultText } from '../edit/FeatureFields.tsx';

export function NewRowDialog({
  fields,
  failure,
  onSave,
  onClose,
}: {
  readonly fields: readonly FormField[];
  readonly failure: Failure | undefined;
  readonly onSave: (values: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly onClose: () => void;
}) {
  const t = useText();
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const [faults, setFaults] = useState<ReadonlyMap<string, FieldFault>>(new Map());
  const [isBusy, during] = useBusy();
  const save = async (): Promise<void> => {
    const values: Record<string, unknown> = {};
    const wrong = new Map<string, FieldFault>();
    for (const field of fields) {
      const text = texts.get(field.name) ?? '';
      if (text === '') continue;
      const read = fieldValue(text, field);
      if ('fault' in read) wrong.set(field.name, read.fault);
      else values[field.name] = read.value;
    }
    setFaults(wrong);
    if (wrong.size === 0) await during(onSave(values));
  };
  return (
    <FormDialog title={t('table.new-row')} isBusy={isBusy} onClose={onClose} onSave={save}>
      <Wrong failure={failure} />
      {fields
        .filter(({ isReadOnly }) => !isReadOnly)
        .map((field) => {
          const fault = faults.get(field.name);
          return (
            <Field
              key={field.name}
              label={field.title}
              hint={field.hint}
              wrong={fault === undefined ? undefined : faultText(t, fault)}
            >
              {(wired) => (
                <Control
                  wired={{ ...wired, className: 'input' }}
                  field={field}
                  text={texts.get(field.name) ?? ''}
                  onCommit={(text) => setTexts(new Map([...texts, [field.name, text]]))}
                />
              )}
            </Field>
          );
        })}
    </FormDialog>
  );
}
