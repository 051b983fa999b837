// The history of a layer, or of one of its features: who changed what and when, and the undoing of one edit.

import { useCallback, useEffect, useState } from 'react';
import { exchange, getFor } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import { type Edit, historyPath, isHistory } from '../../api/layer-history.ts';
import type { Layer } from '../../api/types.ts';
import { type Text, useText } from '../../lib/i18n/text.ts';
import { failureText } from '../../lib/server-message.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty, Waiting } from '../../ui/States.tsx';
import './edit-history.css';

const PAGE = 30;

export function EditHistory({
  layer,
  feature,
  onUndone,
}: {
  readonly layer: Pick<Layer, 'pk' | 'name' | 'perms' | 'attribute_set' | 'subtype'>;
  /** Undefined: of all features. */
  readonly feature?: string | undefined;
  readonly onUndone?: () => void;
}) {
  const t = useText();
  const [edits, setEdits] = useState<readonly Edit[]>();
  const [hasMore, setMore] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  /** What went wrong with undoing an edit, on that edit. */
  const [refused, setRefused] = useState<{ readonly id: number; readonly failure: Failure }>();
  const [busy, setBusy] = useState<number>();
  const path = historyPath(layer);
  const load = useCallback(
    async (before: number | undefined, signal?: AbortSignal): Promise<void> => {
      const query = new URLSearchParams({ limit: String(PAGE) });
      if (feature !== undefined) query.set('feature', feature);
      if (before !== undefined) query.set('before', String(before));
      const reply = await getFor(isHistory, `${path}?${query}`, signal);
      if (!reply.ok) {
        setFailure(reply.error);
        return;
      }
      setEdits((known) => [...(before === undefined ? [] : (known ?? [])), ...reply.value.edits]);
      setMore(reply.value.edits.length === PAGE);
    },
    [path, feature],
  );
  useEffect(() => {
    const gone = new AbortController();
    load(undefined, gone.signal).catch(() => undefined);
    return () => gone.abort();
  }, [load]);
  const labels = new Map(layer.attribute_set.map((one) => [one.attribute, one.attribute_label ?? one.attribute]));
  const mayUndo = layer.perms.includes('change_layer_data');
  const undo = async ({ id }: Edit): Promise<void> => {
    setBusy(id);
    setRefused(undefined);
    const reply = await exchange('POST', `${path}/${id}/undo`);
    setBusy(undefined);
    if (!reply.ok) {
      setRefused({ id, failure: reply.error });
      return;
    }
    await load(undefined);
    onUndone?.();
  };
  if (failure !== undefined) return <p className="notice">{failureText(t, failure)}</p>;
  if (edits === undefined) return <Waiting />;
  if (edits.length === 0) return <Empty title={t('history.none')} icon="history" />;
  return (
    <div className="stack">
      <ol className="edit-history">
        {edits.map((edit) => (
          <li key={edit.id}>
            <div className="row apart">
              <span>
                <strong>{titleOf(edit, t)}</strong>{' '}
                <span className="soft small-text">
                  {t('history.by', { who: edit.by ?? t('history.nobody'), when: t.time(edit.at) })}
                </span>
              </span>
              {mayUndo && edit.kind !== 'bulk' && (
                <Button
                  small
                  icon="undo"
                  disabled={busy !== undefined}
                  aria-label={t('history.undo-named', { what: titleOf(edit, t) })}
                  onClick={() => void undo(edit)}
                >
                  {t('history.undo')}
                </Button>
              )}
            </div>
            <Changes edit={edit} labels={labels} />
            {refused?.id === edit.id && (
              <p className="notice bad" role="alert">
                {refused.failure.kind === 'invalid' && refused.failure.status === 412
                  ? t('history.changed')
                  : failureText(t, refused.failure)}
              </p>
            )}
          </li>
        ))}
      </ol>
      {hasMore && <Button onClick={() => void load(edits.at(-1)?.id)}>{t('history.more')}</Button>}
    </div>
  );
}

function titleOf({ kind, feature, rows, bulk }: Edit, t: Text): string {
  if (kind !== 'bulk') return t(`history.${kind}`, { id: feature ?? '' });
  const what = t.find(`history.bulk.${bulk}`) ?? t('history.bulk.update');
  return rows === null ? what : t.count('history.rows', rows, { what });
}

const MAX_SHOWN = 30;

function Changes({ edit, labels }: { readonly edit: Edit; readonly labels: ReadonlyMap<string, string> }) {
  const t = useText();
  if (edit.kind === 'bulk') return null;
  const names = [...new Set([...Object.keys(edit.old ?? {}), ...Object.keys(edit.new ?? {})])].filter(
    (name) => edit.kind === 'update' || ((edit.new ?? edit.old)?.[name] ?? null) !== null,
  );
  return (
    <dl className="facts">
      {names.slice(0, MAX_SHOWN).map((name) => (
        <div className="fact" key={name}>
          <dt>{labels.get(name) ?? name}</dt>
          <dd>
            {edit.kind === 'update' ? (
              <>
                <del>{shown(edit.old?.[name])}</del> → <ins>{shown(edit.new?.[name])}</ins>
              </>
            ) : (
              shown((edit.new ?? edit.old)?.[name])
            )}
          </dd>
        </div>
      ))}
      {edit.geometry && edit.kind === 'update' && (
        <div className="fact">
          <dt>{t('edit.shape')}</dt>
          <dd>{t('edit.shape-changed')}</dd>
        </div>
      )}
    </dl>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '∅';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
