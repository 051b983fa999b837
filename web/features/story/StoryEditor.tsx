// Writing a story: its sections on the left, each as its readers will see it on the right.

import { useMemo, useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Story as StoryRecord } from '../../api/types.ts';
import { forgetLoaded, useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { navigate } from '../../lib/navigation.ts';
import { moved, newSection, parseStory, type Section, storyData } from '../../lib/story.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Link } from '../../ui/Link.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { SectionEditor } from './SectionEditor.tsx';
import './story.css';

export function StoryEditor({ id }: { readonly id: number | undefined }) {
  const [loaded, again] = useLoaded<{ readonly geostory: StoryRecord }>(
    id === undefined ? undefined : `/api/v2/geostories/${id}/?include[]=data`,
  );
  if (id === undefined) return <Editor record={undefined} />;
  return (
    <WhenLoaded loaded={loaded} onRetry={again}>
      {({ geostory }) => <Editor record={geostory} />}
    </WhenLoaded>
  );
}

function Editor({ record }: { readonly record: StoryRecord | undefined }) {
  const t = useText();
  usePageTitle(record?.title ?? t('story.new'));
  const start = useMemo(() => (record === undefined ? undefined : parseStory(record.data)), [record]);
  const [title, setTitle] = useState(record?.title ?? '');
  const [abstract, setAbstract] = useState(record?.abstract ?? '');
  const [sections, setSections] = useState<readonly Section[]>(start?.sections ?? [newSection(1, 'cover')]);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const change = (i: number, to: Partial<Section>): void =>
    setSections(sections.map((one, j) => (i === j ? { ...one, ...to } : one)));
  const add = (): void => {
    const most = Math.max(0, ...sections.map((section) => Number(/^s(\d+)$/.exec(section.id)?.[1] ?? 0)));
    setSections([...sections, newSection(most + 1)]);
  };
  const save = async (): Promise<void> => {
    setBusy(true);
    const body = { title, abstract, data: storyData({ sections }) };
    const reply =
      record === undefined
        ? await send<{ readonly geostory: { readonly pk: string } }>('POST', '/api/v2/geostories/', {
            body: { ...body, name: `${title} ${Date.now().toString(36)}` },
          })
        : await send<undefined>('PATCH', `/api/v2/geostories/${record.pk}/`, { body });
    setBusy(false);
    if (!reply.ok) return setFailure(reply.error);
    forgetLoaded();
    say(t('saved'));
    navigate(`/apps/preview/${record?.pk ?? reply.value?.geostory.pk}`);
  };
  return (
    <div className="stack">
      <form
        className="story-editor-head"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <h1>{record === undefined ? t('story.new') : t('story.edit')}</h1>
        <div className="row">
          <Link className="button" to={record === undefined ? '/' : `/apps/preview/${record.pk}`}>
            {t('action.cancel')}
          </Link>
          <Button look="primary" icon="save" type="submit" disabled={isBusy || title.trim() === ''}>
            {isBusy ? t('action.saving') : t('action.save')}
          </Button>
        </div>
        <Field label={t('meta.title')}>
          {(wired) => (
            <input
              {...wired}
              className="input"
              required
              maxLength={255}
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
        <Field label={t('meta.abstract')}>
          {(wired) => (
            <input
              {...wired}
              className="input"
              maxLength={2000}
              value={abstract}
              onChange={(event) => setAbstract(event.target.value)}
            />
          )}
        </Field>
      </form>
      <Wrong failure={failure} />
      {record !== undefined && start === undefined && <p className="notice warm">{t('story.unknown')}</p>}
      {sections.map((section, i) => (
        <SectionEditor
          key={section.id}
          section={section}
          n={i + 1}
          storyTitle={title === '' ? t('story.new') : title}
          onChange={(to) => change(i, to)}
          onMove={(by) => setSections(moved(sections, i, by))}
          onRemove={() => setSections(sections.filter((_, j) => j !== i))}
          isLast={i === sections.length - 1}
        />
      ))}
      <div>
        <Button icon="plus" onClick={add}>
          {t('story.add-section')}
        </Button>
      </div>
    </div>
  );
}
