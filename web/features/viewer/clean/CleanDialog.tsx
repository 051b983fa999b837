// A change of a column in many rows: its questions, what it would do to ten of them, what becomes of values that cannot be read, and doing it. It is
// undone from the message that says that it is done, and from the page of the layer.

import { type ReactNode, useId, useState } from 'react';
import { type Done, type Sample, type Trial, type Unreadable, undoKept } from '../../../api/calculate.ts';
import type { Failure } from '../../../api/failure.ts';
import { useText } from '../../../lib/i18n/text.ts';
import type { Result } from '../../../lib/result.ts';
import { failureText } from '../../../lib/server-message.ts';
import { useBusy } from '../../../lib/use-pending.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { SelectField } from '../../../ui/Field.tsx';
import { Wrong } from '../../../ui/States.tsx';
import { complain, say } from '../../../ui/toast.tsx';
import { useTrial } from './use-trial.ts';
import './clean.css';

export function CleanDialog({
  title,
  layer,
  column,
  order,
  mayKeep,
  attempt,
  perform,
  onClose,
  onDone,
  children,
}: {
  readonly title: string;
  /** Its number. */
  readonly layer: string;
  /** That the values go into, whose cells are shown before and after. */
  readonly column?: string;
  /** What is asked for, as text; undefined: something is missing. */
  readonly order: string | undefined;
  /** Cells that cannot be read may stay as they are. */
  readonly mayKeep: boolean;
  readonly attempt: (signal: AbortSignal) => Promise<Result<Trial, Failure>>;
  readonly perform: (unreadable: Unreadable) => Promise<Result<Done, Failure>>;
  readonly onClose: () => void;
  /** Rows were written. */
  readonly onDone: () => void;
  readonly children: ReactNode;
}) {
  const t = useText();
  const id = useId();
  const tried = useTrial(order, attempt);
  const [chosen, setChosen] = useState<Unreadable>('refuse');
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const trial = tried.kind === 'tried' ? tried.trial : undefined;
  const isAsked = trial !== undefined && trial.rows.unreadable > 0;
  const unreadable = isAsked ? chosen : 'refuse';
  const writes = trial !== undefined && (trial.rows.changed > 0 || !mayKeep);
  const isReady = writes && (!isAsked || unreadable !== 'refuse');
  const undo = async (kept: number): Promise<void> => {
    const reply = await undoKept(layer, kept);
    if (reply.ok) say(t.count('clean.undone', reply.value));
    else complain(failureText(t, reply.error));
    onDone();
  };
  const run = async (): Promise<void> => {
    const reply = await during(perform(unreadable));
    if (!reply.ok) return setFailure(reply.error);
    const { changed, kept } = reply.value;
    say(t.count('clean.done', changed), { label: t('clean.undo'), act: () => undo(kept) });
    onDone();
    onClose();
  };
  return (
    <Dialog
      title={title}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" form={id} disabled={isBusy || !isReady}>
            {isBusy ? t('clean.busy') : t('clean.run')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void run();
        }}
      >
        {children}
        <Wrong failure={tried.kind === 'failed' ? tried.failure : failure} />
        <div className="stack tight" aria-live="polite">
          {tried.kind === 'asking' && <p className="soft">{t('clean.trying')}</p>}
          {trial !== undefined && (
            <>
              <p className="number">
                {t('clean.counts', {
                  changed: t.number(trial.rows.changed),
                  matching: t.number(trial.rows.matching),
                })}
              </p>
              <Samples samples={trial.changes} title={t('clean.changes')} without={column} />
            </>
          )}
        </div>
        {isAsked && (
          <div className="notice warm">
            <div className="stack tight grow">
              <p>{t.count('clean.unreadable', trial.rows.unreadable)}</p>
              <Samples samples={trial.unreadable} title={t('clean.unreadable-rows')} isSource />
              <SelectField
                label={t('clean.unreadable-what')}
                value={chosen}
                onChange={(event) => setChosen(event.target.value as Unreadable)}
              >
                <option value="refuse">{t('sharing.choose')}</option>
                <option value="empty">{t('clean.unreadable-empty')}</option>
                {mayKeep && <option value="keep">{t('clean.unreadable-keep')}</option>}
              </SelectField>
            </div>
          </div>
        )}
      </form>
    </Dialog>
  );
}

/** `isSource`: only what was read is shown. */
function Samples({
  samples,
  title,
  isSource = false,
  without,
}: {
  readonly samples: readonly Sample[];
  readonly title: string;
  readonly isSource?: boolean;
  /** A column that need not be shown twice. */
  readonly without?: string | undefined;
}) {
  const t = useText();
  if (samples.length === 0) return null;
  const read = Object.keys(samples[0]?.values ?? {}).filter((name) => name !== without);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="clean-samples" tabIndex={0} aria-label={title}>
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">{t('clean.row')}</th>
            {read.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {!isSource && (
              <>
                <th scope="col">{t('clean.before')}</th>
                <th scope="col">{t('clean.after')}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {samples.map(({ key, values, before, after }) => (
            <tr key={String(key)}>
              <td>{String(key)}</td>
              {read.map((name) => (
                <td key={name}>{shown(values[name])}</td>
              ))}
              {!isSource && (
                <>
                  <td>{shown(before)}</td>
                  <td>
                    <strong>{shown(after)}</strong>
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** As it is stored: spaces that are to go have to be seen. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return /^\s|\s$/.test(value) || value === '' ? `“${value}”` : value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
