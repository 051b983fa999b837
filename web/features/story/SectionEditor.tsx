// One section of a story: its fields, and how readers will see it.

import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from 'react';
import { addDocument } from '../../api/add-document.ts';
import type { Failure } from '../../api/failure.ts';
import { useText } from '../../lib/i18n/text.ts';
import { LAYOUTS, type Section } from '../../lib/story.ts';
import type { View } from '../../lib/view-hash.ts';
import { IconButton } from '../../ui/Button.tsx';
import { InputField, SelectField, TextField } from '../../ui/Field.tsx';
import { Wrong } from '../../ui/States.tsx';
import { MediaEditor } from './MediaEditor.tsx';
import { SectionView } from './StoryView.tsx';

export function SectionEditor({
  section,
  isNew,
  n,
  storyTitle,
  isLast,
  onChange,
  onMove,
  onRemove,
}: {
  readonly section: Section;
  /** Added just now: writing goes on in it. */
  readonly isNew: boolean;
  /** From 1 on. */
  readonly n: number;
  readonly storyTitle: string;
  readonly isLast: boolean;
  readonly onChange: (to: Partial<Section>) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}) {
  const t = useText();
  const view = useRef<View | undefined>(undefined);
  const keep = (to: View): void => {
    view.current = to;
  };
  const title = useRef<HTMLInputElement>(null);
  // On a phone the keyboard would cover what was added.
  useEffect(() => {
    if (isNew && window.matchMedia('(pointer: fine)').matches) title.current?.focus();
  }, [isNew]);
  const [added, setAdded] = useState(0);
  const [isAdding, setAdding] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const addPicture = async (file: File): Promise<void> => {
    setFailure(undefined);
    setAdding(true);
    const alt = file.name.replace(/\.[^.]*$/, '').slice(0, 255);
    // The author's alone until it is shared: the story's own sharing asks about what it shows.
    const made = await addDocument(file, alt, { users: {}, groups: {} });
    setAdding(false);
    if (!made.ok) return setFailure(made.error);
    setAdded((n) => n + 1);
    onChange({ media: { kind: 'image', document: Number(made.value), alt } });
  };
  /** A picture is taken; all else goes where it would go anyhow. */
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer): void => {
    const picture = [...data.files].find(({ type }) => type.startsWith('image/'));
    if (picture === undefined || isAdding) return;
    event.preventDefault();
    void addPicture(picture);
  };
  return (
    <fieldset
      className="story-edit"
      aria-busy={isAdding}
      onPaste={(event) => take(event, event.clipboardData)}
      onDragOver={(event) => {
        if ([...event.dataTransfer.items].some(({ kind }) => kind === 'file')) event.preventDefault();
      }}
      onDrop={(event) => take(event, event.dataTransfer)}
    >
      <legend>{t('story.section', { n })}</legend>
      <div className="stack">
        <div className="row apart">
          <SelectField
            label={t('story.layout')}
            className="input small"
            value={section.layout}
            onChange={(event) =>
              onChange({ layout: LAYOUTS.find((layout) => layout === event.target.value) ?? 'side' })
            }
          >
            {LAYOUTS.map((layout) => (
              <option key={layout} value={layout}>
                {t(`layout.${layout}`)}
              </option>
            ))}
          </SelectField>
          <div className="row tight">
            <IconButton small icon="up" name={t('action.up')} disabled={n === 1} onClick={() => onMove(-1)} />
            <IconButton small icon="down" name={t('action.down')} disabled={isLast} onClick={() => onMove(1)} />
            <IconButton small icon="trash" name={t('action.remove')} onClick={onRemove} />
          </div>
        </div>
        <InputField
          label={t('meta.title')}
          ref={title}
          maxLength={255}
          value={section.title}
          onChange={(event) => onChange({ title: event.target.value })}
        />
        <TextField
          label={t('story.text')}
          hint={t('story.text-hint')}
          rows={7}
          maxLength={50000}
          value={section.text}
          onChange={(event) => onChange({ text: event.target.value })}
        />
        <MediaEditor
          // Lists that it chooses from have one more.
          key={added}
          media={section.media}
          onChange={(media) => onChange({ media })}
          viewOf={() => view.current}
        />
        <p className="small-text soft" role="status">
          {t(isAdding ? 'story.picture-adding' : 'story.picture-hint')}
        </p>
        <Wrong failure={failure} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="story-preview" tabIndex={0} aria-label={t('story.preview', { n })}>
        <SectionView section={{ ...section, id: `preview-${section.id}` }} storyTitle={storyTitle} onView={keep} />
      </section>
    </fieldset>
  );
}
