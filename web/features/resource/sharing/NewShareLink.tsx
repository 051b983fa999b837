// Making a link for everyone who has it: for whom, what it allows, and when it ends.

import { useState } from 'react';
import { useText } from '../../../lib/i18n/text.ts';
import { endOf } from '../../../lib/link-end.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { LinkEndField } from './LinkEndField.tsx';

export type NewLink = {
  readonly title: string;
  readonly permissions: 'view' | 'download';
  readonly expires: string | null;
};

const USUAL_DAYS = '30';

export function NewShareLink({
  isBusy,
  onMake,
}: {
  readonly isBusy: boolean;
  /** False: it was refused. */
  readonly onMake: (link: NewLink) => Promise<boolean>;
}) {
  const t = useText();
  const [title, setTitle] = useState('');
  const [permissions, setPermissions] = useState<NewLink['permissions']>('view');
  const [choice, setChoice] = useState(USUAL_DAYS);
  const make = async (): Promise<void> => {
    const expires = endOf(choice, Date.now());
    if (expires !== undefined && (await onMake({ title: title.trim(), permissions, expires }))) setTitle('');
  };
  return (
    <fieldset className="add-share">
      <legend>{t('share-links.new')}</legend>
      <Field label={t('share-links.for')}>
        {(wired) => (
          <input
            {...wired}
            className="input"
            value={title}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => setTitle(event.target.value)}
          />
        )}
      </Field>
      <Field label={t('share-links.level')}>
        {(wired) => (
          <select
            {...wired}
            className="input"
            value={permissions}
            onChange={(event) => setPermissions(event.target.value === 'download' ? 'download' : 'view')}
          >
            <option value="view">{t('level.view')}</option>
            <option value="download">{t('level.download')}</option>
          </select>
        )}
      </Field>
      <LinkEndField label={t('share-links.ends')} choice={choice} onChange={setChoice} />
      <Button icon="link" disabled={isBusy || endOf(choice, 0) === undefined} onClick={() => void make()}>
        {t('share-links.make')}
      </Button>
    </fieldset>
  );
}
