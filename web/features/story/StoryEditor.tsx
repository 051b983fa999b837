// Writing a story: its sections on the left, each as its readers will see it on the right.

import { useMemo, useReducer, useState } from 'react';
import type { WrittenRecord as StoryRecord } from '../../api/types.ts';
import { useFresh } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { moved, newSection, parseStory, type Section, storyData } from '../../lib/story.ts';
import { TEMPLATES, templateSections } from '../../lib/story-templates.ts';
import { redone, stepTo, type Undoable, undoable, undone } from '../../lib/undo.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { Failed, WhenLoaded, Wrong } from '../../ui/States.tsx';
import { EditorHead } from '../editor/EditorHead.tsx';
import { NameFields } from '../editor/NameFields.tsx';
import { UndoButtons, undoKeys } from '../editor/UndoButtons.tsx';
import { useWrittenItem } from '../editor/use-written-item.ts';
import { SectionEditor } from './SectionEditor.tsx';
import './story.css';

export function StoryEditor({ id }: { readonly id: number | undefined }) {
  const [loaded, again] = useFresh(id === undefined ? undefined : `/api/v2/geostories/${id}/?include[]=data`);
  if (id === undefined) return <Editor record={undefined} />;
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ geostory }) =>
        // Whoever may only read it would learn so when all is written.
        geostory.perms.includes('change_resourcebase') ? (
          <Editor record={geostory} />
        ) : (
          <Failed failure={{ kind: 'refused', said: [] }} />
        )
      }
    </WhenLoaded>
  );
}

function Editor({ record }: { readonly record: StoryRecord | undefined }) {
  const t = useText();
  usePageTitle(record?.title ?? t('story.new'));
  const start = useMemo(() => (record === undefined ? undefined : parseStory(record.data)), [record]);
  const [history, act] = useReducer(changeStory, {
    ...undoable<readonly Section[]>(start?.sections ?? [newSection(1, 'cover')]),
    field: undefined,
  });
  const sections = history.now;
  const setSections = (next: readonly Section[]): void => act({ kind: 'set', sections: next });
  const content = useMemo(() => JSON.stringify(sections), [sections]);
  const data = useMemo(() => storyData({ sections }), [sections]);
  const [first] = useState(content);
  const { name, setName, save, newer, failure, isBusy, sharing, share } = useWrittenItem(
    'geostories',
    record,
    content,
    data,
  );
  const [added, setAdded] = useState<string>();
  const add = (): void => {
    const most = Math.max(0, ...sections.map((section) => Number(/^s(\d+)$/.exec(section.id)?.[1] ?? 0)));
    const section = newSection(most + 1);
    setAdded(section.id);
    setSections([...sections, section]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the keys that undo, wherever in it they are pressed.
    <div className="stack" onKeyDown={undoKeys(act)}>
      <form
        className="story-editor-head"
        onSubmit={(event) => {
          event.preventDefault();
          void save(data);
        }}
      >
        <EditorHead
          heading={record === undefined ? t('story.new') : t('story.edit')}
          pk={record?.pk}
          isBusy={isBusy}
          newer={newer}
          isReady={name.title.trim() !== ''}
        />
        <NameFields name={name} sharing={sharing} share={share} onChange={setName} />
      </form>
      <Wrong failure={failure} />
      {record !== undefined && start === undefined && <p className="notice warm">{t('story.unknown')}</p>}
      {record === undefined && content === first && (
        <SelectField
          label={t('story.template')}
          value=""
          onChange={(event) => {
            const name = TEMPLATES.find((one) => one === event.target.value);
            if (name !== undefined) setSections(templateSections(name, (key) => t(`story.t-${key}`)));
          }}
        >
          <option value="">{t('sharing.choose')}</option>
          {TEMPLATES.map((name) => (
            <option key={name} value={name}>
              {t(`story.template-${name}`)}
            </option>
          ))}
        </SelectField>
      )}
      {sections.map((section, i) => (
        <SectionEditor
          key={section.id}
          section={section}
          isNew={section.id === added}
          n={i + 1}
          storyTitle={name.title === '' ? t('story.new') : name.title}
          onChange={(to) => act({ kind: 'change', id: section.id, to })}
          onMove={(by) => setSections(moved(sections, i, by))}
          onRemove={() => setSections(sections.filter((_, j) => j !== i))}
          isLast={i === sections.length - 1}
        />
      ))}
      <div className="row tight story-tools">
        <Button icon="plus" onClick={add}>
          {t('story.add-section')}
        </Button>
        <UndoButtons states={history} act={act} />
      </div>
    </div>
  );
}

type Written = Undoable<readonly Section[]> & {
  /** The field that was changed last; what is typed into it goes on with the same step. */
  readonly field: string | undefined;
};
type StoryAction =
  | { readonly kind: 'set'; readonly sections: readonly Section[] }
  /** Of the section as it is by then: a picture takes a while, and people go on writing. */
  | { readonly kind: 'change'; readonly id: string; readonly to: Partial<Section> }
  | { readonly kind: 'undo' | 'redo' };

function changeStory(written: Written, action: StoryAction): Written {
  switch (action.kind) {
    case 'undo':
      return { ...undone(written), field: undefined };
    case 'redo':
      return { ...redone(written), field: undefined };
    case 'set':
      return { ...stepTo(written, action.sections), field: undefined };
    case 'change': {
      const { id, to } = action;
      const field = `${id} ${Object.keys(to).join()}`;
      const sections = written.now.map((one) => (one.id === id ? { ...one, ...to } : one));
      return { ...stepTo(written, sections, field === written.field), field };
    }
  }
}
