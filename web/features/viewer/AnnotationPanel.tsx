// Annotations of a map: drawn, named, coloured, moved and removed. What is done here is kept with the map when it is saved.

import { useEffect, useRef } from 'react';
import {
  ANNOTATION_KINDS,
  type Annotation,
  type AnnotationKind,
  MAX_ANNOTATIONS,
  MAX_DESCRIPTION,
  MAX_TITLE,
} from '../../lib/annotations.ts';
import { useText } from '../../lib/i18n/text.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { InputField, TextField } from '../../ui/Field.tsx';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { Empty } from '../../ui/States.tsx';
import type { Annotating } from './use-annotating.ts';
import './annotations.css';

const ICONS: Readonly<Record<AnnotationKind, IconName>> = {
  point: 'point',
  line: 'line',
  polygon: 'polygon',
  text: 'text',
};

export function AnnotationPanel({
  annotating,
  onZoom,
  onClose,
}: {
  readonly annotating: Annotating;
  readonly onZoom: (one: Annotation) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { annotations, chosen, tool, choose, begin } = annotating;
  const one = annotations.find(({ id }) => id === chosen);
  return (
    <>
      <div className="row apart side-head">
        <h2>{t('note.title')}</h2>
        <Button small icon="left" onClick={onClose}>
          {t('action.back')}
        </Button>
      </div>
      <div className="row tight" role="toolbar" aria-label={t('note.draw')}>
        {ANNOTATION_KINDS.map((kind) => (
          <Button
            key={kind}
            small
            icon={ICONS[kind]}
            aria-pressed={tool === kind}
            disabled={annotations.length >= MAX_ANNOTATIONS}
            onClick={() => begin(tool === kind ? undefined : kind)}
          >
            {t(`note.kind.${kind}`)}
          </Button>
        ))}
      </div>
      {annotations.length >= MAX_ANNOTATIONS && (
        <p className="notice warm">{t('note.too-many', { most: MAX_ANNOTATIONS })}</p>
      )}
      {tool !== undefined && <Drawing annotating={annotating} tool={tool} />}
      {annotations.length === 0 && tool === undefined && (
        <Empty title={t('note.none')} icon="note">
          <p>{t('note.none-text')}</p>
        </Empty>
      )}
      <ul className="note-list">
        {annotations.map((each) => (
          <li key={each.id} className={each.id === chosen ? 'note-item chosen' : 'note-item'}>
            <div className="row tight">
              <button
                type="button"
                className="grow note-name"
                aria-expanded={each.id === chosen}
                onClick={() => choose(each.id === chosen ? undefined : each.id)}
              >
                <span className="note-colour" style={{ background: each.colour }} />
                <Icon name={ICONS[each.kind]} />
                <span>{each.title === '' ? t(`note.kind.${each.kind}`) : each.title}</span>
              </button>
              <IconButton small icon="target" name={t('viewer.zoom')} onClick={() => onZoom(each)} />
            </div>
            {each === one && <AnnotationForm key={each.id} one={each} annotating={annotating} />}
          </li>
        ))}
      </ul>
    </>
  );
}

/** How to draw with a pointer, and how without one. */
function Drawing({ annotating, tool }: { readonly annotating: Annotating; readonly tool: AnnotationKind }) {
  const t = useText();
  const isSingle = tool === 'point' || tool === 'text';
  return (
    <div className="notice stack" role="status">
      <p>{t(isSingle ? 'note.click-one' : 'note.click-many')}</p>
      <div className="row tight">
        <Button small icon="target" onClick={annotating.setCorner}>
          {t(isSingle ? 'note.in-middle' : 'note.corner-in-middle')}
        </Button>
        {!isSingle && (
          <Button small icon="check" disabled={!annotating.canFinish} onClick={annotating.finish}>
            {t('note.finish')}
          </Button>
        )}
        <Button small onClick={() => annotating.begin(undefined)}>
          {t('action.cancel')}
        </Button>
      </div>
    </div>
  );
}

function AnnotationForm({ one, annotating }: { readonly one: Annotation; readonly annotating: Annotating }) {
  const t = useText();
  const { change, drop, isShaping, setShaping, isNew } = annotating;
  const title = useRef<HTMLInputElement>(null);
  // Who has just drawn it wants to name it.
  useEffect(() => {
    if (isNew) title.current?.focus();
  }, [isNew]);
  return (
    <div className="stack note-form">
      <InputField
        label={t(one.kind === 'text' ? 'note.text' : 'meta.title')}
        ref={title}
        maxLength={MAX_TITLE}
        value={one.title}
        onChange={(event) => change({ ...one, title: event.target.value })}
      />
      <TextField
        label={t('note.description')}
        rows={3}
        maxLength={MAX_DESCRIPTION}
        value={one.description}
        onChange={(event) => change({ ...one, description: event.target.value })}
      />
      <InputField
        label={t('style.colour')}
        type="color"
        value={one.colour}
        onChange={(event) => change({ ...one, colour: event.target.value })}
      />
      <div className="row tight">
        <Button
          small
          icon={one.kind === 'line' || one.kind === 'polygon' ? 'vertices' : 'move'}
          aria-pressed={isShaping}
          onClick={() => setShaping(!isShaping)}
        >
          {t('note.reshape')}
        </Button>
        <Button small look="danger" icon="trash" onClick={() => drop(one.id)}>
          {t('action.delete')}
        </Button>
      </div>
      {isShaping && <p className="notice small-text">{t('note.reshape-hint')}</p>}
    </div>
  );
}
