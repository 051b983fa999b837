// The panel of an edit session: the form of what is selected, its coordinates, what is not saved yet with what went wrong, and saving.

import { useEffect, useRef, useState } from 'react';
import type { Said } from '../../../api/failure.ts';
import { type EditFeature, hasNewShape } from '../../../lib/edit/edit-session.ts';
import { useText } from '../../../lib/i18n/text.ts';
import { failureText } from '../../../lib/server-message.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { EditHistory } from '../../resource/EditHistory.tsx';
import { ConflictDialog } from './ConflictDialog.tsx';
import { CoordinateFields } from './CoordinateFields.tsx';
import { FeatureFields } from './FeatureFields.tsx';
import { nameOf } from './name-of.ts';
import type { Editor } from './use-editor.ts';
import './edit.css';

export function EditPanel({ editor, onClose }: { readonly editor: Editor; readonly onClose: () => void }) {
  const t = useText();
  const [asked, setAsked] = useState<string>();
  const [isHistory, setHistory] = useState(false);
  const { layer, form, selected, unsaved, session, dispatch, isBusy, failure } = editor;
  const keys = selected.map(({ key }) => key);
  const attributes = useRef<HTMLFormElement>(null);
  const isTyped = useRef(false);
  // Who typed the coordinates of a new feature goes on with its attributes: the form of the coordinates is another now.
  useEffect(() => {
    if (isTyped.current && keys.length > 0) {
      isTyped.current = false;
      attributes.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    }
  });
  const said = selected.flatMap(({ key }): readonly Said[] => {
    const trouble = session.troubles.get(key);
    return trouble?.kind === 'failed' && trouble.failure.kind === 'invalid' ? trouble.failure.said : [];
  });
  const conflicted = session.features.find(({ key }) => key === asked);
  const conflict = asked === undefined ? undefined : session.troubles.get(asked);
  const [one] = selected;
  return (
    <>
      <div className="row apart side-head edit-head">
        <h2>{t('edit.title', { title: layer.title })}</h2>
        <IconButton icon="close" name={t('action.close')} onClick={onClose} />
      </div>
      {failure !== undefined && (
        <div className="notice bad row apart" role="alert">
          <span>{failureText(t, failure)}</span>
          <IconButton small icon="close" name={t('action.close')} onClick={editor.clearFailure} />
        </div>
      )}
      <p className="small-text soft" role="status">
        {selected.length === 0 ? t(`edit.hint.${editor.tool}`) : t.count('edit.selected', selected.length)}
      </p>
      {form !== undefined && selected.length > 0 && (
        <form
          className="stack"
          aria-label={t('edit.attributes')}
          ref={attributes}
          key={keys.join(' ')}
          onSubmit={(event) => event.preventDefault()}
        >
          <FeatureFields
            fields={form.fields}
            features={selected}
            said={said}
            onFill={(changes) => dispatch({ kind: 'fill', keys, changes })}
          />
        </form>
      )}
      {form !== undefined && selected.length < 2 && (
        <CoordinateFields
          key={`${one?.key} ${JSON.stringify(one?.geometry ?? null).length}`}
          geometry={one?.geometry ?? null}
          isNew={one === undefined}
          kinds={editor.kinds}
          isMulti={editor.isMulti}
          onShape={(geometry) => {
            isTyped.current = true;
            dispatch(one === undefined ? { kind: 'draw', geometry } : { kind: 'shape', key: one.key, geometry });
          }}
        />
      )}
      {selected.length === 1 && one?.stored !== undefined && (
        <details
          className="edit-coordinates"
          key={`history ${one.key}`}
          onToggle={(event) => setHistory(event.currentTarget.open)}
        >
          <summary>{t('history.title')}</summary>
          {isHistory && (
            <EditHistory layer={layer} feature={String(one.stored.id)} onUndone={() => editor.forget(one.key)} />
          )}
        </details>
      )}
      <section className="stack edit-changes" aria-label={t('edit.changes')}>
        <h3>{unsaved.length === 0 ? t('edit.saved') : t.count('edit.unsaved', unsaved.length)}</h3>
        {unsaved.length > 0 && (
          <ul className="edit-list">
            {unsaved.map((feature) => {
              const trouble = session.troubles.get(feature.key);
              return (
                <li key={feature.key} className={trouble === undefined ? '' : 'bad'}>
                  <div className="row apart tight">
                    <button
                      type="button"
                      className="link-button"
                      disabled={feature.isDeleted}
                      onClick={() => dispatch({ kind: 'select', keys: [feature.key] })}
                    >
                      {nameOf(feature, t)}
                    </button>
                    <span className="badge">{t(`edit.state.${stateOf(feature)}`)}</span>
                    <IconButton
                      small
                      icon="close"
                      name={t('edit.discard-one', { name: nameOf(feature, t) })}
                      onClick={() => dispatch({ kind: 'discard', keys: [feature.key] })}
                    />
                  </div>
                  {trouble?.kind === 'failed' && (
                    <p className="wrong small-text" role="alert">
                      {failureText(t, trouble.failure)}
                    </p>
                  )}
                  {trouble?.kind === 'conflict' && (
                    <div className="row apart" role="alert">
                      <span className="wrong small-text">
                        {t(trouble.theirs === undefined ? 'edit.gone' : 'edit.conflict')}
                      </span>
                      <Button small onClick={() => setAsked(feature.key)}>
                        {t('edit.decide')}
                      </Button>
                    </div>
                  )}
                </li>
              );
            })}
          </ul>
        )}
        <div className="row">
          <Button
            look="primary"
            icon="save"
            disabled={unsaved.length === 0 || isBusy}
            onClick={() => void editor.save()}
          >
            {isBusy ? t('action.saving') : t('edit.save')}
          </Button>
          <Button
            disabled={unsaved.length === 0 || isBusy}
            onClick={() => dispatch({ kind: 'discard', keys: unsaved.map(({ key }) => key) })}
          >
            {t('edit.discard')}
          </Button>
        </div>
      </section>
      {conflicted !== undefined && conflict?.kind === 'conflict' && (
        <ConflictDialog
          layer={layer}
          mine={conflicted}
          theirs={conflict.theirs}
          fields={form?.fields ?? []}
          onMine={() => {
            setAsked(undefined);
            void editor.keepMine(conflicted.key);
          }}
          onTheirs={() => {
            dispatch({ kind: 'discard', keys: [conflicted.key] });
            setAsked(undefined);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

type State = 'new' | 'deleted' | 'both' | 'shape' | 'values';

function stateOf(feature: EditFeature): State {
  if (feature.stored === undefined) return 'new';
  if (feature.isDeleted) return 'deleted';
  const hasValues = Object.keys(feature.changes).length > 0;
  return hasNewShape(feature) ? (hasValues ? 'both' : 'shape') : 'values';
}
