// What is done with several rows of a table at once: one value for all of them, or deleting them after a question.

import { useState } from 'react';
import type { RowStore } from '../../../api/row-store.ts';
import type { Trouble } from '../../../lib/edit/edit-session.ts';
import { type FieldFault, type FormField, fieldValue } from '../../../lib/edit/feature-form.ts';
import { type Text, useText } from '../../../lib/i18n/text.ts';
import { failureText } from '../../../lib/server-message.ts';
import { useBusy } from '../../../lib/use-pending.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field, SelectField } from '../../../ui/Field.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { say } from '../../../ui/toast.tsx';
import { Control, faultText } from '../edit/FeatureFields.tsx';

type Outcome = { readonly done: number; readonly trouble: Trouble | undefined };

export function ChosenRows({
  rows,
  fields,
  store,
  onDone,
  onClear,
}: {
  readonly rows: readonly (string | number)[];
  readonly fields: readonly FormField[];
  readonly store: RowStore;
  /** Rows were written; perhaps not all. */
  readonly onDone: () => void;
  readonly onClear: () => void;
}) {
  const t = useText();
  const [asked, setAsked] = useState<'edit' | 'delete'>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, during] = useBusy();
  const writable = fields.filter(({ isReadOnly }) => !isReadOnly);
  const run = async (changes: Readonly<Record<string, unknown>>, isDeleted: boolean): Promise<void> => {
    const became = await during(writeAll(store, rows, changes, isDeleted));
    setOutcome(became);
    if (became.done > 0) onDone();
    if (became.trouble !== undefined) return;
    setAsked(undefined);
    say(t.count(isDeleted ? 'table.deleted' : 'table.written', became.done));
    onClear();
  };
  const wrong = outcome?.trouble === undefined ? undefined : troubleText(t, outcome);
  return (
    <>
      <span className="number" role="status">
        {t.count('table.chosen', rows.length)}
      </span>
      {writable.length > 0 && (
        <Button small icon="edit" onClick={() => setAsked('edit')}>
          {t('table.set-value')}
        </Button>
      )}
      <Button small look="danger" icon="trash" onClick={() => setAsked('delete')}>
        {t('action.delete')}
      </Button>
      <Button small onClick={onClear}>
        {t('table.choose-none')}
      </Button>
      {asked === 'edit' && (
        <SetValue
          fields={writable}
          count={rows.length}
          isBusy={isBusy}
          wrong={wrong}
          onClose={() => setAsked(undefined)}
          onSave={(name, value) => run({ [name]: value }, false)}
        />
      )}
      {asked === 'delete' && (
        <Dialog
          title={t.count('table.delete-title', rows.length)}
          onClose={() => setAsked(undefined)}
          footer={
            <>
              <Button onClick={() => setAsked(undefined)}>{t('action.cancel')}</Button>
              <Button look="danger" icon="trash" disabled={isBusy} onClick={() => void run({}, true)}>
                {t('action.delete')}
              </Button>
            </>
          }
        >
          <div className="stack">
            <p>{t('table.delete-text')}</p>
            {wrong !== undefined && (
              <p className="notice bad" role="alert">
                {wrong}
              </p>
            )}
          </div>
        </Dialog>
      )}
    </>
  );
}

/** One after the other, each as it is now; the first that cannot be written ends it. */
async function writeAll(
  store: RowStore,
  rows: readonly (string | number)[],
  changes: Readonly<Record<string, unknown>>,
  isDeleted: boolean,
): Promise<Outcome> {
  let done = 0;
  for (const id of rows) {
    const stored = await store.read(id);
    if (!stored.ok) {
      if (isDeleted && stored.error.kind === 'not-found') continue;
      return { done, trouble: { kind: 'failed', failure: stored.error } };
    }
    const { geometry } = stored.value;
    const trouble = await store.write({ key: 'row', stored: stored.value, geometry, changes, isDeleted });
    if (trouble !== undefined) return { done, trouble };
    done += 1;
  }
  return { done, trouble: undefined };
}

function troubleText(t: Text, { done, trouble }: Outcome): string {
  const why = trouble?.kind === 'failed' ? failureText(t, trouble.failure) : t('history.changed');
  return done === 0 ? why : `${t.count('table.written', done)} ${why}`;
}

function SetValue({
  fields,
  count,
  isBusy,
  wrong,
  onClose,
  onSave,
}: {
  readonly fields: readonly FormField[];
  readonly count: number;
  readonly isBusy: boolean;
  readonly wrong: string | undefined;
  readonly onClose: () => void;
  readonly onSave: (name: string, value: unknown) => Promise<void>;
}) {
  const t = useText();
  const [name, setName] = useState(fields[0]?.name ?? '');
  const [text, setText] = useState('');
  const [fault, setFault] = useState<FieldFault>();
  const field = fields.find((one) => one.name === name);
  if (field === undefined) return null;
  return (
    <FormDialog
      title={t.count('table.set-title', count)}
      isBusy={isBusy}
      onClose={onClose}
      onSave={async () => {
        const read = fieldValue(text, field);
        setFault('fault' in read ? read.fault : undefined);
        if (!('fault' in read)) await onSave(field.name, read.value);
      }}
    >
      {wrong !== undefined && (
        <p className="notice bad" role="alert">
          {wrong}
        </p>
      )}
      <SelectField
        label={t('table.column')}
        value={name}
        onChange={(event) => {
          setName(event.target.value);
          setText('');
          setFault(undefined);
        }}
      >
        {fields.map((one) => (
          <option key={one.name} value={one.name}>
            {one.title}
          </option>
        ))}
      </SelectField>
      <Field label={t('table.value')} wrong={fault === undefined ? undefined : faultText(t, fault)}>
        {(wired) => <Control wired={{ ...wired, className: 'input' }} field={field} text={text} onCommit={setText} />}
      </Field>
    </FormDialog>
  );
}
