// An import under way: what it is doing, what it asks, how it ended. The portal tells by itself when something happens.

import { useEffect, useRef, useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { followImport } from '../../api/follow-imports.ts';
import type { ImportNews, ImportQuestion } from '../../api/import-news.ts';
import { forgetLoaded, useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { importReason } from '../../lib/import-reason.ts';
import { useBusy } from '../../lib/use-pending.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Link } from '../../ui/Link.tsx';
import { Wrong } from '../../ui/States.tsx';
import { CrsField } from './CrsField.tsx';
import { ProgressBar } from './ProgressBar.tsx';

export function ImportCard({
  id,
  onForget,
  onDone,
  isInto = false,
  isNew = false,
}: {
  readonly id: number;
  readonly onForget: () => void;
  /** `layer`: what became of it. */
  readonly onDone?: (layer: number | null) => void;
  /** Rows for a layer that exists, on whose page it is shown. */
  readonly isInto?: boolean;
  /** Begun just now, by a card that is gone: who pressed its button goes on here. */
  readonly isNew?: boolean;
}) {
  const t = useText();
  const card = useRef<HTMLElement>(null);
  const [upload] = useLoaded(`/api/v2/uploads/${id}/`);
  const [round, setRound] = useState(0);
  const news = useNews(id, round, onDone);
  const name = upload.kind === 'loaded' ? upload.value.upload.name : `#${id}`;
  const state = news?.state ?? (upload.kind === 'loaded' ? upload.value.upload.state : '');
  const isShown = upload.kind !== 'failed';
  useEffect(() => {
    if (isNew && isShown && document.activeElement === document.body) card.current?.focus();
  }, [isNew, isShown]);
  if (!isShown) return null;
  return (
    <article className="panel stack upload-card" aria-label={name} ref={card} tabIndex={-1}>
      <div className="row apart">
        <h3>{name}</h3>
        <StateBadge state={state} />
      </div>
      {state !== 'PROCESSED' && state !== 'INVALID' && state !== 'WAITING' && (
        <ProgressBar
          share={(news?.progress ?? 0) / 100}
          label={news?.phase === null || news === undefined ? t('add.waiting') : t.entry('phase', news.phase)}
        />
      )}
      {state !== 'PROCESSED' && news !== undefined && news.features > 0 && (
        <p className="soft small-text number">{t.count('add.features', news.features)}</p>
      )}
      {state === 'WAITING' && news?.question && <Question id={id} question={news.question} onStop={onForget} />}
      {state === 'INVALID' && (
        <p className="notice bad" role="alert">
          <Icon name="warning" />
          <span>{importReason(t, news?.reason, news?.error_msg ?? t('add.failed'))}</span>
        </p>
      )}
      {state === 'PROCESSED' && news?.rows !== null && news?.rows !== undefined && (
        <p className="number">
          {t('add.rows', { before: t.number(news.rows.before), after: t.number(news.rows.after) })}
        </p>
      )}
      {state === 'PROCESSED' && !isInto && upload.kind === 'loaded' && <MadeLayers upload={upload.value.upload} />}
      {state === 'PROCESSED' && <Warnings lines={news?.warnings ?? []} />}
      {state === 'INVALID' && news?.can_retry === true && <Retry id={id} onBegun={() => setRound(round + 1)} />}
      {state !== 'PROCESSED' && state !== '' && (
        <div>
          <Button small onClick={onForget}>
            {state === 'INVALID' ? t('action.remove') : t('action.cancel')}
          </Button>
        </div>
      )}
    </article>
  );
}

/** What the files became: a layer, or several with a link to each. */
function MadeLayers({ upload }: { readonly upload: { readonly import_id: number | null } }) {
  const t = useText();
  const [final] = useLoaded(upload.import_id === null ? undefined : `/upload/final?id=${upload.import_id}`);
  const ids = final.kind === 'loaded' ? (final.value.layers ?? []).flatMap(({ id }) => id ?? []) : [];
  const wanted = ids.slice(0, MAX_LISTED).map((id) => `&filter{pk.in}=${id}`);
  const [made] = useLoaded(
    ids.length === 0 ? undefined : `/api/v2/layers/?page_size=${MAX_LISTED}&sort[]=title${wanted.join('')}`,
  );
  if (made.kind !== 'loaded') return null;
  const [only, ...others] = made.value.layers;
  if (only !== undefined && others.length === 0)
    return (
      <div className="row">
        <Link className="button primary" to={`/layers/${only.pk}`}>
          <Icon name={only.subtype === 'tabular' ? 'table' : 'layer'} />
          {t('add.open-layer')}
        </Link>
        {only.subtype !== 'tabular' && (
          <Link className="button" to={`/viewer?layer=${only.pk}`}>
            <Icon name="map" />
            {t('resource.open-viewer')}
          </Link>
        )}
      </div>
    );
  return (
    <div className="stack tight">
      <p>{t.count('add.made', ids.length)}</p>
      <ul>
        {made.value.layers.map(({ pk, title }) => (
          <li key={pk}>
            <Link to={`/layers/${pk}`}>{title}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A page of the catalogue. */
const MAX_LISTED = 100;

/** What the import could not keep as the files have it, line by line. */
function Warnings({ lines }: { readonly lines: readonly string[] }) {
  const t = useText();
  if (lines.length === 0) return null;
  return (
    <div className="notice warm">
      <Icon name="warning" />
      <details className="grow">
        <summary>{t.count('add.warnings', lines.length)}</summary>
        <ul lang="en" className="small-text">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function StateBadge({ state }: { readonly state: string }) {
  const t = useText();
  const look =
    state === 'PROCESSED'
      ? 'good'
      : state === 'INVALID' || state === 'INCOMPLETE'
        ? 'bad'
        : state === 'WAITING'
          ? 'warm'
          : '';
  return <span className={`badge ${look}`}>{t.entry('upload-state', state)}</span>;
}

function Retry({ id, onBegun }: { readonly id: number; readonly onBegun: () => void }) {
  const t = useText();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const retry = async (): Promise<void> => {
    const reply = await during(send('POST', `/api/v2/uploads/${id}/retry`));
    if (reply.ok) onBegun();
    else setFailure(reply.error);
  };
  return (
    <div className="stack tight">
      <Wrong failure={failure} />
      <p className="soft small-text">{t('add.files-kept')}</p>
      <div>
        <Button look="primary" small disabled={isBusy} onClick={() => void retry()}>
          {t('action.retry')}
        </Button>
      </div>
    </div>
  );
}

/** The last that the portal told of it. `round`: of an import that was tried again. */
function useNews(id: number, round: number, onDone?: (layer: number | null) => void): ImportNews | undefined {
  const [news, setNews] = useState<ImportNews>();
  const done = useRef(onDone);
  done.current = onDone;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is told of anew
  useEffect(() => {
    return followImport(id, (told) => {
      setNews(told);
      if (told.state !== 'PROCESSED') return;
      forgetLoaded();
      done.current?.(told.layer);
    });
  }, [id, round]);
  return news;
}

/** A workbook with several sheets as plain tables: all of them, or one. */
function PlainSheets({
  sheets,
  isBusy,
  onChoose,
}: {
  readonly sheets: readonly string[];
  readonly isBusy: boolean;
  readonly onChoose: (answer: Readonly<Record<string, string>>) => void;
}) {
  const t = useText();
  const [sheet, setSheet] = useState('');
  return (
    <div className="row">
      <SelectField label={t('add.sheet')} value={sheet} onChange={(event) => setSheet(event.target.value)}>
        <option value="">{t.count('add.all-sheets', sheets.length)}</option>
        {sheets.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <Button disabled={isBusy} onClick={() => onChoose({ places: 'none', ...(sheet === '' ? {} : { sheet }) })}>
        {t(sheet === '' ? 'add.as-plain-tables' : 'add.as-plain-table')}
      </Button>
    </div>
  );
}

function Question({
  id,
  question,
  onStop,
}: {
  readonly id: number;
  readonly question: ImportQuestion;
  readonly onStop: () => void;
}) {
  return question.kind === 'missing-columns' ? (
    <MissingColumns id={id} question={question} onStop={onStop} />
  ) : (
    <Answer id={id} question={question} />
  );
}

/** How the answer to a question went, and who gives it. */
function useAnswer(
  id: number,
): readonly [
  failure: Failure | undefined,
  isBusy: boolean,
  answer: (body: Readonly<Record<string, string>>) => Promise<void>,
] {
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, during] = useBusy();
  const answer = async (body: Readonly<Record<string, string>>): Promise<void> => {
    const reply = await during(send('POST', `/api/v2/uploads/${id}/answer`, { body }));
    setFailure(reply.ok ? undefined : reply.error);
  };
  return [failure, isBusy, answer];
}

/** The file lacks columns in which the layer has values: they are kept, emptied, or nothing is done. */
function MissingColumns({
  id,
  question: { columns, keys },
  onStop,
}: {
  readonly id: number;
  readonly question: Extract<ImportQuestion, { kind: 'missing-columns' }>;
  readonly onStop: () => void;
}) {
  const t = useText();
  const [failure, isBusy, answer] = useAnswer(id);
  const [key, setKey] = useState(keys[0] ?? '');
  return (
    <section className="notice warm" aria-label={t('missing.title')}>
      <div className="stack tight grow">
        <p>{t('missing.text', { columns: columns.join(', ') })}</p>
        <Wrong failure={failure} />
        {keys.length === 0 ? (
          <p className="soft">{t('missing.no-key')}</p>
        ) : (
          <SelectField
            label={t('missing.key')}
            hint={t('missing.key-hint')}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          >
            {keys.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        <div className="row">
          {keys.length > 0 && (
            <Button look="primary" disabled={isBusy} onClick={() => void answer({ missing: 'keep', key })}>
              {t('missing.keep')}
            </Button>
          )}
          <Button look="danger" disabled={isBusy} onClick={() => void answer({ missing: 'empty' })}>
            {t('missing.empty')}
          </Button>
          <Button disabled={isBusy} onClick={onStop}>
            {t('missing.stop')}
          </Button>
        </div>
      </div>
    </section>
  );
}

function Answer({
  id,
  question,
}: {
  readonly id: number;
  readonly question: Exclude<ImportQuestion, { kind: 'missing-columns' }>;
}) {
  const t = useText();
  const [failure, isBusy, answer] = useAnswer(id);
  const submit = async (form: FormData): Promise<void> => {
    const body = Object.fromEntries(
      [...form].map(([name, value]) => [name, String(value)]).filter(([, value]) => value !== ''),
    );
    await answer(body);
  };
  return (
    <form
      className="notice warm"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      <div className="stack tight grow">
        {question.kind === 'crs' && question.said !== undefined && (
          <p>{importReason(t, question.reason, question.said)}</p>
        )}
        <p>{t(`question.${question.kind}`)}</p>
        <Wrong failure={failure} />
        {question.kind === 'crs' ? (
          <CrsField required />
        ) : (
          <div className="upload-fields">
            {(['x', 'y'] as const).map((axis) => (
              <SelectField key={axis} label={t(`add.column-${axis}`)} name={axis} required defaultValue="">
                <option value="">{t('sharing.choose')}</option>
                {question.columns.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </SelectField>
            ))}
          </div>
        )}
        <div className="row">
          <Button look="primary" type="submit" disabled={isBusy}>
            {t('add.answer')}
          </Button>
          {question.kind === 'columns' && question.sheets === undefined && (
            <Button disabled={isBusy} onClick={() => void answer({ places: 'none' })}>
              {t('add.as-plain-table')}
            </Button>
          )}
        </div>
        {question.kind === 'columns' && question.sheets !== undefined && (
          <PlainSheets sheets={question.sheets} isBusy={isBusy} onChoose={(body) => void answer(body)} />
        )}
      </div>
    </form>
  );
}
