// Writing a story: its sections on the left, each as its readers will see it on the right.

import { useMemo, useState } from 'react';
import { send } from '../../api/client.ts';
import type { Failure } from '../../api/failure.ts';
import type { Document, Layer, MapRecord, Page, Story as StoryRecord } from '../../api/types.ts';
import { forgetLoaded, useLoaded } from '../../api/use-loaded.ts';
import { useText } from '../../lib/i18n/text.ts';
import { navigate } from '../../lib/navigation.ts';
import { LAYOUTS, type Media, moved, newSection, parseStory, type Section, storyData } from '../../lib/story.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Link } from '../../ui/Link.tsx';
import { WhenLoaded, Wrong } from '../../ui/States.tsx';
import { say } from '../../ui/toast.tsx';
import { SectionView } from './StoryView.tsx';
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
        <fieldset className="story-edit" key={section.id}>
          <legend>{t('story.section', { n: i + 1 })}</legend>
          <div className="stack">
            <div className="row apart">
              <Field label={t('story.layout')}>
                {(wired) => (
                  <select
                    {...wired}
                    className="input small"
                    value={section.layout}
                    onChange={(event) =>
                      change(i, { layout: LAYOUTS.find((layout) => layout === event.target.value) ?? 'side' })
                    }
                  >
                    {LAYOUTS.map((layout) => (
                      <option key={layout} value={layout}>
                        {t(`layout.${layout}`)}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <div className="row tight">
                <IconButton
                  small
                  icon="up"
                  name={t('action.up')}
                  disabled={i === 0}
                  onClick={() => setSections(moved(sections, i, -1))}
                />
                <IconButton
                  small
                  icon="down"
                  name={t('action.down')}
                  disabled={i === sections.length - 1}
                  onClick={() => setSections(moved(sections, i, 1))}
                />
                <IconButton
                  small
                  icon="trash"
                  name={t('action.remove')}
                  onClick={() => setSections(sections.filter((_, j) => j !== i))}
                />
              </div>
            </div>
            <Field label={t('meta.title')}>
              {(wired) => (
                <input
                  {...wired}
                  className="input"
                  maxLength={255}
                  value={section.title}
                  onChange={(event) => change(i, { title: event.target.value })}
                />
              )}
            </Field>
            <Field label={t('story.text')} hint={t('story.text-hint')}>
              {(wired) => (
                <textarea
                  {...wired}
                  className="input"
                  rows={7}
                  maxLength={50000}
                  value={section.text}
                  onChange={(event) => change(i, { text: event.target.value })}
                />
              )}
            </Field>
            <MediaEditor media={section.media} onChange={(media) => change(i, { media })} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
          <section className="story-preview" tabIndex={0} aria-label={t('story.preview', { n: i + 1 })}>
            <SectionView
              section={{ ...section, id: `preview-${section.id}` }}
              storyTitle={title === '' ? t('story.new') : title}
            />
          </section>
        </fieldset>
      ))}
      <div>
        <Button icon="plus" onClick={add}>
          {t('story.add-section')}
        </Button>
      </div>
    </div>
  );
}

const KINDS = ['none', 'image', 'map', 'layer'] as const;

function MediaEditor({ media, onChange }: { readonly media: Media; readonly onChange: (media: Media) => void }) {
  const t = useText();
  const [images] = useLoaded<Page<'documents', Document>>(
    '/api/v2/documents/?filter{doc_type}=image&page_size=100&sort[]=title',
  );
  const [maps] = useLoaded<Page<'maps', MapRecord>>('/api/v2/maps/?page_size=100&sort[]=title');
  const [layers] = useLoaded<Page<'layers', Layer>>('/api/v2/layers/?page_size=100&sort[]=title');
  const choices = {
    none: [],
    image: images.kind === 'loaded' ? images.value.documents : [],
    map: maps.kind === 'loaded' ? maps.value.maps : [],
    layer: layers.kind === 'loaded' ? layers.value.layers : [],
  } as const;
  const make = (kind: Media['kind'], id: number): Media => {
    switch (kind) {
      case 'none':
        return { kind };
      case 'image':
        return {
          kind,
          document: id,
          alt: media.kind === 'image' ? media.alt : (choices.image.find(({ pk }) => Number(pk) === id)?.title ?? ''),
        };
      case 'map':
        return { kind, map: id, view: undefined };
      case 'layer':
        return { kind, layer: id, view: undefined };
    }
  };
  const chosen =
    media.kind === 'image'
      ? media.document
      : media.kind === 'map'
        ? media.map
        : media.kind === 'layer'
          ? media.layer
          : 0;
  const list = choices[media.kind];
  return (
    <div className="upload-fields">
      <Field label={t('story.media')}>
        {(wired) => (
          <select
            {...wired}
            className="input"
            value={media.kind}
            onChange={(event) => {
              const kind = KINDS.find((one) => one === event.target.value) ?? 'none';
              onChange(kind === 'none' ? { kind } : make(kind, Number(choices[kind][0]?.pk ?? 0)));
            }}
          >
            {KINDS.map((kind) => (
              <option key={kind} value={kind} disabled={kind !== 'none' && choices[kind].length === 0}>
                {t(`media.${kind}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {media.kind !== 'none' && (
        <Field label={t(`media.${media.kind}`)}>
          {(wired) => (
            <select
              {...wired}
              className="input"
              value={chosen}
              onChange={(event) => onChange(make(media.kind, Number(event.target.value)))}
            >
              {list.map(({ pk, title }) => (
                <option key={pk} value={pk}>
                  {title}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {media.kind === 'image' && (
        <Field label={t('story.alt')}>
          {(wired) => (
            <input
              {...wired}
              className="input"
              maxLength={500}
              value={media.alt}
              onChange={(event) => onChange({ ...media, alt: event.target.value })}
            />
          )}
        </Field>
      )}
    </div>
  );
}
