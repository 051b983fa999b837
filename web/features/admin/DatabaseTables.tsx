// Tables and views of the database besides the portal, registered as layers by administrators. Nothing is copied.

import { useDeferredValue, useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { forgetLoaded, useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { InputField, SelectField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Empty, WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { SharingChoice, useNewSharing } from '../resource/sharing/SharingChoice.tsx';

type Found = {
  readonly schema: string;
  readonly name: string;
  readonly key: string | null;
  readonly columns: readonly string[];
};

export function DatabaseTables() {
  const t = useText();
  const [q, setQ] = useState('');
  const search = useDeferredValue(q.trim());
  const [loaded, again] = useFresh(`/api/v2/database_tables/?search=${encodeURIComponent(search)}`);
  const [asked, setAsked] = useState<Found>();
  return (
    <section className="stack" aria-label={t('admin.tables')}>
      <p className="soft">{t('tables.lead')}</p>
      <InputField
        label={t('tables.find')}
        type="search"
        maxLength={200}
        value={q}
        onChange={(event) => setQ(event.target.value)}
      />
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ tables }) =>
          tables.length === 0 ? (
            <Empty title={t('tables.none')} icon="table" />
          ) : (
            <ul className="group-list">
              {tables.map((table) => (
                <li key={`${table.schema}.${table.name}`} className="panel row apart">
                  <div className="grow stack tight">
                    <p className="row tight">
                      <Icon name={table.geometry === null ? 'table' : 'layer'} />{' '}
                      <strong>
                        {table.schema}.{table.name}
                      </strong>{' '}
                      <span className="soft small-text">{t.entry('table-kind', table.kind)}</span>
                    </p>
                    {table.fault !== null && <p className="soft small-text">{table.fault}</p>}
                    {table.layer !== null && (
                      <p className="small-text">
                        <Link to={`/layers/${table.layer}`}>{t('tables.registered')}</Link>
                      </p>
                    )}
                  </div>
                  {table.fault === null && table.layer === null && (
                    <Button
                      small
                      icon="plus"
                      aria-label={t('tables.register-named', { name: `${table.schema}.${table.name}` })}
                      onClick={() => setAsked(table)}
                    >
                      {t('tables.register')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {asked !== undefined && (
        <RegisterDialog
          table={asked}
          onClose={() => setAsked(undefined)}
          onDone={(title) => {
            setAsked(undefined);
            forgetLoaded();
            again();
            say(t('tables.done', { title }));
          }}
        />
      )}
    </section>
  );
}

function RegisterDialog({
  table,
  onClose,
  onDone,
}: {
  readonly table: Found;
  readonly onClose: () => void;
  readonly onDone: (title: string) => void;
}) {
  const t = useText();
  const sharing = useNewSharing();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const save = async (form: FormData): Promise<void> => {
    const body = {
      schema: table.schema,
      table: table.name,
      title: String(form.get('title') ?? ''),
      key: String(form.get('key') ?? ''),
      permissions: sharing.permissions,
    };
    const reply = await during(send('POST', '/api/v2/database_tables/', { body }));
    if (reply.ok) onDone(reply.value.layer.title);
    else setFailure(reply.error);
  };
  return (
    <FormDialog
      title={t('tables.register-named', { name: `${table.schema}.${table.name}` })}
      isBusy={isBusy}
      onClose={onClose}
      onSave={save}
    >
      <Wrong failure={failure} />
      <InputField label={t('meta.title')} name="title" required maxLength={255} defaultValue={table.name} />
      <SelectField
        label={t('tables.key')}
        hint={t('tables.key-hint')}
        name="key"
        required
        defaultValue={table.key ?? ''}
      >
        <option value="">{t('sharing.choose')}</option>
        {table.columns.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <p className="soft">{t('tables.promise')}</p>
      <SharingChoice sharing={sharing} name="sharing" />
    </FormDialog>
  );
}
