// SQL for administrators: a statement, run in a transaction that only reads unless writing was allowed and confirmed; its rows, or its plan as a tree.

import { useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { useLoaded } from '../../api/use-loaded.ts';
import { csvText } from '../../lib/csv-text.ts';
import { useText } from '../../lib/i18n/text.ts';
import { type PlanStep, parsePlan } from '../../lib/query-plan.ts';
import { saveFile } from '../../lib/save-file.ts';
import type { SqlTable } from '../../lib/sql-completion.ts';
import { useUnsaved } from '../../lib/unsaved.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Wrong } from '../../ui/States.tsx';
import { PlanTree } from './PlanTree.tsx';
import { SavedQueries } from './SavedQueries.tsx';
import { SqlEditor } from './SqlEditor.tsx';
import { SqlLayer } from './SqlLayer.tsx';
import { SqlRows } from './SqlRows.tsx';

type Action = 'run' | 'explain' | 'analyze';
type Result =
  | {
      readonly kind: 'rows';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly (string | null)[])[];
      readonly more: boolean;
    }
  | { readonly kind: 'written'; readonly rows: number }
  | { readonly kind: 'plan'; readonly plan: PlanStep };

const NO_TABLES: readonly SqlTable[] = [];

function csvFile({ columns, rows }: Extract<Result, { kind: 'rows' }>): Blob {
  return new Blob([csvText(columns, rows)], { type: 'text/csv' });
}

export function SqlConsole() {
  const t = useText();
  const [statement, setStatement] = useState('');
  const [answered, setAnswered] = useState('');
  const [writes, setWrites] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [result, setResult] = useState<Result>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const [names] = useLoaded('/api/v2/sql/names/');
  const tables = names.kind === 'loaded' ? names.value.tables : NO_TABLES;
  const isReady = statement.trim() !== '' && !isBusy;
  // What the database has not answered yet stays where it was typed, also when the session has ended.
  useUnsaved(statement.trim() !== '' && statement !== answered);
  const ask = async (action: Action, isWriting: boolean): Promise<void> => {
    const body = { statement, action, writes: isWriting };
    const reply = await during(send('POST', '/api/v2/sql/', { body }));
    setFailure(reply.ok ? undefined : reply.error);
    if (reply.ok || (reply.error.kind !== 'signed-out' && reply.error.kind !== 'offline')) setAnswered(statement);
    if (!reply.ok) return setResult(undefined);
    const { columns = [], rows = [], more = false, written, plan } = reply.value;
    const tree = parsePlan(plan);
    setResult(
      tree !== undefined
        ? { kind: 'plan', plan: tree }
        : typeof written === 'number'
          ? { kind: 'written', rows: written }
          : { kind: 'rows', columns, rows, more },
    );
  };
  const run = (): void => {
    if (!isReady) return;
    if (writes) setAsking(true);
    else void ask('run', false);
  };
  return (
    <div className="stack">
      <p className="soft">{t('sql.lead')}</p>
      <SqlEditor statement={statement} tables={tables} onChange={setStatement} onRun={run} />
      <SavedQueries statement={statement} onOpen={setStatement} />
      <div className="row">
        <Button look="primary" icon="code" disabled={!isReady} onClick={run}>
          {t('sql.run')}
        </Button>
        <Button disabled={!isReady} onClick={() => void ask('explain', false)}>
          {t('sql.explain')}
        </Button>
        <Button disabled={!isReady} onClick={() => void ask('analyze', false)}>
          {t('sql.analyze')}
        </Button>
        <label className="check">
          <input type="checkbox" checked={writes} onChange={(event) => setWrites(event.target.checked)} />
          {t('sql.writes')}
        </label>
      </div>
      <Wrong failure={failure} />
      {isAsking && (
        <Dialog
          title={t('sql.ask-title')}
          onClose={() => setAsking(false)}
          footer={
            <>
              <Button onClick={() => setAsking(false)}>{t('action.cancel')}</Button>
              <Button
                look="danger"
                onClick={() => {
                  setAsking(false);
                  // Allowed once: the next statement reads again.
                  setWrites(false);
                  void ask('run', true);
                }}
              >
                {t('sql.run-writing')}
              </Button>
            </>
          }
        >
          <div className="stack">
            <p>{t('sql.ask-text')}</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
            <pre className="code" tabIndex={0}>
              {statement}
            </pre>
          </div>
        </Dialog>
      )}
      <div role="status">
        {result?.kind === 'written' && <p className="notice good">{t.count('sql.written', result.rows)}</p>}
        {result?.kind === 'rows' && (
          <p className="soft number">
            {result.more
              ? t('sql.first-rows', { n: t.number(result.rows.length) })
              : t.count('sql.rows', result.rows.length)}
          </p>
        )}
      </div>
      {result?.kind === 'rows' && result.columns.length > 0 && (
        <>
          <div className="row">
            <Button icon="download" onClick={() => saveFile(csvFile(result), 'result.csv')}>
              {t('sql.csv')}
            </Button>
            <SqlLayer key={answered} statement={answered} />
          </div>
          <SqlRows columns={result.columns} rows={result.rows} />
        </>
      )}
      {result?.kind === 'plan' && <PlanTree plan={result.plan} />}
    </div>
  );
}
