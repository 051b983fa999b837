// Statements that somebody has saved by a name: to be put into the field again, replaced or forgotten.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Wrong } from '../../ui/States.tsx';

const PATH = '/api/v2/sql/queries/';

export function SavedQueries({
  statement,
  onOpen,
}: {
  readonly statement: string;
  readonly onOpen: (statement: string) => void;
}) {
  const t = useText();
  const [loaded, again] = useFresh(PATH);
  const [name, setName] = useState('');
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const queries = loaded.kind === 'loaded' ? loaded.value.queries : [];
  const isThere = queries.some((one) => one.name === name.trim());
  const save = async (): Promise<void> => {
    const reply = await during(send('PUT', PATH, { body: { name: name.trim(), statement } }));
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    setSaid(t('sql.saved-as', { name: name.trim() }));
    again();
  };
  const forget = async (wanted: string): Promise<void> => {
    const reply = await during(send('DELETE', `${PATH}${encodeURIComponent(wanted)}/`));
    setFailure(reply.ok ? undefined : reply.error);
    if (!reply.ok) return;
    setSaid(t('sql.forgotten', { name: wanted }));
    again();
  };
  return (
    <details className="sql-saved">
      <summary>{t('sql.saved')}</summary>
      <div className="stack">
        <ul className="sql-saved-list">
          {queries.map((one) => (
            <li key={one.name} className="row apart">
              <Button
                small
                onClick={() => {
                  setName(one.name);
                  onOpen(one.statement);
                }}
              >
                {one.name}
              </Button>
              <IconButton
                small
                icon="trash"
                name={t('sql.forget', { name: one.name })}
                disabled={isBusy}
                onClick={() => void forget(one.name)}
              />
            </li>
          ))}
        </ul>
        {queries.length === 0 && <p className="soft">{t('sql.none-saved')}</p>}
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <Field label={t('sql.save-name')}>
            {(wired) => (
              <input
                {...wired}
                className="input"
                maxLength={100}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" disabled={isBusy || name.trim() === '' || statement.trim() === ''}>
            {t(isThere ? 'sql.replace' : 'sql.save')}
          </Button>
        </form>
        <Wrong failure={failure} />
        <p role="status" className="small-text">
          {said}
        </p>
      </div>
    </details>
  );
}
