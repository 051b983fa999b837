// The columns of a layer's table: added, renamed, dropped after a question that says what uses them, and put back.

import { type ReactNode, useState } from 'react';
import { send } from '../../../api/client.ts';
import type { Failure } from '../../../api/failure.ts';
import type { Layer } from '../../../api/types.ts';
import { forgetLoaded, useFresh } from '../../../api/use-loaded.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { useBusy } from '../../../lib/use-pending.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { InputField } from '../../../ui/Field.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { Link } from '../../../ui/Link.tsx';
import { WhenLoaded, Wrong } from '../../../ui/States.tsx';
import { say } from '../../../ui/toast.tsx';
import { ColumnFields, NO_COLUMN } from '../../upload/ColumnFields.tsx';

type Column = { readonly name: string; readonly label: string };
type Question = { readonly kind: 'add' } | { readonly kind: 'rename' | 'drop'; readonly column: Column };

export function ColumnsPanel({ layer, onChanged }: { readonly layer: Layer; readonly onChanged: () => void }) {
  const t = useText();
  const path = `/api/v2/layers/${layer.pk}/columns/` as const;
  const [loaded, again] = useFresh(path);
  const [question, setQuestion] = useState<Question>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const done = (said: string): void => {
    setQuestion(undefined);
    setFailure(undefined);
    forgetLoaded();
    again();
    onChanged();
    say(said);
  };
  const restore = async (id: number, label: string): Promise<void> => {
    const reply = await during(send('POST', `/api/v2/layers/${layer.pk}/columns/dropped/${id}/restore/`));
    if (reply.ok) done(t('columns.restored', { name: label }));
    else setFailure(reply.error);
  };
  const close = (): void => setQuestion(undefined);
  return (
    <section className="stack" aria-label={t('columns.title')}>
      <div className="row apart">
        <h2>{t('columns.title')}</h2>
        <Button icon="plus" onClick={() => setQuestion({ kind: 'add' })}>
          {t('columns.add')}
        </Button>
      </div>
      <Wrong failure={failure} />
      <WhenLoaded loaded={loaded} onRetry={again}>
        {({ columns, dropped }) => (
          <>
            <ul className="column-list">
              {columns.map((column) => (
                <li key={column.name}>
                  <span className="grow">
                    <strong>{column.label}</strong>{' '}
                    <span className="soft small-text">
                      {column.label !== column.name && <code>{column.name}</code>} {column.type.replace(/^\w+\./, '')}
                      {column.required && !column.fixed && ` · ${t('columns.required')}`}
                    </span>
                  </span>
                  {!column.fixed && (
                    <>
                      <IconButton
                        icon="edit"
                        name={t('columns.rename-named', { name: column.label })}
                        onClick={() => setQuestion({ kind: 'rename', column })}
                      />
                      <IconButton
                        icon="trash"
                        name={t('columns.drop-named', { name: column.label })}
                        onClick={() => setQuestion({ kind: 'drop', column })}
                      />
                    </>
                  )}
                </li>
              ))}
            </ul>
            {dropped.length > 0 && (
              <details>
                <summary>{t.count('columns.dropped', dropped.length)}</summary>
                <p className="soft small-text">{t('columns.dropped-kept')}</p>
                <ul className="column-list">
                  {dropped.map(({ id, label, at, by }) => (
                    <li key={id}>
                      <span className="grow">
                        <strong>{label}</strong>{' '}
                        <span className="soft small-text">
                          {t('history.by', { who: by ?? t('history.nobody'), when: t.time(at) })}
                        </span>
                      </span>
                      <Button small icon="undo" disabled={isBusy} onClick={() => void restore(id, label)}>
                        {t('columns.restore')}
                      </Button>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )}
      </WhenLoaded>
      {question?.kind === 'add' && (
        <AddColumn layer={layer} onClose={close} onDone={(name) => done(t('columns.added', { name }))} />
      )}
      {question?.kind === 'rename' && (
        <RenameColumn
          layer={layer}
          column={question.column}
          onClose={close}
          onDone={(name) => done(t('columns.renamed', { name }))}
        />
      )}
      {question?.kind === 'drop' && (
        <DropColumn
          layer={layer}
          column={question.column}
          onClose={close}
          onDone={() => done(t('columns.dropped-one', { name: question.column.label }))}
        />
      )}
    </section>
  );
}

type AskProps = { readonly layer: Layer; readonly onClose: () => void; readonly onDone: (name: string) => void };

function AddColumn({ layer, onClose, onDone }: AskProps) {
  const t = useText();
  const [column, setColumn] = useState(NO_COLUMN);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  return (
    <FormDialog
      title={t('columns.add')}
      isBusy={isBusy}
      onClose={onClose}
      onSave={async () => {
        const { name, type } = column;
        const reply = await during(send('POST', `/api/v2/layers/${layer.pk}/columns/`, { body: { name, type } }));
        if (reply.ok) onDone(name);
        else setFailure(reply.error);
      }}
    >
      <Wrong failure={failure} />
      <ColumnFields column={column} onChange={setColumn} mayRequire={false} />
    </FormDialog>
  );
}

function RenameColumn({ layer, column, onClose, onDone }: AskProps & { readonly column: Column }) {
  const t = useText();
  const [name, setName] = useState(column.label);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  return (
    <FormDialog
      title={t('columns.rename-named', { name: column.label })}
      isBusy={isBusy}
      onClose={onClose}
      onSave={async () => {
        const reply = await during(
          send('PATCH', `/api/v2/layers/${layer.pk}/columns/${encodeURIComponent(column.name)}/`, { body: { name } }),
        );
        if (reply.ok) onDone(name);
        else setFailure(reply.error);
      }}
    >
      <Wrong failure={failure} />
      <InputField
        label={t('columns.name')}
        required
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <p className="soft">{t('columns.rename-follows')}</p>
      <Uses layer={layer} column={column} isKept />
    </FormDialog>
  );
}

function DropColumn({ layer, column, onClose, onDone }: AskProps & { readonly column: Column }) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const drop = async (): Promise<void> => {
    const reply = await during(
      send('DELETE', `/api/v2/layers/${layer.pk}/columns/${encodeURIComponent(column.name)}/`),
    );
    if (reply.ok) onDone(column.label);
    else setFailure(reply.error);
  };
  return (
    <Dialog
      title={t('columns.drop-named', { name: column.label })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="danger" icon="trash" disabled={isBusy} onClick={() => void drop()}>
            {t('columns.drop')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <Wrong failure={failure} />
        <p>{t('columns.drop-text')}</p>
        <Uses layer={layer} column={column} />
      </div>
    </Dialog>
  );
}

/** What a column is used by, where it is. */
function Uses({
  layer,
  column,
  isKept = false,
}: {
  readonly layer: Layer;
  readonly column: Column;
  /** The column stays under another name: styles of the layer and of maps follow it. */
  readonly isKept?: boolean;
}) {
  const t = useText();
  const [loaded, again] = useFresh(`/api/v2/layers/${layer.pk}/columns/${encodeURIComponent(column.name)}/uses/`);
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ styles, maps, hidden_maps: hidden, template, filter, views, constraints }) => {
        const lines: readonly (readonly [key: string, line: ReactNode])[] = [
          ...(isKept
            ? []
            : [
                ...styles.map((name) => [`s${name}`, t('columns.use-style', { name })] as const),
                ...maps.map(
                  ({ pk, title }) =>
                    [
                      `m${pk}`,
                      <Link key={pk} to={`/maps/${pk}`}>
                        {t('columns.use-map', { name: title })}
                      </Link>,
                    ] as const,
                ),
                ...(hidden > 0 ? [['hidden', t.count('columns.use-hidden', hidden)] as const] : []),
              ]),
          ...(template ? [['template', t('columns.use-template')] as const] : []),
          ...(filter && !isKept ? [['filter', t('columns.use-filter')] as const] : []),
          ...views.map((name) => [`v${name}`, t('columns.use-view', { name })] as const),
          ...constraints.map((name) => [`c${name}`, t('columns.use-constraint', { name })] as const),
        ];
        if (lines.length === 0) return <p className="soft">{t('columns.use-none')}</p>;
        return (
          <div className="notice warm">
            <div className="stack tight">
              <p>{t('columns.used-by')}</p>
              <ul>
                {lines.map(([key, line]) => (
                  <li key={key}>{line}</li>
                ))}
              </ul>
            </div>
          </div>
        );
      }}
    </WhenLoaded>
  );
}
